import { type Chosen } from './choose-letters.ts';
import { type Letter } from './letter.ts';
import { type Verdict } from './plan-redrive.ts';
import { type SendingEnd } from './redrive-letters.ts';

/** A letter, and what is to become of it. */
export type Planned = { readonly letter: Letter; readonly verdict: Verdict };

/** What a redrive did, for machines. */
export type RedriveReport = {
  readonly word: 'redrive';
  /** `dry_run`: nothing was sent, and this is what would be. */
  readonly outcome: 'done' | 'stopped' | 'dry_run';
  readonly sent: number;
  readonly refused: number;
  /** Not reached, since it was stopped. */
  readonly not_reached: number;
  readonly sent_before: number;
  readonly copies: number;
  readonly left: number;
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
  readonly end: SendingEnd;
  readonly isDry: boolean;
};

/** Puts together what became of each letter. */
export function redriveReport({ chosen, planned, end, isDry }: Done): RedriveReport {
  const letters = planned.map((one) => ({ ...placeIn(one.letter), ...fateOf(one, end, isDry) }));
  const count = (fate: string): number => letters.filter((letter) => letter.fate === fate).length;
  const stopped = end.brokenOff === null ? 'done' : 'stopped';
  return {
    word: 'redrive',
    outcome: isDry ? 'dry_run' : stopped,
    sent: count('sent'),
    refused: count('refused'),
    not_reached: count('not_reached'),
    sent_before: chosen.sentBefore,
    copies: chosen.copies,
    left: chosen.left,
    strange: chosen.strange,
    letters,
  };
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
  { sent, tooLarge }: SendingEnd,
  isDry: boolean,
): Pick<RedriveReport['letters'][number], 'fate' | 'refusal'> {
  if (!verdict.may) return { fate: 'refused', refusal: verdict.refusal };
  if (tooLarge.includes(letter))
    return { fate: 'refused', refusal: { word: 'too_large', why: 'Kafka refuses its size' } };
  if (isDry) return { fate: 'would_be_sent' };
  return { fate: sent.includes(letter) ? 'sent' : 'not_reached' };
}

/** The same for people. */
export function reportLines(report: RedriveReport): readonly string[] {
  const letters = report.letters.map(({ id, topic, code, fate, refusal }) => {
    const told = refusal === undefined ? '' : ` (${refusal.word}): ${refusal.why}`;
    return `${id}  ${topic}  ${code}  ${fate.replaceAll('_', ' ')}${told}`;
  });
  const would = report.letters.filter(({ fate }) => fate === 'would_be_sent').length;
  const sum = report.outcome === 'dry_run' ? `Nothing was sent; ${would} would be` : `${report.sent} sent again`;
  return [...letters, `${[`${sum}, ${report.refused} refused`, ...restOf(report)].join(', ')}.`];
}

function restOf({ not_reached, sent_before, copies, left }: RedriveReport): readonly string[] {
  return [
    not_reached > 0 ? `${not_reached} not reached` : '',
    sent_before > 0 ? `${sent_before} left out since they were sent before (--again)` : '',
    copies > 0 ? `${copies} left out since another letter is about the same message` : '',
    left > 0 ? `${left} left for another run (--limit)` : '',
  ].filter((text) => text !== '');
}
