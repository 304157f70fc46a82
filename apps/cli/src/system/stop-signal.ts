import { answerStop, endAnswers } from '../../../../deploy/local/stops.mjs';

/** Two signals closer than this are one wish: a Ctrl-C reaches this process from the terminal and again through npm. */
const sameWishMs = 1500;

/**
 * Aborted at the first SIGINT, SIGTERM or SIGHUP, with an Error that names it as the reason. A later signal, when stopping takes too long for somebody,
 * is answered and ends the process at once; the next start then ends what is left.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAtMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAtMs !== undefined && Date.now() - firstAtMs > sameWishMs) answerStop(signal);
    firstAtMs ??= Date.now();
    controller.abort(new Error(`Stopped by ${signal}.`));
  };
  endAnswers();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return controller.signal;
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
