import { type ConversationKey, TerminalError } from '@latch/contracts';
import { v7 as newUuid } from 'uuid';
import { type Sql } from './database.ts';
import { type ChainedStream } from './hash-chain.ts';

/** The streams that a batch works on, by conversation key; each is looked up once. */
export type Streams = Map<ConversationKey, ChainedStream>;

/** A conversation that must have a stream. */
export type StreamToOpen = { readonly conversationKey: ConversationKey; readonly tenantId: string };

/** Adds the streams of these conversations to `streams`, as far as they exist. */
export async function findStreams(sql: Sql, streams: Streams, keys: readonly ConversationKey[]): Promise<void> {
  const unknown = keys.filter((key) => !streams.has(key));
  if (unknown.length === 0) return;
  const rows = await sql<{ stream_id: string; conversation_key: ConversationKey; tenant_id: string }>(
    `SELECT stream_id, conversation_key, tenant_id FROM streams WHERE conversation_key = ANY($1::text[])`,
    [unknown],
  );
  for (const row of rows) {
    streams.set(row.conversation_key, {
      streamId: row.stream_id,
      conversationKey: row.conversation_key,
      tenantId: row.tenant_id,
    });
  }
}

/**
 * Adds the streams of these conversations to `streams`; a new conversation gets one.
 *
 * @throws TerminalError when a conversation belongs to another tenant (invariant I12).
 */
export async function openStreams(sql: Sql, streams: Streams, wanted: readonly StreamToOpen[]): Promise<void> {
  const keys = [...new Set(wanted.map(({ conversationKey }) => conversationKey))].sort();
  await findStreams(sql, streams, keys);
  const missing = keys.filter((key) => !streams.has(key));
  if (missing.length > 0) {
    const tenants = new Map(wanted.map(({ conversationKey, tenantId }) => [conversationKey, tenantId]));
    await createStreams(sql, missing, tenants);
    await findStreams(sql, streams, missing);
  }
  for (const { conversationKey, tenantId } of wanted) assertTenant(streams, conversationKey, tenantId);
}

/** Somebody else may create the same streams at this moment: then this waits for him, and the second look finds his. */
async function createStreams(
  sql: Sql,
  keys: readonly ConversationKey[],
  tenants: ReadonlyMap<ConversationKey, string>,
): Promise<void> {
  await sql(
    `INSERT INTO streams (stream_id, conversation_key, tenant_id)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])
     ON CONFLICT (conversation_key) DO NOTHING`,
    [keys.map(() => newUuid()), keys, keys.map((key) => tenants.get(key))],
  );
}

function assertTenant(streams: Streams, key: ConversationKey, tenantId: string): void {
  if (streams.get(key)?.tenantId === tenantId) return;
  throw new TerminalError(`Conversation ${key} does not belong to tenant ${tenantId}`, { code: 'auth.forbidden' });
}
