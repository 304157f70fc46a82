import { isMeant, type LetterFilter } from './letter-filter.ts';
import { LatestTurns } from './latest-turns.ts';
import { type Letter, placeOf, type SentAgain } from './letter.ts';
import { type LetterSettings } from './letter-settings.ts';
import { readLetters } from './read-letters.ts';
import { type Candidate, siftLetters } from './sift-letters.ts';

/** Which letters are to be sent: those of these ids, or, where there are none, those that a filter lets through. */
export type Choice = {
  readonly ids: readonly string[];
  readonly filter: LetterFilter;
  readonly limit: number;
  /** Also those that were sent before. */
  readonly again: boolean;
};

/** What was chosen, the oldest first, and what was left out. */
export type Chosen = {
  readonly letters: readonly { readonly letter: Letter; readonly sentAgain: SentAgain }[];
  readonly latestTurns: LatestTurns;
  /** Left out by a filter, since they were sent before. */
  readonly sentBefore: number;
  /** Further letters about a message that another chosen letter is about. */
  readonly copies: number;
  /** Left for another run, by the limit. */
  readonly left: number;
  /** Not there any more when their messages were read: the topic keeps letters for so long only. */
  readonly gone: number;
  readonly strange: number;
};

/**
 * Chooses letters. The topic is read twice: once to know what there is and what was sent before, and once for the messages of those that are chosen.
 *
 * @throws Error when an id names no letter, or Kafka does not answer.
 */
export async function chooseLetters(settings: LetterSettings, choice: Choice): Promise<Chosen> {
  const candidates: Candidate[] = [];
  const latestTurns = new LatestTurns(settings.signing);
  const read = await readLetters(settings, (letter) => {
    latestTurns.add(letter);
    if (isChosen(letter, choice)) candidates.push(candidateOf(letter));
  });
  assertFound(candidates, choice);
  const { ids, again, limit } = choice;
  const historyOf = ids.length > 0 || again ? undefined : (place: string) => read.history.ofPlace(place);
  const { kept, sentBefore, copies } = siftLetters(candidates, historyOf);
  const within = kept.slice(0, limit);
  const letters = within.length === 0 ? [] : await readWhole(settings, within);
  const [left, gone] = [kept.length - within.length, within.length - letters.length];
  return { letters, latestTurns, sentBefore, copies, left, gone, strange: read.strange };
}

function isChosen(letter: Letter, { ids, filter }: Choice): boolean {
  return ids.length > 0 ? ids.includes(letter.id) : isMeant(letter, filter);
}

function candidateOf({ id, content }: Letter): Candidate {
  return { id, place: placeOf(content), failedAt: new Date(content.failed_at).toISOString() };
}

function assertFound(candidates: readonly Candidate[], { ids }: Choice): void {
  const missing = ids.filter((id) => !candidates.some((candidate) => candidate.id === id));
  if (missing.length > 0) {
    throw new Error(`there is no letter ${missing.join(', ')}; \`latch dead-letters list\` shows what there is`);
  }
}

async function readWhole(settings: LetterSettings, wanted: readonly Candidate[]): Promise<Chosen['letters']> {
  const ids = new Set(wanted.map(({ id }) => id));
  const whole = new Map<string, Letter>();
  const { history } = await readLetters(settings, (letter) => {
    if (ids.has(letter.id)) whole.set(letter.id, letter);
  });
  return wanted.flatMap(({ id }) => {
    const letter = whole.get(id);
    return letter === undefined ? [] : [{ letter, sentAgain: history.of(letter) }];
  });
}
