import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startPulse } from './start-pulse.ts';

describe('a part that is asked now and then', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is well from its opening on, and as long as it answers', async () => {
    const ask = jest.fn(() => Promise.resolve());
    const pulse = startPulse({ ask });
    expect(pulse.report()).toEqual({ ok: true });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(pulse.report()).toEqual({ ok: true });
    expect(ask).toHaveBeenCalledTimes(12);
    await pulse.stop();
  });

  it('is gone with the first question that fails, and back with the first that does not', async () => {
    let isAway = true;
    const ask = (): Promise<void> => (isAway ? Promise.reject(new Error('away')) : Promise.resolve());
    const pulse = startPulse({ ask });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(pulse.report()).toEqual({ ok: false, detail: 'no answer for 5 s' });
    isAway = false;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(pulse.report()).toEqual({ ok: true });
    await pulse.stop();
  });

  it('is gone when its last answer is too old, though nothing fails: a host that vanished says nothing', async () => {
    const ask = jest.fn(() => new Promise<void>(() => undefined));
    const pulse = startPulse({ ask });
    await jest.advanceTimersByTimeAsync(15_000);
    expect(pulse.report()).toEqual({ ok: true });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(pulse.report()).toEqual({ ok: false, detail: 'no answer for 16 s' });
    expect(ask).toHaveBeenCalledTimes(1);
    await pulse.stop();
  });

  it('is asked no more after the stop, which does not wait for a question without an answer', async () => {
    const ask = jest.fn(() => new Promise<void>(() => undefined));
    const pulse = startPulse({ ask });
    await jest.advanceTimersByTimeAsync(6_000);
    await pulse.stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});
