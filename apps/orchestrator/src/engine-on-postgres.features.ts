import { randomUUID } from 'node:crypto';
import {
  bodyDigestOf,
  type BusMessage,
  ChannelResponse,
  conversationKeyOf,
  digest,
  EventEnvelope,
  GatewayRequest,
  InvocationId,
  type PlatformConfig,
  RetryableError,
  ToolInvocation,
  ToolResult,
  topics,
  turnIdOf,
} from '@latch/contracts';
import { type EventStore, migrate, openEventStore } from '@latch/event-store';
import { type Bus } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { freshDatabase, testKeyRing } from '@latch/testing';
import { openAgentConfigs } from './agent-configs.ts';
import { type BatchHandler, createBatchHandler } from './handle-batch.ts';
import { platformIn } from './sample-platform.features.ts';
import { type ToolResultWork, type TurnWork } from './work.ts';

/** The engine's shell over a real Postgres of its own, and a bus whose messages can be looked at and whose failures can be ordered. */
export type TestEngine = BatchHandler & {
  readonly store: EventStore;
  readonly bus: Pick<Bus, 'publish'>;
  /** Another process over the same database, perhaps with another configuration: it knows nothing of what the first one published. */
  restart(platform?: PlatformConfig): Promise<BatchHandler>;
  /** Everything that reached the bus, in order. */
  readonly published: BusMessage[];
  /** The next `times` publishes fail, as when the process dies after the commit. */
  failPublishing(times: number): void;
  /** As if the inbox had been kept for as long as it is and longer. */
  forgetEveryClaim(): Promise<void>;
  /** Ends everything and drops the database. */
  end(): Promise<void>;
};

/** Starts the engine on a fresh database with the sample configuration. */
export async function startTestEngine(): Promise<TestEngine> {
  const database = await freshDatabase();
  await migrate(database.url);
  const logger = createLogger({ service: 'orchestrator', level: 'silent' });
  const store = await openEventStore({
    databaseUrl: database.url,
    producer: 'orchestrator',
    logger,
    role: 'latch_orchestrator',
    personalData: testKeyRing,
  });
  const platform = await platformIn();
  const published: BusMessage[] = [];
  let failures = 0;
  const bus = {
    publish: (messages: readonly BusMessage[]): Promise<void> => {
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(new RetryableError('The bus is away'));
      }
      published.push(...messages);
      return Promise.resolve();
    },
  };
  const start = async (config: PlatformConfig): Promise<BatchHandler> =>
    createBatchHandler({ store, bus, configs: await openAgentConfigs(config, store), idleMs: 50 });
  const first = await start(platform);
  return {
    ...first,
    store,
    bus,
    restart: (config = platform) => start(config),
    published,
    failPublishing: (times) => {
      failures = times;
    },
    forgetEveryClaim: async () => {
      await store.forgetOldClaims({ olderThanHours: -1, limit: 10_000 });
    },
    end: async () => {
      await first.close();
      await store.close();
      await database.drop();
    },
  };
}

/** A conversation that speaks with the engine. */
export function conversationWith(agentId: string): {
  readonly key: ReturnType<typeof conversationKeyOf>;
  says(message: string, messageId?: string): TurnWork;
  resultOf(invocation: ToolInvocation, result: Omit<ToolResult, 'tool_name' | 'latency_ms'>): ToolResultWork;
} {
  const sessionId = randomUUID();
  const key = conversationKeyOf({ tenant_id: 'default', agent_id: agentId, session_id: sessionId });
  const identity = { tenantId: 'default', agentId, sessionId, conversationKey: key };
  return {
    key,
    says: (message, messageId = randomUUID()) => {
      const request = GatewayRequest.parse({
        channel: 'web',
        tenant_id: 'default',
        agent_id: agentId,
        payload: { message, session_id: sessionId, message_id: messageId, user_id: 'user-001' },
      });
      const turnId = turnIdOf({ conversationKey: key, channel: 'web', userId: 'user-001', messageId });
      const bodyDigest = bodyDigestOf(request);
      return { kind: 'turn', identity, eventId: turnId, bodyDigest, traceId: 'trace-1', turnId, request };
    },
    resultOf: (invocation, told) => {
      const result = ToolResult.parse({
        tool_name: invocation.tool_name,
        latency_ms: 1,
        invocation_id: invocation.invocation_id,
        transaction_id: invocation.transaction_id,
        purpose: invocation.purpose,
        ...told,
      });
      return {
        kind: 'tool_result',
        identity,
        eventId: randomUUID(),
        bodyDigest: digest(result),
        traceId: 'trace-1',
        invocationId: InvocationId.parse(invocation.invocation_id),
        result,
      };
    },
  };
}

/** The answers among bus messages. */
export function answersIn(messages: readonly BusMessage[]): readonly ChannelResponse[] {
  return messages
    .filter(({ topic }) => topic === topics.responses)
    .map(({ value }) => ChannelResponse.parse(EventEnvelope.parse(JSON.parse(value)).payload));
}

/** The calls among bus messages. */
export function callsIn(messages: readonly BusMessage[]): readonly ToolInvocation[] {
  return messages
    .filter(({ topic }) => topic === topics.toolInvocations)
    .map(({ value }) => ToolInvocation.parse(EventEnvelope.parse(JSON.parse(value)).payload));
}
