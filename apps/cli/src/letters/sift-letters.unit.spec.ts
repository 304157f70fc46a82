import { describe, expect, it } from '@jest/globals';
import { type Candidate, siftLetters } from './sift-letters.ts';

const letter = (id: string, place: string, second: number): Candidate => ({
  ...{ id, place },
  failedAt: new Date(Date.UTC(2026, 11, 1, 12, 0, second)).toISOString(),
});
const idsOf = (letters: readonly Candidate[]): readonly string[] => letters.map(({ id }) => id);

describe('letters that are to be sent', () => {
  it('are in the order in which they died, however they were read', () => {
    const { kept } = siftLetters([letter('B', 'p2', 2), letter('C', 'p3', 3), letter('A', 'p1', 1)], undefined);
    expect(idsOf(kept)).toEqual(['A', 'B', 'C']);
  });

  it('are the oldest of each message, also where a message has a second letter that is younger than others', () => {
    const sifted = siftLetters([letter('A', 'p1', 1), letter('B', 'p2', 2), letter('C', 'p1', 3)], undefined);
    expect(idsOf(sifted.kept)).toEqual(['A', 'B']);
    expect(sifted).toMatchObject({ sentBefore: 0, copies: 1 });
  });

  it('are not those whose message was sent before, unless that does not matter', () => {
    const letters = [letter('A', 'p1', 1), letter('B', 'p2', 2), letter('C', 'p1', 3)];
    const sent = { times: 1, lastAt: null, by: null, unclearSince: null };
    const sifted = siftLetters(letters, (place) => ({ ...sent, times: place === 'p1' ? 1 : 0 }));
    expect(idsOf(sifted.kept)).toEqual(['B']);
    expect(sifted).toMatchObject({ sentBefore: 2, copies: 0 });
  });
});
