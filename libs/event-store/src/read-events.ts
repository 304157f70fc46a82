import { type ConversationKey, failure, type Result, success } from '@latch/contracts';
import { type Sql } from './database.ts';
import { noRecord, type RecordColumns, recordOfRow } from './event-record.ts';
import { type StoredEvent } from './stored-conversation.ts';

/** An event as a statement over `events e JOIN streams s` gives it. */
export type EventRow = RecordColumns & {
  stream_id: string;
  conversation_key: ConversationKey;
  tenant_id: string;
  stream_version: number;
  type: string;
  occurred_at: Date;
  hash: string;
  written_by: string;
  position: string;
};

/** The columns of an EventRow. */
export const eventColumns = `e.stream_id, s.conversation_key, e.tenant_id, e.stream_version, e.event_id, e.type, e.payload::text AS payload, e.occurred_at,
  e.causation_id, e.message_id, e.transaction_id, e.trace_id, e.record, encode(e.hash, 'hex') AS hash, e.written_by::text AS written_by, e.position`;

/** Which events of which conversation. */
export type EventRange = {
  readonly tenantId: string;
  readonly key: string;
  /** Version after which to begin; 0: from the first. */
  readonly after: number;
  readonly limit: number;
  /** Only events of this transaction. */
  readonly transactionId?: string;
  /** Only events of these types. */
  readonly types?: readonly string[];
};

/** The events of a conversation of a tenant, in order. */
export async function readEvents(
  sql: Sql,
  { tenantId, key, after, limit, transactionId, types }: EventRange,
): Promise<readonly StoredEvent[]> {
  const rows = await sql<EventRow>(
    `SELECT ${eventColumns} FROM streams s JOIN events e USING (stream_id)
     WHERE s.conversation_key = $1 AND s.tenant_id = $2 AND e.stream_version > $3
       AND ($5::text IS NULL OR e.transaction_id = $5) AND ($6::text[] IS NULL OR e.type = ANY($6))
     ORDER BY e.stream_version LIMIT $4`,
    [key, tenantId, after, limit, transactionId ?? null, types ?? null],
  );
  return rows.map(eventOf);
}

/** A place in the global order of events; opaque but for its use as the next `after`. */
export type GlobalPosition = { readonly writtenBy: string; readonly position: string };

/**
 * The events of all conversations in one order that never changes, from `after` on. What is not yet certain to be complete is held back: an event
 * shows up only when every transaction that began before its own has ended, so that a follower never misses a late commit.
 */
export async function followEvents(
  sql: Sql,
  { after, limit }: { readonly after: GlobalPosition | null; readonly limit: number },
): Promise<readonly (StoredEvent & { readonly at: GlobalPosition })[]> {
  const rows = await sql<EventRow>(
    `SELECT ${eventColumns} FROM events e JOIN streams s USING (stream_id)
     WHERE (e.written_by, e.position) > ($1::text::xid8, $2::bigint)
       AND e.written_by < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY e.written_by, e.position LIMIT $3`,
    [after?.writtenBy ?? '0', after?.position ?? '0', limit],
  );
  return rows.map((row) => ({ ...eventOf(row), at: { writtenBy: row.written_by, position: row.position } }));
}

/** The event that a row holds. One whose record was altered has none; the chain says so too. */
export function eventOf(row: EventRow): StoredEvent {
  const occurredAt = row.occurred_at.toISOString();
  const unpacked = recordOfRow(row, occurredAt);
  const record = unpacked.ok ? unpacked.value : noRecord;
  const payload = unpacked.ok ? payloadOf(record.payloadText) : unpacked;
  const event = {
    streamId: row.stream_id,
    conversationKey: row.conversation_key,
    tenantId: row.tenant_id,
    version: row.stream_version,
    type: row.type,
    occurredAt,
    transactionId: row.transaction_id,
    hash: row.hash,
    eventId: record.eventId,
    causationId: record.causationId,
    messageId: record.messageId,
    traceId: record.traceId,
    payloadText: record.payloadText,
    payload: payload.ok ? payload.value : null,
  };
  return payload.ok ? event : { ...event, isAltered: true };
}

function payloadOf(text: string): Result<unknown, 'altered'> {
  try {
    return success(JSON.parse(text));
  } catch {
    return failure('altered');
  }
}
