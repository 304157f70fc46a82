import { createHash } from 'node:crypto';
import { type ConversationKey } from '@latch/contracts';
import { type Sql } from './database.ts';
import { storableText } from './storable-text.ts';
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
  const known = await readBodies(
    sql,
    [...first.values()].filter(({ name }) => !fresh.has(name)),
  );
  return rows.map((row) => {
    if (fresh.has(row.name) && first.get(row.name) === row) return { kind: 'fresh' };
    const body = known.get(row.name) ?? first.get(row.name)?.body;
    return { kind: 'repeat', bodyMatches: body === row.body };
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

/** A claim as the inbox holds it: who claims which message is a digest of 16 bytes, and so is what the message said. */
type InboxRow = MessageToClaim & {
  readonly streamId: string;
  readonly claim: Buffer;
  readonly body: string;
  readonly name: string;
};

function inboxRowOf(streams: Streams, message: MessageToClaim): InboxRow {
  const streamId = streams.get(message.conversationKey)?.streamId ?? '';
  const claimed = shortDigest(`${message.consumer}\n${message.eventId}`);
  const body = shortDigest(message.bodyDigest).toString('hex');
  return { ...message, streamId, claim: claimed, body, name: nameOf(streamId, claimed.toString('hex')) };
}

/** The migration computes the same over the claims of older releases. */
function shortDigest(text: string): Buffer {
  return createHash('sha256').update(storableText(text)).digest().subarray(0, 16);
}

function nameOf(streamId: string, claimed: string): string {
  return `${streamId}/${claimed}`;
}

type InboxKey = { stream_id: string; claim: string };

/** Sorted by key, so that two batches with the same messages wait for each other in one order. @returns names of the rows inserted. */
async function insertClaims(sql: Sql, rows: readonly InboxRow[]): Promise<ReadonlySet<string>> {
  const inserted = await sql<InboxKey>(
    `INSERT INTO inbox (stream_id, claim, body, tenant_id, received_at)
     SELECT stream_id, claim, decode(body, 'hex'), tenant_id, received_at
     FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::timestamptz[])
       AS message (stream_id, claim, body, tenant_id, received_at)
     ORDER BY stream_id, claim
     ON CONFLICT DO NOTHING
     RETURNING stream_id, encode(claim, 'hex') AS claim`,
    [
      rows.map(({ streamId }) => streamId),
      rows.map((row) => row.claim),
      rows.map(({ body }) => body),
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ receivedAt }) => receivedAt),
    ],
  );
  return new Set(inserted.map((row) => nameOf(row.stream_id, row.claim)));
}

async function readBodies(sql: Sql, rows: readonly InboxRow[]): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const stored = await sql<InboxKey & { body: string }>(
    `SELECT stream_id, encode(claim, 'hex') AS claim, encode(body, 'hex') AS body
     FROM inbox JOIN unnest($1::uuid[], $2::bytea[]) AS repeat (stream_id, claim) USING (stream_id, claim)`,
    [rows.map(({ streamId }) => streamId), rows.map((row) => row.claim)],
  );
  return new Map(stored.map((row) => [nameOf(row.stream_id, row.claim), row.body]));
}
