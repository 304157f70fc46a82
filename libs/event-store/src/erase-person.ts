import { type ConversationKey } from '@latch/contracts';
import { bury, type ErasedConversation, erasureEvent } from './bury-erased.ts';
import { type Sql } from './database.ts';
import { load } from './load.ts';
import { type Maintenance } from './open-maintenance.ts';
import { PersonKeys, type Subject } from './person-keys.ts';
import { personOf } from './personal-vault.ts';
import { isSealed, keyIdOf } from './seal-value.ts';
import { type Streams } from './streams.ts';
import { openScope } from './tenant-scope.ts';

/** Who is to be erased: a user of a tenant, or the unnamed person of one conversation. */
export type PersonToErase = {
  readonly tenantId: string;
  readonly who: { readonly userId: string } | { readonly conversationKey: string };
  /** Erase although a call is under way or its outcome is unknown: then nobody is told any more how it ended. @default false */
  readonly evenIfUnderWay?: boolean;
  /** How long to wait for calls and messages that are under way, in milliseconds. @default 15_000 */
  readonly waitMs?: number;
};

/** Something of a person that has to end before the person can be erased. */
export type UnderWay = { readonly what: 'transaction' | 'message'; readonly id: string; readonly status: string };

/**
 * What an erasure did. `unknown`: the store knows no such person. `named`: there is such a conversation, and whoever spoke in it has a user id, by which the person has to be
 * named. `blocked`: something is under way. Of the last three nothing was erased.
 */
export type Erasure = {
  readonly outcome: 'erased' | 'already_erased' | 'unknown' | 'named' | 'blocked';
  /** Data keys that this call destroyed. */
  readonly keys: number;
  /** Conversations that the person took part in. */
  readonly conversations: number;
  /** Tombstones that this call appended. */
  readonly tombstones: number;
  readonly underWay: readonly UnderWay[];
};

/**
 * Erases a person: destroys all data keys, and appends a tombstone to each conversation. When it returns nothing can be read any more of what the person had said,
 * by any replica, and nothing is sealed with those keys; every chain still verifies. What the person says afterwards is sealed under a new key. It may be
 * called again at any time, and finishes what a crash left.
 *
 * A person whose call is under way is not erased: the call would act for somebody of whom nothing is known any more, and its outcome could not be told. Such a
 * call is waited for; a transaction that only waits for the user is ended.
 */
export async function erasePerson(maintenance: Maintenance, request: PersonToErase): Promise<Erasure> {
  const keys = maintenance.vault.keys;
  if (keys === null)
    throw new Error('Personal data is kept in the clear here: there is no key whose destruction would erase anybody');
  const until = Date.now() + (request.waitMs ?? 15_000);
  for (;;) {
    const destroyed = await destroyKeys(maintenance, keys, request);
    if (destroyed.underWay.length === 0) return finish(maintenance, destroyed, request);
    if (Date.now() >= until) {
      return { outcome: 'blocked', keys: 0, conversations: 0, tombstones: 0, underWay: destroyed.underWay };
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

type Destroyed = {
  readonly subject: Subject;
  readonly keys: number;
  readonly underWay: readonly UnderWay[];
};

/** Who seals for this person holds the lock until the commit; so after it nobody can have sealed what is not seen here, and nobody will with these keys. */
async function destroyKeys(maintenance: Maintenance, keys: PersonKeys, request: PersonToErase): Promise<Destroyed> {
  return maintenance.database.transaction(async (sql) => {
    await openScope(sql, { tenants: [request.tenantId] });
    const person = { tenantId: request.tenantId, person: nameIn(request) };
    const [subject] = await keys.subjectsOf(sql, [person]);
    if (subject === undefined) throw new TypeError('A person has no subject');
    await sql(`SELECT pg_advisory_xact_lock(person_lock(decode($1, 'hex')))`, [subject.subject]);
    const underWay = request.evenIfUnderWay === true ? [] : await underWayOf(sql, subject);
    if (underWay.length > 0) return { subject, keys: 0, underWay };
    const destroyed = await sql(
      `UPDATE person_keys SET wrapped_key = NULL, destroyed_at = clock_timestamp(), destroyed_by = 'erase'
       WHERE tenant_id = $1 AND subject = decode($2, 'hex') AND wrapped_key IS NOT NULL RETURNING key_id`,
      [subject.tenantId, subject.subject],
    );
    return { subject, keys: destroyed.length, underWay };
  });
}

function nameIn({ who }: PersonToErase): string {
  return 'userId' in who
    ? personOf({ person: who.userId, conversationKey: unnamed })
    : personOf({ person: null, conversationKey: who.conversationKey });
}

const unnamed = '';

/** A person without keys that are in use has nothing under way that could be told. */
async function underWayOf(sql: Sql, { tenantId, subject }: Subject): Promise<readonly UnderWay[]> {
  return sql<UnderWay>(
    `WITH mine AS (
       SELECT p.stream_id FROM person_streams p JOIN person_keys k USING (key_id)
       WHERE p.tenant_id = $1 AND p.subject = decode($2, 'hex') AND k.wrapped_key IS NOT NULL
     )
     SELECT 'transaction' AS what, t.transaction_id AS id, t.status FROM transactions t JOIN mine USING (stream_id)
     WHERE t.ended_at IS NULL AND t.status IN ('PRE_VALIDATION', 'EXECUTING', 'OUTCOME_UNKNOWN')
     UNION ALL
     SELECT 'message', o.event_id, o.topic FROM outbox o JOIN mine USING (stream_id)
     LIMIT 100`,
    [tenantId, subject],
  );
}

async function finish(maintenance: Maintenance, destroyed: Destroyed, request: PersonToErase): Promise<Erasure> {
  const conversations = await conversationsOf(maintenance, destroyed.subject);
  let tombstones = 0;
  for (let from = 0; from < conversations.length; from += pageSize) {
    tombstones += await buryPage(maintenance, destroyed.subject, conversations.slice(from, from + pageSize));
  }
  const known = outcomeOf(destroyed.keys + tombstones, conversations.length);
  const outcome = known === 'unknown' && (await isThere(maintenance, request)) ? 'named' : known;
  return { outcome, keys: destroyed.keys, conversations: conversations.length, tombstones, underWay: [] };
}

const pageSize = 50;

function outcomeOf(changes: number, conversations: number): Erasure['outcome'] {
  if (changes > 0) return 'erased';
  return conversations > 0 ? 'already_erased' : 'unknown';
}

/** Whether the conversation that is named exists. */
async function isThere({ database }: Maintenance, { tenantId, who }: PersonToErase): Promise<boolean> {
  if ('userId' in who) return false;
  const sql = database.within({ tenants: [tenantId] });
  const found = await sql(`SELECT FROM streams WHERE conversation_key = $1 AND tenant_id = $2`, [
    ...[who.conversationKey, tenantId],
  ]);
  return found.length > 0;
}

async function conversationsOf(
  { database }: Maintenance,
  { tenantId, subject }: Subject,
): Promise<readonly ConversationKey[]> {
  const sql = database.within({ tenants: [tenantId] });
  const rows = await sql<{ conversation_key: ConversationKey }>(
    `SELECT s.conversation_key FROM person_streams p JOIN streams s USING (stream_id)
     WHERE p.tenant_id = $1 AND p.subject = decode($2, 'hex') ORDER BY s.stream_id`,
    [tenantId, subject],
  );
  return rows.map((row) => row.conversation_key);
}

async function buryPage(
  { database, vault }: Maintenance,
  subject: Subject,
  conversationKeys: readonly ConversationKey[],
): Promise<number> {
  return database.transaction(async (sql, now) => {
    await openScope(sql, { tenants: [subject.tenantId] });
    const streams: Streams = new Map();
    const loaded = await load(sql, streams, conversationKeys);
    const keys = await vault.keysOf(
      [...loaded.values()].map(({ state }) => (isSealed(state) ? state : undefined)),
      (ids, of) => of.read(sql, ids),
    );
    const buried = await tombstonesOf(
      sql,
      subject,
      [...loaded.values()].map(({ streamId }) => streamId),
    );
    const toBury = [...loaded].flatMap(([conversationKey, conversation]): ErasedConversation[] => {
      const { state, streamId } = conversation;
      const sealedBy = isSealed(state) ? keys.get(keyIdOf(state) ?? 0) : undefined;
      const isGone = sealedBy?.key === null;
      // Somebody else spoke last in a conversation of two: what is remembered of it may hold what the erased person had said.
      const isShared = sealedBy !== undefined && sealedBy.subject !== subject.subject && !buried.has(streamId);
      if (!isGone && !isShared) return [];
      return [
        { conversationKey, tenantId: subject.tenantId, loaded: { ...conversation, state: null }, reason: 'erase' },
      ];
    });
    if (toBury.length > 0) await bury({ sql, producer: 'maintenance', now }, toBury);
    return toBury.length;
  });
}

/** Streams that have a tombstone for the last erasure of this person. */
async function tombstonesOf(
  sql: Sql,
  { tenantId, subject }: Subject,
  streamIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ stream_id: string }>(
    `SELECT DISTINCT e.stream_id FROM events e
     WHERE e.stream_id = ANY($1::uuid[]) AND e.type = $2 AND e.occurred_at >= (
       SELECT max(destroyed_at) FROM person_keys WHERE tenant_id = $3 AND subject = decode($4, 'hex'))`,
    [streamIds, erasureEvent, tenantId, subject],
  );
  return new Set(rows.map((row) => row.stream_id));
}
