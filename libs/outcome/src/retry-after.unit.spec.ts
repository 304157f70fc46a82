import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from './retry-after.ts';

describe('Retry-After', () => {
  it.each([
    ['120', undefined, 120_000],
    ['0', undefined, 0],
    [' 1.5 ', undefined, 1500],
    ['Mon, 30 Nov 2026 12:02:00 GMT', '2026-11-30T12:00:00Z', 120_000],
    ['Mon, 30 Nov 2026 11:00:00 GMT', '2026-11-30T12:00:00Z', 0],
    ['999999999', undefined, 86_400_000],
    ['Mon, 30 Nov 2026 12:02:00 GMT', undefined, undefined],
    ['soon', '2026-11-30T12:00:00Z', undefined],
    ['-5', undefined, undefined],
    ['', undefined, undefined],
    [null, undefined, undefined],
    ['NaN', undefined, undefined],
  ])('%j at %j is %j ms', (value, now, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms);
  });
});
