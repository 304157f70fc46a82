import { failure, type Result, success } from '@latch/contracts';
import { compactText, expandText } from './compact-text.ts';

/** What an event says beside what its columns hold: the payload as it is hashed, and the ids that nothing is looked up by. */
export type EventRecord = {
  readonly eventId: string;
  readonly causationId: string | null;
  readonly messageId: string | null;
  readonly traceId: string;
  /** Canonical JSON, its personal fields sealed. */
  readonly payloadText: string;
};

/** What the columns of the row say already; the record only names it. */
export type RecordContext = { readonly occurredAt: string; readonly transactionId: string | null };

/**
 * The record of an event as the database holds it: a format byte, then the compact text of its ids and its payload. It gives back exactly the text that the hash
 * covers, so the chain, seals and evidence know nothing of this form.
 */
export function packRecord(record: EventRecord, context: RecordContext): Buffer {
  const { eventId, causationId, messageId, traceId, payloadText } = record;
  const text = `${JSON.stringify([eventId, causationId, messageId, traceId])}\n${payloadText}`;
  return Buffer.concat([formatByte, compactText(text, { context: idsOf(context), withWords: true })]);
}

/** The record that the bytes hold. @returns why they do not: somebody has altered them. */
export function unpackRecord(bytes: Buffer, context: RecordContext): Result<EventRecord, 'altered'> {
  try {
    if (bytes[0] !== format) return failure('altered');
    const text = expandText(bytes.subarray(1), { context: idsOf(context) });
    const end = text.indexOf('\n');
    const ids: unknown = JSON.parse(text.slice(0, end));
    const [eventId, causationId, messageId, traceId] = Array.isArray(ids) ? ids.map(textOf) : [];
    if (end < 0 || typeof eventId !== 'string' || typeof traceId !== 'string') return failure('altered');
    const payloadText = text.slice(end + 1);
    return success({ eventId, causationId: causationId ?? null, messageId: messageId ?? null, traceId, payloadText });
  } catch {
    return failure('altered');
  }
}

const format = 1;
const formatByte = Buffer.from([format]);

function idsOf({ occurredAt, transactionId }: RecordContext): readonly string[] {
  return transactionId === null ? [occurredAt] : [occurredAt, transactionId];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Where the database holds what an event says: in its record, or, of an event that an older release wrote, in columns. */
export type RecordColumns = {
  record: Buffer | null;
  event_id: string | null;
  causation_id: string | null;
  message_id: string | null;
  transaction_id: string | null;
  trace_id: string | null;
  payload: string | null;
};

/** The record of a row, whichever release wrote it. */
export function recordOfRow(row: RecordColumns, occurredAt: string): Result<EventRecord, 'altered'> {
  if (row.record !== null) return unpackRecord(row.record, { occurredAt, transactionId: row.transaction_id });
  const { event_id: eventId, causation_id: causationId, message_id: messageId, trace_id: traceId, payload } = row;
  if (eventId === null || traceId === null || payload === null) return failure('altered');
  return success({ eventId, causationId, messageId, traceId, payloadText: payload });
}

/** What stands for a record that somebody has altered: no hash fits it. */
export const noRecord: EventRecord = { eventId: '', causationId: null, messageId: null, traceId: '', payloadText: '' };
