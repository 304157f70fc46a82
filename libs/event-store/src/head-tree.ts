import { digest } from '@latch/contracts';
import { type SealedHead } from './evidence-seal.ts';

/** One step from a head to the root of its seal's tree: the neighbour, and on which side it stands. */
export type HeadProofStep = { readonly side: 'left' | 'right'; readonly hash: string };

/**
 * The root of a hash tree over heads, in the order of their stream ids: with it a seal signs all of them, and any of them can be proved with some twenty hashes,
 * without a word about the others.
 */
export function headTreeRoot(heads: readonly SealedHead[]): string {
  let level = inOrder(heads).map(leafOf);
  if (level.length === 0) return digest(['heads', 'none']);
  while (level.length > 1) level = levelAbove(level);
  return level[0] ?? '';
}

/**
 * The way from a leaf to the root, from all leaves in the order of their stream ids: who only holds these knows nothing of the other streams.
 *
 * @returns undefined when the leaf is not among them.
 */
export function proveLeaf(leaves: readonly string[], leaf: string): readonly HeadProofStep[] | undefined {
  let index = leaves.indexOf(leaf);
  if (index < 0) return undefined;
  const steps: HeadProofStep[] = [];
  for (let level = leaves; level.length > 1; level = levelAbove(level)) {
    const neighbour = level[index % 2 === 0 ? index + 1 : index - 1];
    // The last of an odd number has none, and goes up alone.
    if (neighbour !== undefined) steps.push({ side: index % 2 === 0 ? 'right' : 'left', hash: neighbour });
    index = Math.floor(index / 2);
  }
  return steps;
}

/** The root that a head and its proof lead to. */
export function rootOfProof(head: SealedHead, steps: readonly HeadProofStep[]): string {
  return steps.reduce(
    (hash, step) => (step.side === 'right' ? nodeOf(hash, step.hash) : nodeOf(step.hash, hash)),
    leafOf(head),
  );
}

function inOrder(heads: readonly SealedHead[]): readonly SealedHead[] {
  return heads.toSorted((one, other) => (one.streamId < other.streamId ? -1 : 1));
}

/** A head as the tree holds it. */
export function leafOf({ streamId, tenantId, version, hash }: SealedHead): string {
  return digest(['head', streamId, tenantId, version, hash]);
}

function nodeOf(left: string, right: string): string {
  return digest(['node', left, right]);
}

function levelAbove(level: readonly string[]): string[] {
  const above: string[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left = '', right] = [level[index], level[index + 1]];
    above.push(right === undefined ? left : nodeOf(left, right));
  }
  return above;
}
