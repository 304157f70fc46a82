import { type ConversationKey, TerminalError } from '@latch/contracts';
import { insertInvocations } from './approved-invocations.ts';
import { type ChainedAppend, chainAppend } from './chain-append.ts';
import { type ConversationAppend } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { packRecord } from './event-record.ts';
import { insertOutgoing } from './outbox.ts';
import { packIds } from './row-ids.ts';
import { saveTransactions } from './save-transactions.ts';
import { isSealed } from './seal-value.ts';
import { storedValue } from './sealed-column.ts';
import { nothingSaved, versionConflict } from './store-errors.ts';
import { type LoadedConversation } from './stored-conversation.ts';

/**
 * Appends what a batch decided: events at the expected version, snapshots, turns, projections, approved calls and outgoing messages. The
 * statements, one per table, are sent together and so take one round trip.
 *
 * @returns the conversations as they are now, for a second append in the same transaction.
 * @throws RetryableError when a conversation is no longer at its expected version; TerminalError when a turn belongs to another conversation.
 */
export async function append(
  { sql, producer }: { readonly sql: Sql; readonly producer: string },
  loaded: ReadonlyMap<ConversationKey, LoadedConversation>,
  conversations: readonly ConversationAppend[],
): Promise<ReadonlyMap<ConversationKey, LoadedConversation>> {
  if (conversations.length === 0) return new Map();
  const chained = conversations.map((conversation) =>
    chainAppend(loaded.get(conversation.conversationKey), conversation),
  );
  await Promise.all([
    saveConversations(sql, chained),
    insertEvents(sql, chained),
    saveTurns(sql, chained),
    saveTransactions(sql, chained),
    insertInvocations(sql, chained),
    insertOutgoing(sql, producer, chained),
  ]);
  return new Map(chained.map((conversation) => [conversation.conversationKey, loadedFrom(conversation)]));
}

function loadedFrom({ streamId, head, state, configDigest }: ChainedAppend): LoadedConversation {
  return { streamId, version: head.version, headHash: head.hash, state, configDigest };
}

/** The single writer's check (invariant I7): each conversation must still be at the version that the decision was based on. */
async function saveConversations(sql: Sql, conversations: readonly ChainedAppend[]): Promise<void> {
  const states = conversations.map(({ state }) => storedValue(isSealed(state) ? state : JSON.stringify(state ?? null)));
  const saved = await sql<{ stream_id: string }>(saveConversationsSql, [
    conversations.map(({ streamId }) => streamId),
    conversations.map(({ tenantId }) => tenantId),
    conversations.map(({ agentId }) => agentId),
    conversations.map(({ sessionId }) => sessionId),
    conversations.map(({ expectedVersion }) => expectedVersion),
    conversations.map(({ head }) => head.version),
    conversations.map(({ head }) => head.hash),
    states.map(({ clear }) => clear),
    states.map(({ sealed }) => sealed),
    conversations.map(({ configDigest }) => configDigest),
    conversations.map(({ deadline }) => deadline?.at ?? null),
    conversations.map(({ deadline }) => deadline?.transactionId ?? null),
    conversations.map(({ deadline }) => deadline?.rev ?? null),
  ]);
  if (saved.length === conversations.length) return;
  const ids = new Set(saved.map((row) => row.stream_id));
  const lost = conversations.filter(({ streamId }) => !ids.has(streamId));
  throw versionConflict(lost.map(({ conversationKey }) => conversationKey).join(', '));
}

const saveConversationsSql = `
  WITH input AS (
    SELECT * FROM unnest(
      $1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[], $9::bytea[], $10::text[],
      $11::timestamptz[], $12::text[], $13::int[]
    ) AS i (stream_id, tenant_id, agent_id, session_id, expected_version, version, head_hash, state, sealed_state, config_digest,
      deadline_at, deadline_transaction_id, deadline_rev)
  ), updated AS (
    UPDATE conversations c SET
      version = i.version, head_hash = decode(i.head_hash, 'hex'), state = i.state::json,
      sealed_state = i.sealed_state, config_digest = i.config_digest,
      deadline_at = i.deadline_at, deadline_transaction_id = i.deadline_transaction_id, deadline_rev = i.deadline_rev,
      updated_at = clock_timestamp()
    FROM input i
    WHERE c.stream_id = i.stream_id AND c.version = i.expected_version
    RETURNING c.stream_id
  ), inserted AS (
    INSERT INTO conversations (stream_id, tenant_id, agent_id, session_id, version, head_hash, state, sealed_state, config_digest,
      deadline_at, deadline_transaction_id, deadline_rev)
    SELECT stream_id, tenant_id, agent_id, session_id, version, decode(head_hash, 'hex'), state::json, sealed_state, config_digest,
      deadline_at, deadline_transaction_id, deadline_rev
    FROM input WHERE expected_version = 0
    ORDER BY stream_id
    ON CONFLICT (stream_id) DO NOTHING
    RETURNING stream_id
  )
  SELECT stream_id FROM updated UNION ALL SELECT stream_id FROM inserted`;

async function insertEvents(sql: Sql, conversations: readonly ChainedAppend[]): Promise<void> {
  const rows = conversations.flatMap(({ events, streamId, tenantId }) =>
    events.map((event) => ({ ...event, streamId, tenantId })),
  );
  if (rows.length === 0) return;
  await sql(
    `INSERT INTO events (stream_id, stream_version, tenant_id, type, occurred_at, transaction_id, hash, record)
     SELECT stream_id, stream_version, tenant_id, type, occurred_at, transaction_id, decode(hash, 'hex'), record
     FROM unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::bytea[])
       AS i (stream_id, stream_version, tenant_id, type, occurred_at, transaction_id, hash, record)`,
    [
      rows.map(({ streamId }) => streamId),
      rows.map(({ version }) => version),
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ type }) => type),
      rows.map(({ occurredAt }) => occurredAt),
      rows.map(({ transactionId }) => transactionId),
      rows.map(({ hash }) => hash),
      rows.map((row) => packRecord(row, row)),
    ],
  );
}

/**
 * An answer, once stored, stays: a repeat gets the same bytes (invariant I2).
 *
 * @throws TerminalError when a turn id belongs to another conversation: a record with a made-up id, never an answer in the wrong place (invariant I12).
 */
async function saveTurns(sql: Sql, conversations: readonly ChainedAppend[]): Promise<void> {
  const rows = new Map(
    conversations.flatMap(({ turns, streamId, tenantId }) =>
      turns.map((turn) => [JSON.stringify([streamId, turn.turnId]), { ...turn, streamId, tenantId }]),
    ),
  );
  if (rows.size === 0) return;
  const turns = [...rows.values()];
  assertOneConversationEach(turns);
  const responses = turns.map(({ response }) => storedValue(response));
  const saved = await sql<{ turn_id: string }>(saveTurnsSql, [
    turns.map(({ turnId }) => turnId),
    turns.map(({ streamId }) => streamId),
    turns.map(({ tenantId }) => tenantId),
    turns.map(({ messageId, bodyDigest }) => packIds([messageId, bodyDigest])),
    turns.map(({ status }) => status),
    responses.map(({ clear }) => clear),
    responses.map(({ sealed }) => sealed),
  ]).catch(nothingSaved);
  const ids = new Set(saved.map((row) => row.turn_id));
  throwForeign(turns.filter(({ turnId }) => !ids.has(turnId)));
}

const saveTurnsSql = `
  INSERT INTO turns (turn_id, stream_id, tenant_id, ids, status, response, sealed_response)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::bytea[])
  ON CONFLICT (turn_id) DO UPDATE SET
    status = CASE turns.status WHEN 'in_flight' THEN excluded.status ELSE turns.status END,
    response = CASE turns.status WHEN 'in_flight' THEN excluded.response ELSE turns.response END,
    sealed_response = CASE turns.status WHEN 'in_flight' THEN excluded.sealed_response ELSE turns.sealed_response END
  WHERE turns.stream_id = excluded.stream_id
  RETURNING turn_id`;

type TurnOfStream = { readonly turnId: string; readonly streamId: string };

function assertOneConversationEach(turns: readonly TurnOfStream[]): void {
  const streams = new Map<string, string>();
  for (const { turnId, streamId } of turns) if (!streams.has(turnId)) streams.set(turnId, streamId);
  throwForeign(turns.filter(({ turnId, streamId }) => streams.get(turnId) !== streamId));
}

function throwForeign(turns: readonly TurnOfStream[]): void {
  if (turns.length === 0) return;
  const ids = turns.map(({ turnId }) => turnId).join(', ');
  throw new TerminalError(`Turns of another conversation are not stored again: ${ids}`, { code: 'message.invalid' });
}
