import {
  type BusMessage,
  ConversationKey,
  EventEnvelope,
  type PlatformConfig,
  type ProposalItem,
  ToolExecution,
  topics,
} from '@latch/contracts';
import {
  type ApprovedInvocation,
  type EventStore,
  type EventToAppend,
  type MessageToClaim,
  migrate,
  openEventStore,
} from '@latch/event-store';
import { consumeBatch, MemoryBus, type Received } from '@latch/messaging';
import { createLogger, createMetrics, type Logger } from '@latch/observability';
import { eventually, freshDatabase, testKeyRing } from '@latch/testing';
import pg from 'pg';
import { v7 as newUuid } from 'uuid';
import { toolExecutorSettings } from './config.ts';
import { type Executor, makeExecutor } from './make-executor.ts';
import { approvedCall, underSchema, announce } from './approved-call.features.ts';

export const silent: Logger = createLogger({ service: 'spec', level: 'silent' });

/** An approved call and the record that announces it. */
export type Approval = { readonly approved: ApprovedInvocation; readonly message: BusMessage };

/** A running executor and everything around it that is real: Postgres, an MCP server, the bus's own contract. */
export class ExecutorFixture {
  readonly executions: ToolExecution[] = [];
  readonly signals: EventEnvelope[] = [];
  private readonly executors: { executor: Executor; stopConsumer(): Promise<void>; stop(): Promise<void> }[] = [];

  private constructor(
    readonly bus: MemoryBus,
    readonly engine: EventStore,
    readonly store: EventStore,
    readonly databaseUrl: string,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  static async create(): Promise<ExecutorFixture> {
    const database = await freshDatabase();
    await migrate(database.url);
    const open = (producer: string): Promise<EventStore> =>
      openEventStore({ databaseUrl: database.url, producer, logger: silent, personalData: testKeyRing });
    const bus = new MemoryBus({ partitions: 4, logger: silent });
    const fixture = new ExecutorFixture(
      bus,
      await open('orchestrator'),
      await open('tool-executor'),
      database.url,
      database.drop,
    );
    await fixture.listen();
    return fixture;
  }

  /** Starts an executor instance; several may run. `isDeaf`: it takes nothing off the bus and only resumes. */
  async startExecutor(
    config: PlatformConfig,
    { isDeaf = false, env = {} }: { isDeaf?: boolean; env?: Record<string, string> } = {},
  ): Promise<Executor> {
    const settings = toolExecutorSettings.parse({
      LATCH_BUS: 'memory',
      DATABASE_URL: this.databaseUrl,
      LATCH_LEASE_MS: '1000',
      LATCH_LEASE_SWEEP_MS: '100',
      ...env,
    });
    const store = await openEventStore({
      databaseUrl: this.databaseUrl,
      producer: 'tool-executor',
      logger: silent,
      personalData: testKeyRing,
    });
    const metrics = createMetrics({ service: 'tool-executor', version: '0' });
    const flow = { pause: (): void => {}, resume: (): void => {} };
    const executor = makeExecutor({
      settings,
      config,
      store,
      bus: this.bus,
      logger: silent,
      metrics,
      version: '0',
      flow,
    });
    executor.start();
    const consumption = isDeaf ? null : await this.consume('tool-executor', executor);
    const stopConsumer = async (): Promise<void> => consumption?.stop();
    this.executors.push({
      executor,
      stopConsumer,
      stop: async () => {
        await stopConsumer();
        await executor.stop();
        await store.close();
      },
    });
    return executor;
  }

  /** Stops the instances, as SIGTERM does. */
  async stopExecutors(): Promise<void> {
    await Promise.all(this.executors.splice(0).map(({ stop }) => stop()));
  }

  /** Approves a call as the engine does, and gives the record that announces it. */
  async approve(
    tool: string,
    more: Partial<ApprovedInvocation> & {
      args?: Record<string, unknown>;
      items?: (string | ProposalItem)[];
      traceparent?: string;
      schemaHash?: string;
    } = {},
  ): Promise<Approval> {
    const { args = {}, items = [], traceparent, schemaHash, ...fields } = more;
    const approved = underSchema(approvedCall(tool, { args, items, fields }), schemaHash);
    const key = ConversationKey.parse(approved.conversationKey);
    await this.engine.inTransaction(async (tx) => {
      await tx.claim([messageOf(approved, key)]);
      const loaded = await tx.load([key]);
      await tx.append([
        {
          conversationKey: key,
          tenantId: approved.tenantId,
          agentId: approved.agentId,
          sessionId: 'session',
          expectedVersion: loaded.get(key)?.version ?? 0,
          configDigest: 'config-1',
          state: {},
          events: [eventOf(approved)],
          turns: [],
          transactions: [],
          invocations: [approved],
          deadline: null,
          outgoing: [],
        },
      ]);
    });
    return { approved, message: announce(approved, approved.invocation, traceparent) };
  }

  /** Gives a call to another instance, as when its lease had ended unnoticed. */
  async takeOver({ approved }: Approval, owner: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    const statement = `UPDATE tool_ledger SET owner = $2, lease_until = now() + interval '1 minute' WHERE invocation_id = $1`;
    await client.query(statement, [approved.invocationId, owner]);
    await client.end();
  }

  /** Waits until the execution of an invocation is published. */
  async executionOf({ approved }: Approval, timeoutMs = 20_000): Promise<ToolExecution> {
    return eventually(
      () => {
        const found = this.executions.find(({ invocation_id }) => invocation_id === approved.invocationId);
        if (found === undefined) throw new Error(`no execution of ${approved.tool} yet`);
        return found;
      },
      { timeoutMs },
    );
  }

  async close(): Promise<void> {
    await this.stopExecutors();
    await this.bus.close();
    await Promise.all([this.engine.close(), this.store.close()]);
    await this.dropDatabase();
  }

  private async listen(): Promise<void> {
    await this.consumeTopic('executions', topics.toolExecutions, (received) =>
      this.executions.push(ToolExecution.parse(received.payload)),
    );
    await this.consumeTopic('signals', topics.signals, ({ envelope }) => this.signals.push(envelope));
  }

  private consume(groupId: string, executor: Executor): ReturnType<typeof consumeBatch> {
    return consumeBatch({
      ...this.consumer(groupId),
      topics: [topics.toolInvocations],
      handle: (batch) => executor.receive(batch),
    });
  }

  private async consumeTopic(
    groupId: string,
    topic: (typeof topics)[keyof typeof topics],
    take: (received: Received) => unknown,
  ): Promise<void> {
    await consumeBatch({
      ...this.consumer(groupId),
      topics: [topic],
      handle: async (batch) => {
        batch.forEach(take);
        await Promise.resolve();
      },
    });
  }

  private consumer(groupId: string): Omit<Parameters<typeof consumeBatch>[0], 'topics' | 'handle'> {
    return {
      bus: this.bus,
      groupId,
      service: groupId,
      logger: silent,
      metrics: createMetrics({ service: groupId, version: '0' }),
      onCrash: () => {},
    };
  }
}

function eventOf({ transactionId }: ApprovedInvocation): EventToAppend {
  const occurredAt = new Date().toISOString();
  return {
    eventId: newUuid(),
    type: 'ExecutionStarted',
    payload: {},
    occurredAt,
    causationId: null,
    messageId: null,
    transactionId,
    traceId: 'trace-1',
  };
}

function messageOf({ tenantId }: ApprovedInvocation, conversationKey: ConversationKey): MessageToClaim {
  const receivedAt = new Date().toISOString();
  return { eventId: newUuid(), consumer: 'orchestrator', conversationKey, tenantId, bodyDigest: 'digest', receivedAt };
}
