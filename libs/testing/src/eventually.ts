import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats an expectation until it holds: `await eventually(() => expect(seen).toHaveLength(3))`. For what happens in another process or turn of the event
 * loop; a fixed sleep would be too short on a busy machine and too long on every other.
 *
 * @param timeoutMs how long it may take. @default 10_000
 * @returns what the expectation returned.
 * @throws the last error when it did not hold in time.
 */
export async function eventually<T>(
  expectation: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 20 }: { readonly timeoutMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const endsAt = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (Date.now() >= endsAt) throw error;
      await sleep(everyMs);
    }
  }
}
