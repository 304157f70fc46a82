import { type ConversationKey } from '@latch/contracts';
import { type Sql } from './database.ts';
import { openStreams, type Streams } from './streams.ts';

/** One incoming message to be claimed for a consumer. */
export type MessageToClaim = {
  readonly eventId: string;
  /** Name of the handler; each handler claims a message once. */
  readonly consumer: string;
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  /** What makes two messages of one id the same: `bodyDigestOf` a turn, `digest` of a payload. */
  readonly bodyDigest: string;
  readonly receivedAt: string;
};

/** `fresh`: it is ours to handle. `repeat`: it was handled before, or comes twice in this batch; `bodyMatches` compares it with the first one. */
export type ClaimOutcome = { readonly kind: 'fresh' } | { readonly kind: 'repeat'; readonly bodyMatches: boolean };

/**
 * Claims messages in the inbox and says of each, in the order given, whether it is new. A claim that another instance is just making is waited for. A
 * conversation that is met for the first time gets its stream.
 *
 * @throws TerminalError when a conversation belongs to another tenant.
 */
export async function claim(
  sql: Sql,
  streams: Streams,
  messages: readonly MessageToClaim[],
): Promise<readonly ClaimOutcome[]> {
  if (messages.length === 0) return [];
  await openStreams(sql, streams, messages);
  const rows = messages.map((message) => inboxRowOf(streams, message));
  const first = new Map<string, InboxRow>();
  for (const row of rows) if (!first.has(row.name)) first.set(row.name, row);
  const fresh = await insertClaims(sql, [...first.values()]);
  const known = await readDigests(
    sql,
    [...first.values()].filter(({ name }) => !fresh.has(name)),
  );
  return rows.map((row) => {
    if (fresh.has(row.name) && first.get(row.name) === row) return { kind: 'fresh' };
    const digest = known.get(row.name) ?? first.get(row.name)?.bodyDigest;
    return { kind: 'repeat', bodyMatches: digest === row.bodyDigest };
  });
}

/**
 * Deletes the oldest claims of all tenants, in small steps that hold no lock for long; any number of replicas may do it at once.
 *
 * @returns how many were deleted.
 */
export async function forgetOldClaims(
  sql: Sql,
  { olderThanHours, limit }: { readonly olderThanHours: number; readonly limit: number },
): Promise<number> {
  const [row] = await sql<{ forgotten: number }>(`SELECT forget_old_claims($1, $2) AS forgotten`, [
    olderThanHours,
    limit,
  ]);
  return row?.forgotten ?? 0;
}

type InboxRow = MessageToClaim & { readonly streamId: string; readonly name: string };

function inboxRowOf(streams: Streams, message: MessageToClaim): InboxRow {
  const streamId = streams.get(message.conversationKey)?.streamId ?? '';
  return { ...message, streamId, name: nameOf(streamId, message.consumer, message.eventId) };
}

function nameOf(streamId: string, consumer: string, eventId: string): string {
  return JSON.stringify([streamId, consumer, eventId]);
}

type InboxKey = { stream_id: string; consumer: string; event_id: string };

/** Sorted by key, so that two batches with the same messages wait for each other in one order. @returns names of the rows inserted. */
async function insertClaims(sql: Sql, rows: readonly InboxRow[]): Promise<ReadonlySet<string>> {
  const inserted = await sql<InboxKey>(
    `INSERT INTO inbox (stream_id, consumer, event_id, tenant_id, body_digest, received_at)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) AS message
     ORDER BY 1, 2, 3
     ON CONFLICT DO NOTHING
     RETURNING stream_id, consumer, event_id`,
    [
      rows.map(({ streamId }) => streamId),
      rows.map(({ consumer }) => consumer),
      rows.map(({ eventId }) => eventId),
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ bodyDigest }) => bodyDigest),
      rows.map(({ receivedAt }) => receivedAt),
    ],
  );
  return new Set(inserted.map((row) => nameOf(row.stream_id, row.consumer, row.event_id)));
}

async function readDigests(sql: Sql, rows: readonly InboxRow[]): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const stored = await sql<InboxKey & { body_digest: string }>(
    `SELECT i.stream_id, i.consumer, i.event_id, i.body_digest
     FROM inbox i
     JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS repeat (stream_id, consumer, event_id)
       USING (stream_id, consumer, event_id)`,
    [rows.map(({ streamId }) => streamId), rows.map(({ consumer }) => consumer), rows.map(({ eventId }) => eventId)],
  );
  return new Map(stored.map((row) => [nameOf(row.stream_id, row.consumer, row.event_id), row.body_digest]));
}
