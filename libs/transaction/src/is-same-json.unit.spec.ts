import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@latch/contracts';
import fc from 'fast-check';
import { isSameJson } from './is-same-json.ts';

/** Values that are alike often enough to be told apart only by a look at each part. */
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1, '', 'a', '1', undefined),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

describe('two JSON values', () => {
  it('are the same exactly when their canonical JSON is', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(isSameJson([one], [other])).toBe(canonicalJson([one]) === canonicalJson([other]));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are the same as their copies, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (one) => {
        expect(isSameJson(one, JSON.parse(canonicalJson(one)))).toBe(true);
      }),
    );
  });
});
