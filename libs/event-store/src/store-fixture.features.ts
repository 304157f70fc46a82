import { type BusMessage, ConversationKey, type Topic } from '@latch/contracts';
import { createLogger, type Logger } from '@latch/observability';
import { freshDatabase, testKeyRing } from '@latch/testing';
import pg from 'pg';
import { v7 as newUuid } from 'uuid';
import { type MessageToClaim } from './claim.ts';
import { type ApprovedInvocation, type ConversationAppend, type EventToAppend } from './conversation-append.ts';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import { migrate } from './migrate.ts';
import { type StoreRole, storeRoles } from './migrations/tenant-table.ts';

/** A database of its own for one spec file, with the schema, and doors to it that are closed with it. */
export type StoreFixture = {
  readonly url: string;
  /** Opens a store, as one more instance of this service would: in its role. */
  open(producer?: string): Promise<EventStore>;
  /** Runs SQL as the database's owner, past the store. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
};

/** A logger that says nothing. */
export const silentLogger: Logger = createLogger({ service: 'spec', level: 'silent' });

/** Makes a database with the schema. */
export async function createStoreFixture(): Promise<StoreFixture> {
  const database = await freshDatabase();
  await migrate(database.url);
  const owner = new pg.Pool({ connectionString: database.url, max: 2 });
  const stores: EventStore[] = [];
  return {
    url: database.url,
    async open(producer = 'orchestrator') {
      const role = roleOf(producer);
      const personalData = testKeyRing;
      const options = { databaseUrl: database.url, producer, logger: silentLogger, role, personalData };
      const store = await openEventStore(options);
      stores.push(store);
      return store;
    },
    sql: async (text, values = []) => (await owner.query(text, [...values])).rows,
    async close() {
      await Promise.all([owner.end(), ...stores.map((store) => store.close())]);
      await database.drop();
    },
  };
}

function roleOf(producer: string): StoreRole {
  const role = `latch_${producer.replaceAll('-', '_')}`;
  return storeRoles.find((known) => known === role) ?? 'latch_orchestrator';
}

/** A new conversation key of a tenant. */
export function newKey(tenantId = 'default'): ConversationKey {
  return ConversationKey.parse(`${tenantId}:telecom_contas:${newUuid()}`);
}

/** A message of a conversation, to be claimed by the orchestrator. */
export function messageOf(key: ConversationKey, more: Partial<MessageToClaim> = {}): MessageToClaim {
  return {
    eventId: newUuid(),
    consumer: 'orchestrator.turns',
    conversationKey: key,
    tenantId: key.split(':')[0] ?? '',
    bodyDigest: 'digest-1',
    receivedAt: '2026-11-30T12:00:00.000Z',
    ...more,
  };
}

/** A fact with a payload that is easy to recognize. */
export function event(payload: unknown = { text: 'quero cancelar' }, more: Partial<EventToAppend> = {}): EventToAppend {
  return {
    eventId: newUuid(),
    type: 'TurnReceived',
    payload,
    occurredAt: '2026-11-30T12:00:00.123Z',
    causationId: null,
    messageId: 'msg-1',
    transactionId: null,
    traceId: 'trace-1',
    ...more,
  };
}

/** An outgoing message of a conversation. */
export function outgoing(key: ConversationKey, text: string, topic: Topic = 'latch.responses.v1'): BusMessage {
  const eventId = newUuid();
  return { topic, key, eventId, value: JSON.stringify({ text }), headers: { ce_id: eventId } };
}

/** What a batch decided for a conversation: one event, and whatever the spec is about. */
export function appendOf(key: ConversationKey, more: Partial<ConversationAppend> = {}): ConversationAppend {
  return {
    conversationKey: key,
    tenantId: key.split(':')[0] ?? '',
    agentId: 'telecom_contas',
    sessionId: 'session-1',
    expectedVersion: 0,
    configDigest: 'config-1',
    state: { status: 'IDLE' },
    events: [event()],
    turns: [],
    transactions: [],
    invocations: [],
    deadline: null,
    outgoing: [],
    ...more,
  };
}

/** One whole batch for one conversation: claim, load, append at the version that was found. */
export async function appendBatch(
  store: EventStore,
  key: ConversationKey,
  more: Partial<ConversationAppend> = {},
): Promise<void> {
  await store.inTransaction(async (tx) => {
    await tx.claim([messageOf(key)]);
    const loaded = await tx.load([key]);
    await tx.append([appendOf(key, { expectedVersion: loaded.get(key)?.version ?? 0, ...more })]);
  });
}

/** A call that the engine approved. */
export function approved(key: ConversationKey, more: Partial<ApprovedInvocation> = {}): ApprovedInvocation {
  const invocationId = newUuid();
  return {
    invocationId,
    tenantId: key.split(':')[0] ?? '',
    agentId: 'telecom_contas',
    conversationKey: key,
    transactionId: `transaction-${invocationId}`,
    rev: 1,
    tool: 'cancelar_vas_avulso',
    purpose: 'execution',
    operationType: 'transactional',
    proposalId: 'proposal-1',
    idempotencyKey: `key-${invocationId}`,
    expiresAt: '2026-11-30T12:10:00.000Z',
    digest: 'digest-of-call',
    invocation: {
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      tool_name: 'cancelar_vas_avulso',
      arguments: { vas: ['TIM Fashion', 'Aya Audiobooks'] },
    },
    ...more,
  };
}
