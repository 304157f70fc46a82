import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shareWork, workersOption } from './share-work.ts';

describe('--workers', () => {
  it('is a whole number from 1 to 16, or not given', () => {
    expect([workersOption('1'), workersOption('16'), workersOption(undefined)]).toEqual([1, 16, undefined]);
  });

  it.each(['0', '-1', '1.5', 'many', '17', ''])('is refused as "%s", in a sentence', (text) => {
    expect(() => workersOption(text)).toThrow(/^--workers must be (a whole number of at least 1|at most 16), not "/);
  });
});

describe('the conversations of a replay', () => {
  it('are shared among one worker for each core, four at most, when nobody says how many', () => {
    expect([1, 2, 4, 64].map((cores) => shareWork(100_000, undefined, cores).workers)).toEqual([1, 2, 4, 4]);
  });

  it('are not shared when they are few', () => {
    expect([0, 1, 1_999, 3_999].map((count) => shareWork(count, undefined, 4).workers)).toEqual([1, 1, 1, 1]);
    expect(shareWork(4_000, undefined, 4).workers).toBe(2);
  });

  it('are shared among as many as somebody asks for, each with something to do until the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 16 }), (conversations, wanted) => {
        const { workers, inStretch } = shareWork(conversations, wanted);
        expect(workers).toBe(Math.min(wanted, conversations));
        expect(inStretch).toBeGreaterThanOrEqual(1);
        expect(inStretch).toBeLessThanOrEqual(200);
        expect(Math.ceil(conversations / inStretch)).toBeGreaterThanOrEqual(workers);
      }),
    );
  });
});
