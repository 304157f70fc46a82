import { type ComponentHealth } from './health-state.ts';
import { repeat } from './repeat.ts';

/** How a part of a service is asked whether it works. */
export type PulseOptions = {
  /** Rejects, or does not come back, while the part does not work. */
  readonly ask: () => Promise<unknown>;
  /** From one answer to the next question. @default 5_000 */
  readonly everyMs?: number;
  /** A part whose last answer is older than this counts as gone, also when nothing has failed: a question to a host that vanished waits for minutes. @default 15_000 */
  readonly staleAfterMs?: number;
};

/** The health of a part as of its last answer, which is never older than `staleAfterMs` where it is well. */
export type Pulse = { report(): ComponentHealth; stop(): Promise<void> };

/** Asks a part that has just been opened again and again whether it still answers, one question at a time. */
export function startPulse({ ask, everyMs = 5_000, staleAfterMs = 15_000 }: PulseOptions): Pulse {
  let answeredAt = performance.now();
  let hasFailed = false;
  const round = async (): Promise<void> => {
    await ask();
    answeredAt = performance.now();
    hasFailed = false;
  };
  const onError = (): void => {
    hasFailed = true;
  };
  const stop = repeat({ round, everyMs, waitsFirst: true, onError });
  return {
    report: () => {
      const silentMs = performance.now() - answeredAt;
      if (!hasFailed && silentMs <= staleAfterMs) return { ok: true };
      return { ok: false, detail: `no answer for ${Math.round(silentMs / 1000)} s` };
    },
    // A question that still waits is not waited for: whoever closes the part ends it.
    stop: () => Promise.resolve(void stop()),
  };
}
