/** Waits, or less when `signal` aborts. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** How long to wait before try number `attempt` (from 1): doubling from 50 ms to 5 s, with a quarter of jitter so that members do not march in step. */
export function backoffMs(attempt: number): number {
  const full = Math.min(50 * 2 ** Math.min(attempt - 1, 10), 5_000);
  return full * (0.75 + Math.random() * 0.25);
}
