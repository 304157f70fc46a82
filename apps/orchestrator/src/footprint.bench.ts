import { randomBytes, randomUUID } from 'node:crypto';
import { type KeyRing, loadPlatformConfig } from '@latch/config';
import {
  bodyDigestOf,
  type BusMessage,
  conversationKeyOf,
  digest,
  EventEnvelope,
  GatewayRequest,
  InvocationId,
  ToolInvocation,
  ToolResult,
  topics,
  turnIdOf,
} from '@latch/contracts';
import { type EventStore, migrate, openEventStore, type StoreRole } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import pg from 'pg';
import { openAgentConfigs } from './agent-configs.ts';
import { type BatchHandler, createBatchHandler } from './handle-batch.ts';
import { type Work } from './work.ts';

/**
 * What a transaction costs in Postgres: conversations of five turns about three items go through the real engine and the ledger of the executor into an empty
 * database; then all tables and indexes are measured, after vacuum. The first, almost empty pages of every table and index count in; they weigh the more the fewer
 * conversations there are, so what a transaction of the second half has added is told beside the mean.
 * Run by hand: `node apps/orchestrator/dist/footprint.bench.js postgres://... [conversations]`, in the repository's folder, a minute or two.
 */
const [databaseUrl = '', count = '2000'] = process.argv.slice(2);
const sentences = [
  'quero cancelar um serviço',
  'TIM Fashion, Aya Audiobooks e Neymar Jr',
  'quanto custa?',
  'sim',
  'obrigado',
];
const names = ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr'];
const resolved: Partial<ToolResult> = {
  data: {
    eligible: true,
    transaction_decision: {
      resolved_arguments: { subject: names.join(', '), items: names.map((name) => ({ name })) },
    },
  },
};

/** Personal data is sealed, as in every installation that does not say otherwise: sealing compresses too. */
const keyRing: KeyRing = { current: 'bench', keys: new Map([['bench', randomBytes(32)]]) };
const bounds = { kilobytesPerTransaction: 25, eventsPerTurn: 12 };

await migrate(databaseUrl);
const logger = createLogger({ service: 'footprint-bench', level: 'info' });
const [store, executor] = await Promise.all([openAs('latch_orchestrator'), openAs('latch_tool_executor')]);
const published: BusMessage[] = [];
const handler = await openEngine();
const half = Math.floor(Number(count) / 2);
await play(half);
const bytesOfHalf = await bytesOfAll();
await play(Number(count) - half);
await handler.close();
await Promise.all([store.close(), executor.close()]);
await measure();

function openAs(role: StoreRole): Promise<EventStore> {
  const producer = role === 'latch_orchestrator' ? 'orchestrator' : 'tool-executor';
  return openEventStore({ databaseUrl, producer, logger, role, personalData: keyRing });
}

async function openEngine(): Promise<BatchHandler> {
  const platform = await loadPlatformConfig('deploy/config');
  if (!platform.ok) throw new Error('The sample configuration cannot be read');
  const bus = { publish: (messages: readonly BusMessage[]) => Promise.resolve(void published.push(...messages)) };
  return createBatchHandler({ store, bus, configs: await openAgentConfigs(platform.value, store), idleMs: 50 });
}

async function play(conversations: number): Promise<void> {
  for (let done = 0; done < conversations; done += 16) {
    await playTogether(handler, executor, Math.min(16, conversations - done));
    if (done % 64 === 0) await vacuum();
  }
  await vacuum();
}

/** So many conversations side by side, sentence by sentence, with every call answered before the next sentence. */
async function playTogether(engine: BatchHandler, ledger: EventStore, conversations: number): Promise<void> {
  const sessions = Array.from({ length: conversations }, () => randomUUID());
  for (const sentence of sentences) {
    await engine.handle(sessions.map((session) => turnOf(session, sentence)));
    for (let calls = takeCalls(); calls.length > 0; calls = takeCalls()) {
      await engine.handle(await Promise.all(calls.map((call) => execute(call, ledger))));
    }
  }
}

function identityOf(sessionId: string): Work['identity'] {
  const key = { tenant_id: 'default', agent_id: 'telecom_contas', session_id: sessionId };
  return { tenantId: 'default', agentId: key.agent_id, sessionId, conversationKey: conversationKeyOf(key) };
}

function turnOf(sessionId: string, message: string): Work {
  const identity = identityOf(sessionId);
  const messageId = randomUUID();
  const payload = { message, session_id: sessionId, message_id: messageId, user_id: 'user-001' };
  const request = GatewayRequest.parse({ channel: 'web', tenant_id: 'default', agent_id: identity.agentId, payload });
  const turnId = turnIdOf({ conversationKey: identity.conversationKey, channel: 'web', userId: 'user-001', messageId });
  const traceId = randomUUID().replaceAll('-', '');
  return { kind: 'turn', identity, eventId: turnId, bodyDigest: bodyDigestOf(request), traceId, turnId, request };
}

function takeCalls(): readonly { readonly envelope: EventEnvelope; readonly call: ToolInvocation }[] {
  const calls = published.splice(0).filter(({ topic }) => topic === topics.toolInvocations);
  return calls.map(({ value }) => {
    const envelope = EventEnvelope.parse(JSON.parse(value));
    return { envelope, call: ToolInvocation.parse(envelope.payload) };
  });
}

/** The executor's rows of a call, and the result that comes of it. */
async function execute(
  { envelope, call }: ReturnType<typeof takeCalls>[number],
  { ledger }: EventStore,
): Promise<Work> {
  const invocationId = call.invocation_id ?? '';
  const owner = 'bench';
  await ledger.claim([{ invocationId }], { owner, leaseMs: 60_000 });
  await ledger.startAttempt({ invocationId, number: 1, owner, leaseMs: 60_000 });
  const told = call.purpose === 'pre_validation' ? resolved : succeeded(call);
  const at = new Date().toISOString();
  const outcome = { kind: 'result', result: { structuredContent: told.data ?? { items: told.items } } } as const;
  const execution = { invocation_id: invocationId, invocation: call, outcome, latency_ms: 12 };
  const attempts = [{ number: 1, started_at: at, ended_at: at, outcome }];
  await ledger.recordOutcome({ invocationId, owner, execution: { ...execution, attempts }, outgoing: [] });
  const { transaction_id, purpose, tool_name } = call;
  const result = ToolResult.parse({
    tool_name,
    ok: true,
    data: {},
    latency_ms: 12,
    invocation_id: invocationId,
    transaction_id,
    purpose,
    ...told,
  });
  const bodyDigest = digest(result);
  const work = {
    identity: identityOf(envelope.session_id),
    eventId: randomUUID(),
    bodyDigest,
    traceId: envelope.trace_id,
  };
  return { kind: 'tool_result', ...work, invocationId: InvocationId.parse(invocationId), result };
}

function succeeded({ items }: ToolInvocation): Partial<ToolResult> {
  const done = (items ?? []).map(({ id, label }, index) => ({
    id,
    label: label ?? id,
    outcome: 'succeeded' as const,
    protocol: `2026113000${index}`,
  }));
  return { items: done, outcome: 'SUCCESS', partial_success: false };
}

async function measure(): Promise<void> {
  const tables = await bytesOfTables();
  const [ended, events, turns] = await asOwner(async (owner) => [
    await numberOf(
      owner,
      `SELECT count(*) FROM transactions t WHERE outcome = 'SUCCESS' AND (SELECT count(*) FROM transaction_items i WHERE i.transaction_id = t.transaction_id) = 3`,
    ),
    await numberOf(owner, 'SELECT count(*) FROM events'),
    await numberOf(owner, 'SELECT count(*) FROM turns'),
  ]);
  if (ended !== Number(count)) throw new Error(`Only ${ended} of ${count} transactions ended well`);
  const bytes = sumOf(tables);
  const kilobytes = kilobytesEach(bytes, ended);
  const eventsPerTurn = Math.round((events / turns) * 100) / 100;
  const isGood = kilobytes <= bounds.kilobytesPerTransaction && eventsPerTurn <= bounds.eventsPerTurn;
  logger.info('bench.measured', {
    transactions: ended,
    kilobytes_per_transaction: kilobytes,
    added_by_one_of_the_second_half: kilobytesEach(bytes - bytesOfHalf, ended - half),
    events_per_turn: eventsPerTurn,
    ...bounds,
    isGood,
    tables: Object.fromEntries(
      tables.map((table) => [table.name, kilobytesEach(table.bytes, ended)] as const).filter(([, each]) => each >= 0.1),
    ),
  });
  if (!isGood) process.exitCode = 1;
}

function kilobytesEach(bytes: number, transactions: number): number {
  return Math.round((bytes / transactions / 1024) * 100) / 100;
}

type TableSize = { readonly name: string; readonly bytes: number };

/** Tables with their indexes, the partitions of one together; the largest first. */
function bytesOfTables(): Promise<readonly TableSize[]> {
  return asOwner(async (owner) => {
    const { rows } = await owner.query<TableSize>(
      `SELECT COALESCE(parent.relname, c.relname)::text AS name, sum(pg_total_relation_size(c.oid))::float8 AS bytes
       FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
       GROUP BY 1 ORDER BY 2 DESC`,
    );
    return rows;
  });
}

async function bytesOfAll(): Promise<number> {
  return sumOf(await bytesOfTables());
}

function sumOf(tables: readonly TableSize[]): number {
  return tables.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** As autovacuum does it now and then: what an update or a delete leaves behind is used again. */
async function vacuum(): Promise<void> {
  await asOwner((owner) => owner.query('VACUUM'));
}

async function asOwner<T>(work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

async function numberOf(client: pg.Client, statement: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(statement);
  return Number(rows[0]?.count ?? 0);
}
