import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { repeat } from './repeat.ts';

const nobody = (): void => undefined;

describe('a round that is repeated', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('starts at once, and again so long after each end', async () => {
    let rounds = 0;
    const round = async (): Promise<void> => {
      rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    };
    const stop = repeat({ round, everyMs: 100, onError: nobody });
    expect(rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(1_050);
    expect(rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(50);
    expect(rounds).toBe(2);
    await Promise.all([stop(), jest.advanceTimersByTimeAsync(1_000)]);
  });

  it('may wait before its first start', async () => {
    const round = jest.fn(() => Promise.resolve());
    const stop = repeat({ round, everyMs: 100, waitsFirst: true, onError: nobody });
    expect(round).toHaveBeenCalledTimes(0);
    await jest.advanceTimersByTimeAsync(100);
    expect(round).toHaveBeenCalledTimes(1);
    await stop();
  });

  it('goes on after one that failed, which is told', async () => {
    const onError = jest.fn();
    const round = jest.fn(() => Promise.reject(new Error('away')));
    const stop = repeat({ round, everyMs: 100, onError });
    await jest.advanceTimersByTimeAsync(100);
    expect(round).toHaveBeenCalledTimes(2);
    expect(onError).toHaveBeenCalledTimes(2);
    await stop();
  });

  it('is waited for when it is stopped, knows of it, and is the last one', async () => {
    const seen: boolean[] = [];
    const round = jest.fn(async (isStopped: () => boolean): Promise<void> => {
      seen.push(isStopped());
      await new Promise((resolve) => setTimeout(resolve, 50));
      seen.push(isStopped());
    });
    const stopped = repeat({ round, everyMs: 100, onError: nobody })();
    await jest.advanceTimersByTimeAsync(1_000);
    await stopped;
    expect(seen).toEqual([false, true]);
    expect(round).toHaveBeenCalledTimes(1);
  });
});
