import { type Chosen } from './choose-letters.ts';
import { type Letter } from './letter.ts';
import { type Verdict } from './plan-redrive.ts';
import { type Sending } from './redrive-letters.ts';

/** A letter, and what is to become of it. */
export type Planned = { readonly letter: Letter; readonly verdict: Verdict };

/** What a redrive did, for machines. */
export type RedriveReport = {
  readonly word: 'redrive';
  /** `stopped`: by hand, at the prompt or later. `broken_off`: Kafka went away. `dry_run`: nothing was sent, and this is what would be. */
  readonly outcome: 'done' | 'stopped' | 'broken_off' | 'dry_run';
  /** Why it broke off. */
  readonly reason?: string;
  readonly sent: number;
  readonly refused: number;
  /** Not reached, since it was stopped or broke off; the first one may have gone where it broke off. */
  readonly not_reached: number;
  readonly sent_before: number;
  readonly copies: number;
  readonly left: number;
  readonly gone: number;
  readonly strange: number;
  readonly letters: readonly {
    readonly id: string;
    readonly event_id: string;
    readonly topic: string;
    readonly partition: number;
    readonly offset: string;
    readonly code: string;
    readonly fate: 'sent' | 'would_be_sent' | 'refused' | 'not_reached';
    readonly refusal?: { readonly word: string; readonly why: string };
  }[];
};

type Done = {
  readonly chosen: Chosen;
  readonly planned: readonly Planned[];
  /** Null: it was only shown what would be sent. */
  readonly sending: Sending | null;
};

/** How a redrive ends for a script: 0 when every letter that was chosen is on its topic, or would be; 1 when some are not; 2 when Kafka went away. */
export function exitCodeOf({ outcome, refused, gone }: RedriveReport): number {
  if (outcome === 'broken_off') return 2;
  return outcome === 'stopped' || refused + gone > 0 ? 1 : 0;
}

/** Puts together what became of each letter. */
export function redriveReport({ chosen, planned, sending }: Done): RedriveReport {
  const letters = planned.map((one) => ({ ...placeIn(one.letter), ...fateOf(one, sending) }));
  const count = (fate: string): number => letters.filter((letter) => letter.fate === fate).length;
  return {
    word: 'redrive',
    ...outcomeOf(sending),
    sent: count('sent'),
    refused: count('refused'),
    not_reached: count('not_reached'),
    sent_before: chosen.sentBefore,
    copies: chosen.copies,
    left: chosen.left,
    gone: chosen.gone,
    strange: chosen.strange,
    letters,
  };
}

function outcomeOf(sending: Sending | null): Pick<RedriveReport, 'outcome' | 'reason'> {
  if (sending === null) return { outcome: 'dry_run' };
  const { end } = sending;
  if (end.how === 'broken_off') return { outcome: 'broken_off', reason: end.why };
  return { outcome: end.how === 'all' ? 'done' : 'stopped' };
}

function placeIn({
  id,
  envelope,
  content: { source, reason },
}: Letter): Omit<RedriveReport['letters'][number], 'fate'> {
  const { topic, partition, offset } = source;
  return { id, event_id: envelope.event_id, topic, partition, offset, code: reason.code };
}

function fateOf(
  { letter, verdict }: Planned,
  sending: Sending | null,
): Pick<RedriveReport['letters'][number], 'fate' | 'refusal'> {
  if (!verdict.may) return { fate: 'refused', refusal: verdict.refusal };
  if (sending === null) return { fate: 'would_be_sent' };
  if (sending.tooLarge.includes(letter))
    return { fate: 'refused', refusal: { word: 'too_large', why: 'Kafka refuses its size' } };
  return { fate: sending.sent.includes(letter) ? 'sent' : 'not_reached' };
}

/** The same for people. */
export function reportLines(report: RedriveReport): readonly string[] {
  const letters = report.letters.map(({ id, topic, code, fate, refusal }) => {
    const told = refusal === undefined ? '' : ` (${refusal.word}): ${refusal.why}`;
    return `${id}  ${topic}  ${code}  ${fate.replaceAll('_', ' ')}${told}`;
  });
  const would = report.letters.filter(({ fate }) => fate === 'would_be_sent').length;
  const sum = report.outcome === 'dry_run' ? `Nothing was sent; ${would} would be` : `${report.sent} sent again`;
  const why = report.reason === undefined ? [] : [report.reason];
  return [...letters, `${[`${sum}, ${report.refused} refused`, ...restOf(report)].join(', ')}.`, ...why];
}

function restOf({ not_reached, sent_before, copies, left, gone }: RedriveReport): readonly string[] {
  return [
    not_reached > 0 ? `${not_reached} not reached` : '',
    sent_before > 0 ? `${sent_before} left out since they were sent before (--again)` : '',
    copies > 0 ? `${copies} left out since another letter is about the same message` : '',
    gone > 0 ? `${gone} gone from the topic meanwhile` : '',
    left > 0 ? `${left} left for another run (--limit)` : '',
  ].filter((text) => text !== '');
}
