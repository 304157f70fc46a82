/** What a pause before the next attempt depends on. */
export type RetryPause = {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: number;
  /** The wait that the server asked for (`Retry-After`). */
  readonly retryAfterMs?: number | undefined;
  /** @default 200 */
  readonly baseMs?: number;
  /** @default 10_000 */
  readonly maxMs?: number;
};

/**
 * The pause before the next attempt, in milliseconds: exponential with full jitter, so that callers that failed together do not come back together.
 * A server's own wait is never shortened; the jitter comes on top of it.
 *
 * @see "Exponential Backoff And Jitter", AWS Architecture Blog
 */
export function retryDelay({ attempt, random, retryAfterMs = 0, baseMs = 200, maxMs = 10_000 }: RetryPause): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(retryAfterMs + random * ceiling);
}
