/** Two signals closer than this are one wish: a Ctrl-C reaches this process from the terminal and again through npm. */
const sameWishMs = 1500;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. A later one, when stopping takes too long for somebody, ends the process at once; the next start
 * then ends what is left.
 */
export function untilToldToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (firstAtMs !== undefined && Date.now() - firstAtMs > sameWishMs) process.exit(130);
      firstAtMs ??= Date.now();
      resolve(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}
