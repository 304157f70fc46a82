import { type DeadLetter } from '@latch/contracts';
import { mask, maskFields } from '@latch/observability';
import { type ReceivedEnvelope } from './parse-record.ts';

/** A dead letter as people see it: the text of the message masked and cut, never its bytes. */
export type ShownLetter = {
  readonly event_id: string;
  readonly tenant_id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly headers: unknown;
  readonly reason: { readonly code: string; readonly message: string };
  readonly consumer: string;
  readonly attempts: number;
  readonly failed_at: string;
  /** Size of the original message. */
  readonly bytes: number;
  /** The beginning of the message, masked; null where its bytes are no text. */
  readonly text: string | null;
};

/** Characters of a message that are shown. */
const shownCharacters = 4_096;

/** Shows a letter that was opened (`openLetter`): what nobody may read on a screen is masked, in its text, key, headers and reason. */
export function showLetter(
  letter: DeadLetter,
  envelope: Pick<ReceivedEnvelope, 'event_id' | 'tenant_id'>,
): ShownLetter {
  const { source, reason, consumer, attempts, failed_at } = letter;
  const value = Buffer.from(letter.value_base64, 'base64');
  return {
    event_id: envelope.event_id,
    tenant_id: envelope.tenant_id,
    topic: source.topic,
    partition: source.partition,
    offset: source.offset,
    key: typeof source.key === 'string' ? mask(source.key) : null,
    headers: maskFields(source.headers),
    reason: { code: reason.code, message: mask(reason.message) },
    consumer,
    attempts,
    failed_at,
    bytes: letter.truncated_from_bytes ?? value.length,
    text: textOf(value),
  };
}

/** Masked before it is cut: a number that the cut halves would not be known for what it is. */
function textOf(value: Buffer): string | null {
  const beginning = value.subarray(0, shownCharacters * 4);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true });
    return mask(text).slice(0, shownCharacters);
  } catch {
    return null;
  }
}
