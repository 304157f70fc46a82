import { type ConversationKey, type TurnId } from '@latch/contracts';
import { type Sql } from './database.ts';
import { genesisHash } from './hash-chain.ts';
import { unpackIds } from './row-ids.ts';
import { sealedOfBytes } from './sealed-column.ts';
import { type LoadedConversation, type StoredTurn } from './stored-conversation.ts';
import { findStreams, type Streams } from './streams.ts';

type ConversationRow = {
  stream_id: string;
  version: number;
  state: unknown;
  sealed_state: Buffer | null;
  config_digest: string | null;
  head_hash: string;
};

/**
 * Loads conversations and locks them until the end of the transaction, in the order of their stream ids, so that two batches never wait for each
 * other in a circle. A stream without events gives version 0 and its genesis hash; a key without a stream is absent from the answer.
 */
export async function load(
  sql: Sql,
  streams: Streams,
  keys: readonly ConversationKey[],
): Promise<Map<ConversationKey, LoadedConversation>> {
  if (keys.length === 0) return new Map();
  await findStreams(sql, streams, keys);
  const known = keys.flatMap((key) => streams.get(key) ?? []);
  const rows = await sql<ConversationRow>(
    `SELECT stream_id, version, state, sealed_state, config_digest, encode(head_hash, 'hex') AS head_hash
     FROM conversations WHERE stream_id = ANY($1::uuid[])
     ORDER BY stream_id FOR UPDATE`,
    [known.map(({ streamId }) => streamId)],
  );
  const stored = new Map(rows.map((row) => [row.stream_id, row]));
  return new Map(
    keys.flatMap((key) => {
      const stream = streams.get(key);
      return stream ? [[key, loadedOf(stored.get(stream.streamId)) ?? newConversation(stream)]] : [];
    }),
  );
}

function loadedOf(row: ConversationRow | undefined): LoadedConversation | undefined {
  return (
    row && {
      streamId: row.stream_id,
      version: row.version,
      state: row.sealed_state === null ? row.state : sealedOfBytes(row.sealed_state),
      configDigest: row.config_digest,
      headHash: row.head_hash,
    }
  );
}

function newConversation(stream: Parameters<typeof genesisHash>[0]): LoadedConversation {
  return { streamId: stream.streamId, version: 0, state: null, configDigest: null, headHash: genesisHash(stream) };
}

type TurnRecord = {
  turn_id: TurnId;
  conversation_key: ConversationKey;
  /** Null where `ids` holds them. */
  message_id: string | null;
  body_digest: string | null;
  ids: Buffer | null;
  status: 'in_flight' | 'done';
  response: string | null;
  sealed_response: Buffer | null;
};

/** Whose turns may be seen: of some streams (a batch), or of one tenant. */
export type TurnScope = { readonly streamIds: readonly string[] } | { readonly tenantId: string };

/** The turns of these ids, as far as they are known and in the scope: an id that somebody made up, or heard of, opens no other conversation (invariant I12). */
export async function loadTurns(
  sql: Sql,
  turnIds: readonly string[],
  scope: TurnScope,
): Promise<Map<TurnId, StoredTurn>> {
  if (turnIds.length === 0) return new Map();
  const rows =
    'tenantId' in scope
      ? await sql<TurnRecord>(`${turnsSql} AND t.tenant_id = $2`, [turnIds, scope.tenantId])
      : await sql<TurnRecord>(`${turnsSql} AND t.stream_id = ANY($2::uuid[])`, [turnIds, scope.streamIds]);
  return new Map(rows.map((row) => [row.turn_id, turnOf(row)]));
}

function turnOf(row: TurnRecord): StoredTurn {
  const [messageId, bodyDigest] = row.ids === null ? [row.message_id, row.body_digest] : unpackIds(row.ids);
  return {
    turnId: row.turn_id,
    conversationKey: row.conversation_key,
    messageId: messageId ?? '',
    bodyDigest: bodyDigest ?? '',
    status: row.status,
    response: row.sealed_response === null ? row.response : sealedOfBytes(row.sealed_response),
  };
}

const turnsSql = `
  SELECT t.turn_id, s.conversation_key, t.message_id, t.body_digest, t.ids, t.status, t.response, t.sealed_response
  FROM turns t JOIN streams s USING (stream_id)
  WHERE t.turn_id = ANY($1::text[])`;
