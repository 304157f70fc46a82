import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('returns as soon as the expectation holds', async () => {
    let tries = 0;
    const result = await eventually(
      () => {
        tries += 1;
        expect(tries).toBe(3);
        return 'held';
      },
      { everyMs: 1 },
    );
    expect(result).toBe('held');
  });

  it('throws the last error when the time is over', async () => {
    const never = eventually(() => Promise.reject(new Error('not yet')), { timeoutMs: 20, everyMs: 1 });
    await expect(never).rejects.toThrow('not yet');
  });
});
