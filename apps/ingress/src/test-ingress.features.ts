import { type AgentConfig, type EventEnvelope, topics, type TurnConflict } from '@latch/contracts';
import {
  type Bus,
  type BusRecord,
  makeEnvelope,
  MemoryBus,
  parseRecord,
  payloadSchemas,
  toBusMessage,
} from '@latch/messaging';
import { createLogger, type RunningService } from '@latch/observability';
import { eventually } from '@latch/testing';
import { type Authenticate } from '@latch/http';
import { type StoreReads } from '@latch/read-api';
import { ingressSettings, type IngressSettings } from './config.ts';
import { startIngress } from './start.ts';

/** An ingress on a free port over a memory bus, with a scripted engine behind it. What the specs of this room share. */
export type TestIngress = {
  readonly url: string;
  /** Every turn that reached the bus, in order. */
  readonly turns: EventEnvelope[];
  readonly logLines: string[];
  readonly service: RunningService;
  send(body: unknown, headers?: Record<string, string>): Promise<Response>;
  stream(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Publishes the engine's answer to a turn. */
  answer(turn: EventEnvelope, text?: string, metadata?: object): Promise<void>;
  /** Publishes what a server says of a running call of a conversation. */
  progress(conversationKey: string, payload: Record<string, unknown>): Promise<void>;
  /** Publishes the engine's refusal of a turn with another body. */
  conflict(turnId: string, bodyDigest: string): Promise<void>;
  /** Resolves when so many turns have reached the bus. */
  untilTurns(count: number): Promise<EventEnvelope[]>;
  close(): Promise<void>;
};

export type TestOptions = {
  readonly settings?: Partial<IngressSettings>;
  readonly store?: Partial<StoreReads>;
  /** Opens a real store instead. */
  readonly openStore?: () => Promise<StoreReads>;
  readonly authenticate?: Authenticate;
  readonly defaultAgentId?: string | null;
  /** Stands in for the bus's `publish`. */
  readonly publish?: Bus['publish'];
  /** What the engine does with a turn, as soon as it is there. @default nothing */
  readonly onTurn?: (turn: EventEnvelope, ingress: Pick<TestIngress, 'answer'>) => void;
};

export async function openTestIngress(options: TestOptions = {}): Promise<TestIngress> {
  const logLines: string[] = [];
  const logger = createLogger({ service: 'ingress', destination: { write: (line) => logLines.push(line) } });
  const bus = new MemoryBus({ partitions: 2, logger });
  const turns: EventEnvelope[] = [];
  const answer: TestIngress['answer'] = (turn, text = 'Olá!', metadata = {}) =>
    bus.publish([responseMessage(turn, text, metadata)]);
  await bus.consume({
    groupId: 'engine',
    topics: [topics.turns],
    handle: async (batch) => {
      for (const turn of batch.map(envelopeIn)) {
        turns.push(turn);
        options.onTurn?.(turn, { answer });
      }
      await Promise.resolve();
    },
    onCrash: (error) => {
      throw error;
    },
  });
  const service = await startIngress(testSettings(options.settings), {
    bus: options.publish ? withPublish(bus, options.publish) : bus,
    logger,
    config: testConfig(options.defaultAgentId ?? null),
    openStore: options.openStore ?? (() => Promise.resolve(testStore(options.store))),
    ...(options.authenticate && { authenticate: options.authenticate }),
  });
  const post =
    (path: string) =>
    (body: unknown, headers: Record<string, string> = {}) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
  return {
    url: service.url,
    turns,
    logLines,
    service,
    send: post('/v1/messages'),
    stream: post('/v1/messages/stream'),
    answer,
    progress: (conversationKey, payload) => bus.publish([progressMessage(conversationKey, payload)]),
    conflict: (turnId, bodyDigest) => bus.publish([conflictMessage(turnId, bodyDigest)]),
    untilTurns: (count) =>
      eventually(() => {
        if (turns.length < count) throw new Error(`${turns.length} of ${count} turns are there`);
        return turns;
      }),
    close: async () => {
      await service.stop();
      await bus.close();
    },
  };
}

/** A valid message; `over` replaces fields of it, `payload` fields of its payload. */
export function message(over: { payload?: object; [field: string]: unknown } = {}): Record<string, unknown> {
  const { payload, ...rest } = over;
  return {
    channel: 'web',
    agent_id: 'retail_orders',
    ...rest,
    payload: { message: 'quero cancelar pedido', session_id: 's-1', message_id: 'm-1', user_id: 'u-1', ...payload },
  };
}

function testSettings(over: Partial<IngressSettings> = {}): IngressSettings {
  const settings = ingressSettings.parse({
    LATCH_BUS: 'memory',
    LATCH_HTTP_PORT: 0,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  return { ...settings, ...over };
}

function testConfig(defaultAgentId: string | null): {
  agents: Record<string, AgentConfig>;
  defaultAgentId: string | null;
  defaultTenantId: string;
} {
  return {
    agents: {
      retail_orders: testAgent('retail_orders', ['default', 'acme', 'rival']),
      telecom_contas: testAgent('telecom_contas', ['default']),
    },
    defaultAgentId,
    defaultTenantId: 'default',
  };
}

function testAgent(agentId: string, tenants: readonly string[]): AgentConfig {
  return {
    agentId,
    name: agentId,
    locale: 'pt-BR',
    timeZone: 'America/Sao_Paulo',
    tenants,
    channels: ['web', 'whatsapp'],
    intents: [],
    tools: {},
    domainWords: [],
    maxClarifications: 3,
    confirmationTtlSeconds: 900,
    collectionTtlSeconds: 3_600,
    maxParked: 2,
    digest: 'test',
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

function withPublish(bus: MemoryBus, publish: Bus['publish']): Bus {
  return {
    publish,
    consume: (options) => bus.consume(options),
    ensureTopics: () => bus.ensureTopics(),
    isHealthy: () => bus.isHealthy(),
    close: () => bus.close(),
  };
}

function envelopeIn(record: BusRecord): EventEnvelope {
  const received = parseRecord(record, payloadSchemas);
  if (!received.ok) throw new Error(received.error.message);
  return received.value.envelope;
}

function responseMessage(turn: EventEnvelope, text: string, metadata: object) {
  const payload = {
    channel: 'web',
    session_id: turn.conversation_key ?? '',
    text,
    metadata: {
      tenant_id: turn.tenant_id,
      agent_id: turn.agent_id,
      guardrails: [],
      judges: [],
      turn_id: turn.event_id,
      transaction_status: 'IDLE',
      transaction_id: null,
      ...metadata,
    },
  };
  return responsesMessage('IC.AGENT_COMPLETED', payload, turn);
}

function conflictMessage(turnId: string, bodyDigest: string) {
  const payload: TurnConflict = {
    turn_id: turnId,
    body_digest: bodyDigest,
    code: 'turn.conflict',
    message: 'another body',
  };
  return responsesMessage('IC.TURN_CONFLICT', payload, {
    tenant_id: 'default',
    agent_id: 'a',
    session_id: 's',
    trace_id: 't',
  });
}

function progressMessage(conversationKey: string, payload: Record<string, unknown>) {
  const envelope = makeEnvelope({
    ...{ eventType: 'IC.TOOL_PROGRESS', payload, contractVersion: 'event-envelope-v1', tenantId: 'default' },
    ...{ agentId: 'retail_orders', sessionId: 's', conversationKey, traceId: 't', eventId: crypto.randomUUID() },
    ...{ producer: 'tool-executor', timestamp: new Date().toISOString() },
  });
  return toBusMessage(topics.signals, envelope);
}

function responsesMessage(
  eventType: 'IC.AGENT_COMPLETED' | 'IC.TURN_CONFLICT',
  payload: Record<string, unknown>,
  of: Pick<EventEnvelope, 'tenant_id' | 'agent_id' | 'session_id' | 'trace_id' | 'conversation_key'>,
) {
  const envelope = makeEnvelope({
    eventType,
    payload,
    contractVersion: 'channel-response-v1',
    tenantId: of.tenant_id,
    agentId: of.agent_id,
    sessionId: of.session_id,
    conversationKey: of.conversation_key ?? 'default:a:s',
    traceId: of.trace_id,
    eventId: crypto.randomUUID(),
    producer: 'orchestrator',
    timestamp: new Date().toISOString(),
  });
  return toBusMessage(topics.responses, envelope);
}
