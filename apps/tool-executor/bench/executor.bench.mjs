// What the executor costs over a direct call of the SDK to the same server on the same machine (issue 6, "Speed"): `npm run bench -- executor`, with DATABASE_URL.
// From the record of an approved call to its recorded and published outcome: capsule, authorization, schema, ledger (two commits on real Postgres), gates.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { v7 as newUuid } from 'uuid';
import { ConversationKey, invocationDigest, topics } from '@latch/contracts';
import { migrate, openEventStore } from '@latch/event-store';
import { makeEnvelope, MemoryBus } from '@latch/messaging';
import { createLogger, createMetrics } from '@latch/observability';
import { toolExecutorSettings } from '../dist/config.js';
import { makeExecutor } from '../dist/make-executor.js';

const [databaseUrl = ''] = process.argv.slice(2);
const logger = createLogger({ service: 'executor-bench', level: 'silent' });
const calls = 300;
/** No call of the benchmark takes longer: one that did not end is a failure, not a figure. */
const callLimitMs = 15_000;

const servers = await Promise.all([startServer(), startServer()]);
const database = await freshDatabase(databaseUrl);
await migrate(database.url);
const engine = await openEventStore({
  databaseUrl: database.url,
  producer: 'orchestrator',
  role: 'latch_orchestrator',
  logger,
  personalData: 'clear',
});
const store = await openEventStore({
  databaseUrl: database.url,
  producer: 'tool-executor',
  role: 'latch_tool_executor',
  logger,
  poolSize: 8,
  personalData: 'clear',
});
const bus = new MemoryBus({ partitions: 4, logger });
const waiting = new Map();
await bus.consume({
  groupId: 'bench',
  topics: [topics.toolExecutions],
  handle: async (batch) => {
    for (const { value } of batch) {
      const { payload } = JSON.parse(value.toString());
      waiting.get(payload.invocation_id)?.(payload);
    }
  },
  onCrash: (error) => {
    throw error;
  },
});
const executor = startExecutor();

try {
  await overhead();
  await isolation();
  await memory();
} finally {
  await executor.stop();
  await Promise.all([store.close(), engine.close(), bus.close()]);
  await database.drop();
  for (const { child } of servers) child.kill();
}

async function overhead() {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(servers[0].url)));
  const direct = () => client.callTool({ name: 'fast', arguments: {} });
  for (let i = 0; i < 100; i += 1) await direct();
  for (const call of await approve('fast', 100)) await execute(call);
  const approved = await approve('fast', calls);
  const [plain, through] = [[], []];
  // In turns, so that what else the machine does hits both.
  for (const call of approved) {
    plain.push(await timed(direct));
    through.push(await timed(() => execute(call)));
  }
  await client.close();
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(through, q) - quantile(plain, q));
  line('direct SDK call', `p50 ${ms(quantile(plain, 0.5))}  p99 ${ms(quantile(plain, 0.99))}`);
  line('through the executor', `p50 ${ms(quantile(through, 0.5))}  p99 ${ms(quantile(through, 0.99))}`);
  line('added', `p50 ${ms(p50)} (bound 5 ms)  p99 ${ms(p99)} (bound 20 ms)`);
}

/** Alone and beside slow calls in turns, so that what else the machine does hits both; only what lies wholly within the 2 s of the slow calls is measured. */
async function isolation() {
  const fast = await approve('fast_elsewhere', 2_500);
  const measure = async (forMs, into) => {
    const until = performance.now() + forMs;
    while (fast.length > 0 && performance.now() < until) into.push(await timed(() => execute(fast.pop())));
  };
  const [alone, beside] = [[], []];
  await measure(500, []);
  for (let round = 0; round < 5; round += 1) {
    await measure(1_000, alone);
    const slow = await approve('slow', 64);
    let isOver = false;
    const running = slow.map((call) => execute(call).then(() => (isOver = true)));
    // All of them have been sent by then, and none is answered before 2 s.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const inFlight = [];
    await measure(1_000, inFlight);
    if (isOver) throw new Error('A slow call ended before the fast ones beside it were measured');
    beside.push(...inFlight);
    await Promise.all(running);
  }
  const ratio = quantile(beside, 0.5) / quantile(alone, 0.5);
  line('fast calls, alone', `p50 ${ms(quantile(alone, 0.5))} of ${alone.length}`);
  line(
    'beside 64 slow ones',
    `p50 ${ms(quantile(beside, 0.5))} of ${beside.length}, ratio ${ratio.toFixed(2)} (bound 1.10)`,
  );
}

async function memory() {
  const hostile = ['huge', 'million', 'deep'];
  const round = async () => {
    const called = (await Promise.all(hostile.map((tool) => approve(tool, 2)))).flat();
    await Promise.all(called.map((call) => execute(call)));
    return process.memoryUsage.rss();
  };
  for (let warmUp = 0; warmUp < 5; warmUp += 1) await round();
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  for (let at = 0; at < 10; at += 1) peak = Math.max(peak, await round());
  line('RSS over 60 hostile answers', `grew ${((peak - before) / 2 ** 20).toFixed(0)} MB at most (bound 50 MB)`);
}

function startExecutor() {
  const settings = toolExecutorSettings.parse({
    LATCH_BUS: 'memory',
    DATABASE_URL: database.url,
    LATCH_PERSONAL_DATA: 'clear',
  });
  const metrics = createMetrics({ service: 'tool-executor', version: '0' });
  const flow = { pause() {}, resume() {} };
  const started = makeExecutor({ settings, config: platform(), store, bus, logger, metrics, version: '0', flow });
  started.start();
  return started;
}

function platform() {
  const tool = (name, server) => ({
    ...{
      name,
      server,
      description: name,
      label: name,
      enabled: true,
      operationType: 'transactional',
      requiresConfirmation: true,
    },
    ...{
      requires: [],
      parameters: {},
      preValidation: null,
      mapping: { map: {}, defaults: {}, idempotencyArgument: null },
    },
    ...{ declaredIdempotent: false, reconcileTool: null, timeoutMs: 10_000, maxAttempts: 1 },
  });
  const names = ['fast', 'slow', 'huge', 'million', 'deep'];
  const tools = [...names.map((name) => tool(name, 'main')), { ...tool('fast', 'other'), name: 'fast' }];
  const agent = (agentId, of) => ({
    ...{
      agentId,
      name: agentId,
      locale: 'en',
      timeZone: 'UTC',
      tenants: ['default'],
      channels: [],
      intents: [],
      domainWords: [],
    },
    ...{ maxClarifications: 3, confirmationTtlSeconds: 600, collectionTtlSeconds: 600, maxParked: 2, digest: 'bench' },
    tools: Object.fromEntries(of.map((one) => [one.name, one])),
  });
  const server = (name, url) => ({
    ...{ name, url, enabled: true, connectTimeoutMs: 2_000, maxConcurrentCalls: 64, maxResultBytes: 1_048_576 },
    breaker: { failures: 1_000, openMs: 1_000 },
  });
  return {
    agents: { agent: agent('agent', tools.slice(0, -1)), elsewhere: agent('elsewhere', tools.slice(-1)) },
    servers: { main: server('main', servers[0].url), other: server('other', servers[1].url) },
    ...{ defaultAgentId: 'agent', defaultTenantId: 'default', digest: 'bench' },
  };
}

/** Approves calls as the engine does, and gives the records that announce them. */
async function approve(name, count) {
  const [tool, agentId] = name === 'fast_elsewhere' ? ['fast', 'elsewhere'] : [name, 'agent'];
  const approved = Array.from({ length: count }, () => approval(tool, agentId));
  const receivedAt = new Date().toISOString();
  const keyOf = (call) => ConversationKey.parse(call.conversationKey);
  await engine.inTransaction(async (tx) => {
    await tx.claim(
      approved.map((call) => ({
        eventId: newUuid(),
        consumer: 'bench',
        conversationKey: keyOf(call),
        tenantId: 'default',
        bodyDigest: 'd',
        receivedAt,
      })),
    );
    const loaded = await tx.load(approved.map(keyOf));
    await tx.append(
      approved.map((call) => ({
        ...{
          conversationKey: keyOf(call),
          tenantId: 'default',
          agentId,
          sessionId: 's',
          expectedVersion: loaded.get(keyOf(call))?.version ?? 0,
        },
        ...{
          configDigest: 'bench',
          state: {},
          turns: [],
          transactions: [],
          deadline: null,
          outgoing: [],
          invocations: [call],
        },
        events: [
          {
            eventId: newUuid(),
            type: 'ExecutionStarted',
            payload: {},
            occurredAt: receivedAt,
            causationId: null,
            messageId: null,
            transactionId: call.transactionId,
            traceId: 't',
          },
        ],
      })),
    );
  });
  return approved.map(announced);
}

function approval(tool, agentId) {
  const id = newUuid();
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const base = {
    ...{
      invocationId: id,
      tenantId: 'default',
      agentId,
      conversationKey: `default:${agentId}:${id}`,
      transactionId: `tx-${id}`,
      rev: 1,
      tool,
    },
    ...{
      purpose: 'execution',
      operationType: 'transactional',
      proposalId: 'p',
      idempotencyKey: `key-${id}`,
      expiresAt,
    },
  };
  const invocation = {
    ...{
      contract_version: 'tool-invocation-v1',
      tenant_id: 'default',
      agent_id: agentId,
      tool_name: tool,
      arguments: {},
      invocation_id: id,
    },
    ...{
      transaction_id: base.transactionId,
      rev: 1,
      purpose: 'execution',
      operation_type: 'transactional',
      proposal_id: 'p',
    },
    ...{ idempotency_key: base.idempotencyKey, items: [], expires_at: expiresAt },
  };
  return { ...base, digest: invocationDigest(invocation), invocation };
}

function announced({ agentId, conversationKey, invocation }) {
  const envelope = makeEnvelope({
    ...{
      eventType: 'IC.TOOL_REQUESTED',
      eventId: newUuid(),
      payload: invocation,
      contractVersion: 'tool-invocation-v1',
      tenantId: 'default',
    },
    ...{
      agentId,
      sessionId: 's',
      conversationKey,
      traceId: 't',
      producer: 'orchestrator',
      timestamp: new Date().toISOString(),
    },
  });
  const record = {
    topic: topics.toolInvocations,
    partition: 0,
    offset: '0',
    key: conversationKey,
    value: Buffer.alloc(0),
    headers: {},
    timestampMs: 0,
  };
  return { record, envelope, payload: invocation };
}

async function execute(received) {
  const id = received.payload.invocation_id;
  let timer;
  const told = new Promise((resolve, reject) => {
    waiting.set(id, resolve);
    timer = setTimeout(() => reject(new Error(`${received.payload.tool_name} was not told of in time`)), callLimitMs);
  });
  await executor.receive([received]);
  await told.finally(() => clearTimeout(timer));
  waiting.delete(id);
}

async function startServer() {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(Number(String(data)))));
  return { child, url: `http://127.0.0.1:${port}/mcp` };
}

async function freshDatabase(adminUrl) {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const run = async (statement) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function timed(act) {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

function quantile(values, q) {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}

function line(name, text) {
  process.stdout.write(`  ${name.padEnd(28)} ${text}\n`);
}
