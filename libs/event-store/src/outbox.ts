import { type BusMessage, type ConversationKey, type Topic } from '@latch/contracts';
import { type ChainedAppend } from './chain-append.ts';
import { type Sql } from './database.ts';
import { type Streams } from './streams.ts';

/**
 * The outbox of one producer, for its relay. A row is a message that was committed and is not known to be published: its batch is just publishing it, or has
 * published it and not deleted it yet, or the bus was away, or a crash came in between.
 */
export type OutboxReader = {
  /** Messages older than `olderThanMs`, oldest first and so in order per conversation, at most `limit`. */
  readPending(request: { readonly olderThanMs: number; readonly limit: number }): Promise<BusMessage[]>;
  /** Deletes messages that have reached the bus. */
  markPublished(eventIds: readonly string[]): Promise<void>;
  /** How much stands there, young rows included, and the age of the oldest: the metrics `latch_outbox_pending` and `latch_outbox_oldest_age_seconds`. */
  measure(): Promise<{ readonly pending: number; readonly oldestAgeSeconds: number }>;
};

type OutboxRow = {
  event_id: string;
  topic: Topic;
  key: string;
  value: string;
  headers: Readonly<Record<string, string>>;
};

/** Puts the outgoing messages of a batch into the outbox, in their order. */
export async function insertOutgoing(
  sql: Sql,
  producer: string,
  conversations: readonly Pick<ChainedAppend, 'outgoing' | 'streamId' | 'tenantId'>[],
): Promise<void> {
  const rows = conversations.flatMap(({ outgoing, streamId, tenantId }) =>
    outgoing.map((message) => ({ message, streamId, tenantId })),
  );
  if (rows.length === 0) return;
  await sql(
    `INSERT INTO outbox (stream_id, producer, tenant_id, event_id, topic, key, value, headers)
     SELECT stream_id, $2, tenant_id, event_id, topic, key, value, headers::json
     FROM unnest($1::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       AS i (stream_id, tenant_id, event_id, topic, key, value, headers)`,
    [
      rows.map(({ streamId }) => streamId),
      producer,
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ message }) => message.eventId),
      rows.map(({ message }) => message.topic),
      rows.map(({ message }) => message.key),
      rows.map(({ message }) => message.value),
      rows.map(({ message }) => JSON.stringify(message.headers)),
    ],
  );
}

/** What a producer has in the outbox for these conversations, in order. */
export async function loadPendingOutgoing(
  { sql, producer }: { readonly sql: Sql; readonly producer: string },
  streams: Streams,
  keys: readonly ConversationKey[],
): Promise<readonly BusMessage[]> {
  const ids = keys.flatMap((key) => streams.get(key)?.streamId ?? []);
  if (ids.length === 0) return [];
  const rows = await sql<OutboxRow>(
    `SELECT event_id, topic, key, value, headers FROM outbox
     WHERE stream_id = ANY($1::uuid[]) AND producer = $2
     ORDER BY stream_id, position`,
    [ids, producer],
  );
  return rows.map(messageOf);
}

/**
 * Deletes messages that were published, as far as they were committed before this transaction began: an answer that is sent again under its old id keeps
 * its new row. A row that somebody else is just deleting is left to him.
 */
export async function deletePublished(sql: Sql, producer: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length > 0) await sql(`SELECT forget_outgoing($1, $2::text[])`, [producer, eventIds]);
}

/** The outbox of one producer, as its relay reads it. */
export function outboxReader(sql: Sql, producer: string): OutboxReader {
  return {
    async readPending({ olderThanMs, limit }) {
      const rows = await sql<OutboxRow>(
        `SELECT event_id, topic, key, value, headers FROM pending_outgoing($1, $2, $3)`,
        [producer, olderThanMs, limit],
      );
      return rows.map(messageOf);
    },
    markPublished: (eventIds) => deletePublished(sql, producer, eventIds),
    async measure() {
      const [row] = await sql<{ pending: number; oldest_age_seconds: number }>(
        `SELECT pending, oldest_age_seconds FROM measure_outbox($1)`,
        [producer],
      );
      return { pending: row?.pending ?? 0, oldestAgeSeconds: row?.oldest_age_seconds ?? 0 };
    },
  };
}

function messageOf(row: OutboxRow): BusMessage {
  return { eventId: row.event_id, topic: row.topic, key: row.key, value: row.value, headers: row.headers };
}
