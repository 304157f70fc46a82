import {
  ConversationKey,
  type BusMessage,
  deterministicId,
  type EventType,
  type Topic,
  topics,
  TurnId,
} from '@latch/contracts';
import { type StoredConversation, type StoredEvent, type StoredTransaction, type StoredTurn } from '@latch/event-store';
import { makeEnvelope, MemoryBus, toBusMessage, toDeadLetter } from '@latch/messaging';
import { createLogger, type RunningService } from '@latch/observability';
import { type Authenticate } from '@latch/http';
import { type StoreReads } from '@latch/read-api';
import { initialState } from '@latch/transaction';
import { consoleSettings, type ConsoleSettings } from './config.ts';
import { startConsole } from './start.ts';

/** A console on a free port over a bus in memory and a scripted store. What the specs of this room share. */
export type TestConsole = {
  readonly url: string;
  readonly service: RunningService;
  readonly logLines: readonly string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  publish(...messages: readonly BusMessage[]): Promise<void>;
  close(): Promise<void>;
};

export type TestOptions = {
  readonly settings?: Partial<ConsoleSettings>;
  readonly store?: Partial<StoreReads>;
  /** Opens a real store instead. */
  readonly openStore?: () => Promise<StoreReads>;
  readonly authenticate?: Authenticate;
  /** What is on the bus before the console begins. */
  readonly before?: readonly BusMessage[];
};

export async function openTestConsole(options: TestOptions = {}): Promise<TestConsole> {
  const logLines: string[] = [];
  const logger = createLogger({ service: 'console', destination: { write: (line) => logLines.push(line) } });
  const bus = new MemoryBus({ partitions: 2, logger });
  await bus.publish(options.before ?? []);
  const settings = consoleSettings.parse({
    LATCH_BUS: 'memory',
    LATCH_HTTP_PORT: 0,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  const service = await startConsole(
    { ...settings, ...options.settings },
    {
      ...{ bus, logger, openStore: options.openStore ?? (() => Promise.resolve(testStore(options.store))) },
      ...(options.authenticate && { authenticate: options.authenticate }),
    },
  );
  return {
    url: service.url,
    service,
    logLines,
    get: (path, headers = {}) => fetch(service.url + path, { headers }),
    publish: (...messages) => bus.publish(messages),
    close: async () => {
      await service.stop();
      await bus.close();
    },
  };
}

function testStore(over: Partial<StoreReads> = {}): StoreReads {
  return {
    readConversation: () => Promise.resolve(undefined),
    readEvents: () => Promise.resolve([]),
    countEvents: () => Promise.resolve(undefined),
    readTurn: () => Promise.resolve(undefined),
    readTurns: () => Promise.resolve(new Map()),
    readConfigVersion: () => Promise.resolve(undefined),
    listTransactions: () => Promise.resolve([]),
    countTransactions: () => Promise.resolve([]),
    readTransaction: () => Promise.resolve(undefined),
    verifyStream: () => Promise.resolve(undefined),
    now: () => Promise.resolve('2026-11-30T12:00:00.000Z'),
    streams: { one: () => Promise.resolve(undefined) },
    evidence: {
      receipts: () => Promise.resolve([]),
      openings: () => Promise.resolve(new Map()),
      sealOf: () => Promise.resolve(undefined),
    },
    isHealthy: () => true,
    close: () => Promise.resolve(),
    ...over,
  };
}

/** A signal of a tenant, as the bus brings it. `name` gives its id. */
export function signal(
  name: string,
  of: {
    readonly type?: EventType;
    readonly tenantId?: string;
    readonly payload?: Record<string, unknown>;
    readonly transactionId?: string;
  } = {},
): BusMessage {
  const { type = 'IC.TRANSACTION_STARTED', tenantId = 'acme', payload = {}, transactionId } = of;
  return toBusMessage(
    topics.signals,
    makeEnvelope({
      eventType: type,
      payload,
      contractVersion: 'event-envelope-v1',
      tenantId,
      agentId: 'retail_orders',
      sessionId: 's-1',
      conversationKey: `${tenantId}:retail_orders:s-1`,
      transactionId,
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      eventId: idOf(name),
      producer: 'orchestrator',
      timestamp: '2026-11-30T12:00:00.000Z',
    }),
  );
}

/** The event id of a named signal. */
export function idOf(name: string): string {
  return deterministicId('spec', name);
}

/** A raise or a clear of an alarm. */
export function alarmSignal(
  id: string,
  of: { readonly isCleared?: boolean; readonly tenantId?: string; readonly problem?: string } = {},
): BusMessage {
  const {
    isCleared = false,
    tenantId = 'platform',
    problem = 'the MCP server retail is not called until it answers again',
  } = of;
  const alarm = {
    alarm_id: id,
    perceived_severity: isCleared ? 'cleared' : 'major',
    probable_cause: 'underlying_resource_unavailable',
    specific_problem: problem,
    raised_at: '2026-11-30T12:00:00.000Z',
    cleared_at: isCleared ? '2026-11-30T12:05:00.000Z' : null,
  };
  const type = isCleared ? 'NOC.MCP_SERVER_UP' : 'NOC.MCP_SERVER_DOWN';
  return signal(`${type} ${id}`, { type, tenantId, payload: { server: 'retail', alarm } });
}

/** A dead letter of a message. The tenant is known where the message says it. */
export function deadLetter(value: string, of: { readonly topic?: Topic; readonly offset?: number } = {}): BusMessage {
  const { topic = topics.turns, offset = 0 } = of;
  const record = {
    topic,
    partition: 0,
    offset: String(offset),
    key: 'acme:retail_orders:s-1',
    value: Buffer.from(value),
    headers: { authorization: 'Bearer abcdefgh' },
    timestampMs: 0,
  };
  const reason = { code: 'message.unparsable', message: 'the text is not JSON' } as const;
  return toDeadLetter({ record, reason, attempts: 1 }, { service: 'orchestrator', groupId: 'orchestrator' });
}

const key = ConversationKey.parse('acme:retail_orders:s-1');
const identity = { tenantId: 'acme', agentId: 'retail_orders', sessionId: 's-1', conversationKey: key };

export const conversation: StoredConversation = {
  ...identity,
  streamId: '0190163d-8694-739b-aea5-966c26f8ad91',
  version: 3,
  state: initialState(identity),
  configDigest: 'c'.repeat(64),
  headHash: 'a'.repeat(64),
  deadline: null,
  createdAt: '2026-11-30T10:00:00.000Z',
  updatedAt: '2026-11-30T10:00:05.000Z',
};

/** A transaction of two items with different outcomes. */
export function transaction(more: Partial<StoredTransaction> = {}): StoredTransaction {
  return {
    id: 't-1',
    tenantId: 'acme',
    agentId: 'retail_orders',
    conversationKey: key,
    tool: 'retail_order_cancel',
    status: 'COMPLETED',
    rev: 1,
    arguments: { order_id: ['PED-1001', 'PED-1002'] },
    items: [
      { id: 'PED-1001', label: 'pedido PED-1001', outcome: 'succeeded', reason: null, protocol: 'P-9' },
      { id: 'PED-1002', label: 'pedido PED-1002', outcome: 'failed', reason: 'already shipped', protocol: null },
    ],
    outcome: 'PARTIAL_SUCCESS',
    startedAt: '2026-11-30T10:00:00.000Z',
    endedAt: '2026-11-30T10:00:05.000Z',
    ...more,
  };
}

/** The event of a user's message. */
export function turnReceived(version: number, text: unknown): StoredEvent {
  const payload = {
    type: 'TurnReceived',
    input: { type: 'UserSpoke', turnId: `turn-${version}`, messageId: `m-${version}`, text },
  };
  return {
    streamId: conversation.streamId,
    conversationKey: key,
    tenantId: 'acme',
    version,
    eventId: `e-${version}`,
    type: 'TurnReceived',
    payload,
    payloadText: JSON.stringify(payload),
    occurredAt: '2026-11-30T10:00:00.000Z',
    causationId: `turn-${version}`,
    messageId: `m-${version}`,
    transactionId: null,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    hash: 'b'.repeat(64),
  };
}

/** A turn that was answered with a text. */
export function answeredTurn(version: number, text: string): StoredTurn {
  const { value } = signal(`answer ${version}`, {
    type: 'IC.AGENT_COMPLETED',
    payload: { text },
    transactionId: 't-1',
  });
  return {
    turnId: TurnId.parse(`turn-${version}`),
    conversationKey: key,
    messageId: `m-${version}`,
    bodyDigest: 'd',
    status: 'done',
    response: value,
  };
}

/** A store with one conversation of one answered turn, and its transaction. */
export function storeOf(of: {
  readonly said: string;
  readonly answered: string;
  readonly transaction?: StoredTransaction;
}): Partial<StoreReads> {
  const one = of.transaction ?? transaction();
  const event = turnReceived(1, of.said);
  const isOwn = (tenantId: string): boolean => tenantId === 'acme';
  return {
    listTransactions: ({ tenantId }) => Promise.resolve(isOwn(tenantId) ? [one] : []),
    countTransactions: ({ tenantId }) =>
      Promise.resolve(isOwn(tenantId) ? [{ status: one.status, outcome: one.outcome, count: 1 }] : []),
    readTransaction: (tenantId, id) => Promise.resolve(isOwn(tenantId) && id === one.id ? one : undefined),
    readConversation: (tenantId, wanted) =>
      Promise.resolve(isOwn(tenantId) && wanted === key ? conversation : undefined),
    readEvents: ({ tenantId, transactionId }) =>
      Promise.resolve(isOwn(tenantId) ? [transactionId === undefined ? event : { ...event, transactionId }] : []),
    verifyStream: ({ tenantId, conversationKey }) =>
      Promise.resolve(
        isOwn(tenantId) && conversationKey === key ? { events: 1, unsealedEvents: 1, problem: undefined } : undefined,
      ),
    countEvents: (tenantId, wanted) => Promise.resolve(isOwn(tenantId) && wanted === key ? 1 : undefined),
    streams: {
      one: (tenantId, wanted) =>
        Promise.resolve(isOwn(tenantId) && wanted === key ? { conversation, events: [event] } : undefined),
    },
    readTurns: (tenantId) => {
      const turn = answeredTurn(1, of.answered);
      return Promise.resolve(isOwn(tenantId) ? new Map([[turn.turnId, turn]]) : new Map());
    },
  };
}
