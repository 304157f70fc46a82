import { type Letter, type SentAgain } from './letter.ts';

/** As much of a letter as is kept while the topic is read: it may hold more than fits into memory. */
export type Candidate = Pick<Letter, 'id'> & {
  /** The place of its message, see `placeOf`. */
  readonly place: string;
  /** UTC. */
  readonly failedAt: string;
};

/** What is left of the candidates, the oldest first, each message once. */
export type Sifted = {
  readonly kept: readonly Candidate[];
  /** Left out since they were sent before. */
  readonly sentBefore: number;
  /** Left out since an older letter is about the same message. */
  readonly copies: number;
};

/** @param historyOf what became of the message of a place; undefined: it does not matter. */
export function siftLetters(
  candidates: readonly Candidate[],
  historyOf: ((place: string) => SentAgain) | undefined,
): Sifted {
  const open = candidates.filter(({ place }) => (historyOf?.(place).times ?? 0) === 0);
  const inOrder = open.toSorted((a, b) => (a.failedAt < b.failedAt ? -1 : Number(a.failedAt > b.failedAt)));
  const seen = new Set<string>();
  const kept = inOrder.filter(({ place }) => !seen.has(place) && seen.add(place));
  return { kept, sentBefore: candidates.length - open.length, copies: open.length - kept.length };
}
