import { errorCatalogue } from '@latch/contracts';
import { showLetter, type ShownLetter } from '@latch/messaging';
import { tableLines } from '../terminal.ts';
import { type Letter, type LetterWithFate } from './letter.ts';
import { type Verdict } from './plan-redrive.ts';

/** A letter for machines: as the console shows it, masked, with its id and what became of its message. */
export type ReportedLetter = ShownLetter & {
  readonly id: string;
  /** Whether its bytes are here: false where they are sealed under a key that is not. */
  readonly is_open: boolean;
  /** Whether the message had been sent again before, and died again. */
  readonly died_again: boolean;
  readonly sent_again: {
    readonly times: number;
    readonly last_at: string | null;
    readonly by: string | null;
    readonly unclear_since: string | null;
  };
};

/** Shows a letter for machines. */
export function reportLetter({ letter, sentAgain }: LetterWithFate): ReportedLetter {
  const { id, content, envelope } = letter;
  const { times, lastAt, by, unclearSince } = sentAgain;
  return {
    id,
    ...showLetter(content, envelope),
    is_open: content.value_sealed === undefined,
    died_again: content.source.headers?.['latch-redrive'] !== undefined,
    sent_again: { times, last_at: lastAt, by, unclear_since: unclearSince },
  };
}

/** Letters as a table. */
export function letterTable(letters: readonly ReportedLetter[]): readonly string[] {
  const rows = letters.map((letter) => [
    letter.id,
    letter.failed_at.slice(0, 19),
    `${letter.topic}/${letter.partition} at ${letter.offset}`,
    letter.reason.code,
    letter.consumer,
    letter.tenant_id,
    fateOf(letter),
  ]);
  return tableLines([['letter', 'given up', 'message', 'reason', 'by', 'tenant', 'sent again'], ...rows]);
}

function fateOf({ sent_again: { times, last_at, by, unclear_since }, died_again }: ReportedLetter): string {
  if (unclear_since !== null) return `unclear since ${unclear_since.slice(0, 19)}`;
  if (times > 0) return `${last_at?.slice(0, 19) ?? ''} by ${by ?? ''}${times > 1 ? `, ${times} times` : ''}`;
  return died_again ? 'died again' : '';
}

/** One letter, with why it died and what can be done. */
export function letterPage(
  letter: ReportedLetter,
  { may, doubt }: { readonly may: string; readonly doubt: string | null },
): readonly string[] {
  const { reason } = letter;
  return [
    `letter ${letter.id}, event ${letter.event_id}`,
    `message:    ${letter.topic}, partition ${letter.partition}, offset ${letter.offset}, ${letter.bytes} bytes`,
    `key:        ${letter.key ?? '(none)'}`,
    `tenant:     ${letter.tenant_id}`,
    `given up:   ${letter.failed_at} by ${letter.consumer}, after ${letter.attempts} attempts`,
    `reason:     ${reason.code}: ${reason.message}`,
    ...(isCatalogued(reason.code) ? [`            ${errorCatalogue[reason.code]}`] : []),
    `headers:    ${JSON.stringify(letter.headers ?? {})}`,
    `sent again: ${sendingsOf(letter)}`,
    ...(letter.died_again ? ['            it had been sent again before, and died again'] : []),
    `now:        ${may}`,
    ...(doubt === null ? [] : [`            ${doubt}`]),
    '',
    ...(letter.is_open ? indented(letter.text ?? '(no text)') : ['(sealed: set LATCH_DATA_KEY)']),
  ];
}

/** What the message says: none of its lines begins where ours do. */
function indented(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function sendingsOf({ sent_again: { times, last_at, by, unclear_since } }: ReportedLetter): string {
  const sent = times === 0 ? [] : [`${times} times, last at ${last_at ?? ''} by ${by ?? ''}`];
  const unclear = unclear_since === null ? [] : [`unclear: a sending began at ${unclear_since} and broke off`];
  return [...sent, ...unclear].join('; ') || 'never';
}

/** What can be done with a letter, in a sentence. */
export function verdictLine({ id }: Letter, verdict: Verdict): string {
  return verdict.may
    ? `it may be sent again: latch dead-letters redrive ${id}`
    : `it stays here (${verdict.refusal.word}): ${verdict.refusal.why}`;
}

function isCatalogued(code: string): code is keyof typeof errorCatalogue {
  return Object.hasOwn(errorCatalogue, code);
}
