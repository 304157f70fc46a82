import {
  type AgentConfig,
  type BusMessage,
  ConversationKey,
  EventEnvelope,
  invocationDigest,
  type McpServerConfig,
  type PlatformConfig,
  type ProposalItem,
  type ToolConfig,
  ToolExecution,
  type ToolInvocation,
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
import { answerWith, defineTool, type Fault, serveDomain } from '@latch/mcp-server';
import { consumeBatch, makeEnvelope, MemoryBus, type Received, toBusMessage } from '@latch/messaging';
import { createLogger, createMetrics, type Logger } from '@latch/observability';
import { eventually, freshDatabase, testKeyRing } from '@latch/testing';
import pg from 'pg';
import { v7 as newUuid } from 'uuid';
import { z } from 'zod';
import { toolExecutorSettings } from './config.ts';
import { type Executor, makeExecutor } from './make-executor.ts';

export const silent: Logger = createLogger({ service: 'spec', level: 'silent' });

/** A running domain server, what it did, and how to make it fail. */
export type Domain = {
  readonly url: string;
  /** How often the effect came about. */
  readonly effects: { count: number };
  /** The keys of all calls that reached a tool or a fault in front of it. */
  keys(): Promise<readonly string[]>;
  fail(fault: Partial<Fault> & Pick<Fault, 'kind'>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a domain with one tool that has an effect and one that has none; both wait `ms` when they are told to. */
export async function startDomain(port = 0): Promise<Domain> {
  const effects = { count: 0 };
  const input = z.object({ ms: z.number().optional(), items: z.array(z.string()).optional() });
  const tool = (name: string, isReadOnly: boolean): ReturnType<typeof defineTool> =>
    defineTool({
      name,
      title: name,
      description: name,
      input,
      isReadOnly,
      handle: async ({ arguments: args }) => {
        await new Promise((resolve) => setTimeout(resolve, args.ms ?? 0));
        if (!isReadOnly) effects.count += 1;
        return answerWith({ success: true, protocol: 'P-1', count: effects.count }, isReadOnly ? 0 : 1);
      },
    });
  const tools = [tool('cancel', false), tool('cancel_once', false), tool('look', true)];
  const server = await serveDomain({ name: 'domain', version: '1.0.0', port, tools, reset: () => {} });
  return {
    url: `${server.url}/mcp`,
    effects,
    async keys() {
      const report = CallReport.parse(await (await fetch(`${server.url}/calls`)).json());
      return report.calls.map(({ key }) => key ?? 'none');
    },
    async fail(fault) {
      const body = JSON.stringify({ tool: '*', ...fault });
      const answer = await fetch(`${server.url}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (answer.status !== 201) throw new Error(await answer.text());
    },
    stop: () => server.stop(),
  };
}

const CallReport = z.looseObject({ calls: z.array(z.looseObject({ key: z.string().nullish() })) });

function toolConfig(name: string, server: string, more: Partial<ToolConfig> = {}): ToolConfig {
  return {
    name,
    description: name,
    label: name,
    server,
    enabled: true,
    operationType: 'transactional',
    requiresConfirmation: true,
    requires: [],
    parameters: {},
    preValidation: null,
    mapping: { map: {}, defaults: {}, idempotencyArgument: null },
    declaredIdempotent: true,
    reconcileTool: null,
    timeoutMs: 3_000,
    maxAttempts: 8,
    ...more,
  };
}

function serverConfig(name: string, url: string): McpServerConfig {
  return {
    name,
    url,
    enabled: true,
    connectTimeoutMs: 500,
    maxConcurrentCalls: 16,
    maxResultBytes: 1_048_576,
    breaker: { failures: 3, openMs: 400 },
  };
}

/** One agent with `cancel` (declared idempotent), `cancel_once` (not), `look` (a read) on `main`, and `look_elsewhere` on `other`. */
export function platformConfig(urls: { readonly main: string; readonly other?: string }): PlatformConfig {
  const reads = { operationType: 'read_only', requiresConfirmation: false } as const;
  const tools = [
    toolConfig('cancel', 'main'),
    toolConfig('cancel_once', 'main', { declaredIdempotent: false, timeoutMs: 2_000 }),
    toolConfig('look', 'main', reads),
    toolConfig('cancel_elsewhere', 'other'),
    toolConfig('off', 'main', { enabled: false }),
  ];
  const agent: AgentConfig = {
    agentId: 'agent',
    name: 'agent',
    locale: 'pt-BR',
    timeZone: 'America/Sao_Paulo',
    tenants: ['default'],
    channels: [],
    intents: [],
    tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
    domainWords: [],
    maxClarifications: 3,
    confirmationTtlSeconds: 600,
    collectionTtlSeconds: 600,
    maxParked: 2,
    digest: 'config-1',
  };
  const servers = {
    main: serverConfig('main', urls.main),
    other: serverConfig('other', urls.other ?? 'http://127.0.0.1:9/mcp'),
  };
  return { agents: { agent }, servers, defaultAgentId: 'agent', defaultTenantId: 'default', digest: 'config-1' };
}

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
    private readonly databaseUrl: string,
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
  async executionOf({ approved }: Approval, timeoutMs = 8_000): Promise<ToolExecution> {
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

/** What a test says about a call. */
export type Sketch = {
  args: Record<string, unknown>;
  items: (string | ProposalItem)[];
  fields: Partial<ApprovedInvocation>;
};

/** An approved call, with what a test says about it. */
export function approvedCall(tool: string, { args, items, fields }: Sketch): ApprovedInvocation {
  const id = newUuid();
  const isRead = tool === 'look';
  const base = {
    invocationId: id,
    tenantId: 'default',
    agentId: 'agent',
    conversationKey: `default:agent:${id}`,
    transactionId: `tx-${id}`,
    rev: 1,
    tool,
    purpose: 'execution' as const,
    operationType: isRead ? ('read_only' as const) : ('transactional' as const),
    proposalId: isRead ? null : 'proposal-1',
    idempotencyKey: `key-${id}`,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    ...fields,
  };
  const invocation: ToolInvocation = {
    contract_version: 'tool-invocation-v1',
    tenant_id: base.tenantId,
    agent_id: base.agentId,
    tool_name: tool,
    arguments: args,
    invocation_id: base.invocationId,
    transaction_id: base.transactionId,
    rev: base.rev,
    purpose: base.purpose,
    operation_type: base.operationType,
    proposal_id: base.proposalId,
    idempotency_key: base.idempotencyKey,
    items: items.map((item) => (typeof item === 'string' ? { id: item, label: item } : item)),
    metadata: { trace_id: 'trace-1' },
    ...(base.expiresAt === null ? {} : { expires_at: base.expiresAt }),
  };
  return { ...base, digest: invocationDigest(invocation), invocation };
}

/** The same call, approved under a schema of its tool. */
function underSchema(approved: ApprovedInvocation, hash: string | undefined): ApprovedInvocation {
  if (hash === undefined) return approved;
  const invocation = { ...approved.invocation, tool_schema_hash: hash };
  return { ...approved, digest: invocationDigest(invocation), invocation };
}

/** The record that wakes the executor; a test may announce what nobody approved. */
export function announce(approved: ApprovedInvocation, invocation: ToolInvocation, traceparent?: string): BusMessage {
  const envelope = makeEnvelope({
    eventType: 'IC.TOOL_REQUESTED',
    eventId: newUuid(),
    payload: invocation,
    contractVersion: 'tool-invocation-v1',
    tenantId: approved.tenantId,
    agentId: approved.agentId,
    sessionId: 'session',
    conversationKey: approved.conversationKey,
    traceId: 'trace-1',
    producer: 'orchestrator',
    timestamp: new Date().toISOString(),
  });
  return toBusMessage(topics.toolInvocations, envelope, { traceparent });
}
