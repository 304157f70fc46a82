import { describe, expect, it } from '@jest/globals';
import { digest } from '@latch/contracts';
import fc from 'fast-check';
import { type SealedHead } from './evidence-seal.ts';
import { headTreeRoot, leafOf, proveLeaf, rootOfProof } from './head-tree.ts';

const heads = fc
  .uniqueArray(fc.uuid(), { minLength: 1, maxLength: 70 })
  .map((ids) => ids.map((streamId, index): SealedHead => headOf(streamId, index + 1)));

function headOf(streamId: string, version: number): SealedHead {
  return { streamId, tenantId: 'default', version, hash: digest([streamId, version]) };
}

describe('the tree of the heads that a seal signs', () => {
  it('has the same root in whatever order the heads come', () => {
    fc.assert(
      fc.property(heads, (all) => {
        expect(headTreeRoot([...all].reverse())).toBe(headTreeRoot(all));
      }),
    );
  });

  it('proves each of its heads, and no other one', () => {
    fc.assert(
      fc.property(heads, (all) => {
        const root = headTreeRoot(all);
        const leaves = all.toSorted((one, other) => (one.streamId < other.streamId ? -1 : 1)).map(leafOf);
        for (const head of all) {
          const proof = proveLeaf(leaves, leafOf(head)) ?? [];
          expect(rootOfProof(head, proof)).toBe(root);
          expect(rootOfProof({ ...head, version: head.version + 1 }, proof)).not.toBe(root);
        }
        expect(proveLeaf(leaves, leafOf(headOf('no such stream', 1)))).toBeUndefined();
      }),
    );
  });

  it('has another root when a head is left out, added or changed', () => {
    fc.assert(
      fc.property(heads, fc.uuid(), (all, id) => {
        const root = headTreeRoot(all);
        expect(headTreeRoot(all.slice(1))).not.toBe(root);
        expect(headTreeRoot([...all, headOf(id, 99)])).not.toBe(root);
        expect(headTreeRoot(all.map((head) => ({ ...head, tenantId: 'other' })))).not.toBe(root);
      }),
    );
  });
});
