import { topics } from '@latch/contracts';
import { type Redrivable, redriveLetter, type RedriveRefusal } from '@latch/messaging';
import { type Letter, type SentAgain } from './letter.ts';
import { type LatestTurns } from './latest-turns.ts';
import { type LetterSettings } from './letter-settings.ts';

/** Why the message of a letter is not sent again, as a stable word and a sentence. */
export type LetterRefusal = {
  readonly word: RedriveRefusal['word'] | HistoryWord | StoreWord;
  readonly why: string;
};

/** What was done before, and what was said later. */
type HistoryWord = 'sent_before' | 'unclear' | 'superseded' | 'old';
/** What the event store knows. */
type StoreWord = 'answered' | 'overtaken' | 'erased' | 'expired' | 'not_approved';

/** What would become of a letter. */
export type Verdict =
  { readonly may: true; readonly redrivable: Redrivable } | { readonly may: false; readonly refusal: LetterRefusal };

/** What else is known and wanted. */
export type PlanContext = {
  readonly sentAgain: SentAgain;
  readonly latestTurns: LatestTurns;
  readonly signing: LetterSettings['signing'];
  /** Send what was sent before. */
  readonly again: boolean;
  /** Send turns however old they are. */
  readonly evenIfOld: boolean;
  /** UTC. */
  readonly now: string;
};

/** After so many hours nobody waits for the answer to a turn any more, and who said it may mean something else by now. */
const oldAfterHours = 24;

/** Whether the message of a letter may be sent again, by what the letter and the dead-letter topic tell; the event store is asked afterwards. */
export function planRedrive(letter: Letter, context: PlanContext): Verdict {
  const done = context.again ? null : refusedByHistory(context.sentAgain);
  if (done !== null) return { may: false, refusal: done };
  const made = redriveLetter(letter.content, { letterId: letter.envelope.event_id, signing: context.signing });
  if (!made.ok) return { may: false, refusal: made.error };
  const stale = letter.content.source.topic === topics.turns ? refusedAsTurn(made.value, context) : null;
  return stale === null ? { may: true, redrivable: made.value } : { may: false, refusal: stale };
}

function refusedByHistory({ times, lastAt, by, unclearSince }: SentAgain): LetterRefusal | null {
  if (unclearSince !== null) {
    const why = `a sending of it began at ${unclearSince} and broke off: nobody knows whether it went. --again sends it; its consumers handle it once`;
    return { word: 'unclear', why };
  }
  if (times === 0) return null;
  return {
    word: 'sent_before',
    why: `${by ?? 'somebody'} sent it again at ${lastAt ?? 'an unknown time'}; --again sends it once more`,
  };
}

/** Only the last word of a person is sent again: what was said after it may have taken it back. */
function refusedAsTurn({ received }: Redrivable, context: PlanContext): LetterRefusal | null {
  const later = context.latestTurns.laterThan(received.envelope);
  if (later !== undefined) {
    const why = `the person said something later in this conversation, which is letter ${later}: only the last word is sent again`;
    return { word: 'superseded', why };
  }
  const ageHours = (Date.parse(context.now) - Date.parse(received.envelope.timestamp)) / 3_600_000;
  if (context.evenIfOld || ageHours <= oldAfterHours) return null;
  const why = `it was said ${Math.floor(ageHours)} hours ago, and nobody waits for an answer any more; --even-if-old sends it`;
  return { word: 'old', why };
}
