import { setTimeout as sleep } from 'node:timers/promises';

/** How late a call may end after its deadline. */
const allowedMs = 100;

/**
 * How much later some work ends than a bare timer of the same length that is started beside it, in milliseconds: the least of ten tries, or the first within what
 * is allowed. A busy machine delays both.
 *
 * @param prepare is done before each try, and its time does not count.
 * @throws when the work ends before its time.
 */
export async function lateness(
  deadlineMs: number,
  work: () => Promise<unknown>,
  prepare: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number> {
  const late: number[] = [];
  while (late.length < 10 && Math.min(...late) > allowedMs) {
    await prepare();
    const from = performance.now();
    const timer = sleep(deadlineMs).then(() => performance.now() - from);
    await work();
    const ms = performance.now() - from;
    if (ms < deadlineMs - 5) throw new Error(`It ended after ${ms} ms`);
    late.push(ms - (await timer));
  }
  return Math.min(...late);
}
