import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type BusMessage, ConversationKey } from '@latch/contracts';
import { createLogger } from '@latch/observability';
import pg from 'pg';
import { v7 as newUuid } from 'uuid';
import { type ConversationAppend } from './conversation-append.ts';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import { migrate } from './migrate.ts';

/**
 * Whether a batch costs more in a large store than in a small one: load and append of 16 conversations, against stores of several sizes. Each store is a database
 * of its own beside the one that is named, filled with streams of 22 events over seven monthly partitions, and dropped at the end. Each size is measured against the
 * smallest, the two taking turns batch by batch, so that a busy machine slows both alike; the other sizes rest, for all of them share the buffers of one Postgres,
 * as no store in use does. Personal data is in the clear: sealing costs the same at any size and would hide a difference.
 *
 * Beside the times stand the pages of tables and indexes that a batch touches, and how many of them Postgres had to fetch: these do not depend on the machine.
 *
 * Run by hand: `npm run bench -- growth -- postgres://... [rounds] [sizes...]`; five minutes. It ends with 1 when a p50 is beyond the bound.
 */
const [databaseUrl = '', rounds = '800', ...wanted] = process.argv.slice(2);
const sizes = (wanted.length > 0 ? wanted : ['10000', '1000000', '5000000']).map(Number);
const [bound, batchSize, eventsPerStream, monthsAhead] = [1.3, 16, 22, 6];
const steps = ['load', 'append', 'batch'] as const;

type Step = (typeof steps)[number];

/** A filled database. */
type Grown = { readonly events: number; readonly streams: number; readonly url: string };

/** A store of one, and what its batches took. */
type Measured = Grown & {
  readonly store: EventStore;
  readonly timesMs: Readonly<Record<Step, number[]>>;
  published: readonly string[];
};

const logger = createLogger({ service: 'growth-bench' });
const names = new Map(sizes.map((events) => [events, `latch_growth_${events}`]));

async function asOwner<T>(url: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: url, application_name: 'latch-growth-bench' });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

async function grow(events: number): Promise<Grown> {
  const name = names.get(events) ?? '';
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await asOwner(databaseUrl, async (owner) => {
    await owner.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await owner.query(`CREATE DATABASE ${name}`);
  });
  await migrate(url.href);
  const streams = Math.max(batchSize, Math.round(events / eventsPerStream));
  const beginMs = performance.now();
  await asOwner(url.href, (owner) => fill(owner, streams));
  const facts = await asOwner(url.href, factsOf);
  logger.info('bench.filled', { events, ...facts, seconds: Math.round((performance.now() - beginMs) / 1000) });
  return { events, streams, url: url.href };
}

/** Every table that a batch reads or writes, as so many conversations of five turns leave it; in pieces, so that no statement grows with the store. */
async function fill(owner: pg.Client, streams: number): Promise<void> {
  await owner.query(
    `SELECT set_config('app.tenants', '{bench}', false), set_config('synchronous_commit', 'off', false)`,
  );
  await owner.query('SELECT create_event_partitions($1)', [monthsAhead]);
  const piece = 5_000;
  for (let from = 1; from <= streams; from += piece) {
    const range = [from, Math.min(streams, from + piece - 1)];
    await owner.query('CREATE TEMPORARY TABLE filler (number int, stream_id uuid, at timestamptz)');
    await owner.query(fillerSql, [...range, streams, monthsAhead]);
    for (const statement of filling) await owner.query(statement);
    await owner.query('DROP TABLE filler');
  }
  await owner.query('VACUUM ANALYZE');
  await owner.query('CHECKPOINT');
}

/** Ids as `uuid` v7 gives them over the months that have a partition: the time first, so that neighbors in time are neighbors on disk. */
const fillerSql = `
  INSERT INTO filler
  SELECT n, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' ||
    substr(md5(random()::text), 1, 15))::uuid, at
  FROM generate_series($1::int, $2::int) AS n,
    LATERAL (SELECT clock_timestamp() + n::float8 / $3::float8 * make_interval(months => $4::int) AS at) AS t`;

const hash = `decode(md5(random()::text) || md5(random()::text), 'hex')`;
const text = (letter: string, length: number): string => `repeat('${letter}', ${length})`;
const key = `'bench:agent:filler-' || number`;

const filling = [
  `INSERT INTO streams (stream_id, tenant_id, conversation_key, created_at) SELECT stream_id, 'bench', ${key}, at FROM filler`,
  `INSERT INTO conversations (stream_id, tenant_id, agent_id, session_id, version, head_hash, state, config_digest)
   SELECT stream_id, 'bench', 'agent', 'filler-' || number, ${eventsPerStream}, ${hash}, json_build_object('text', ${text('x', 2_000)}),
     ${text('c', 64)} FROM filler`,
  `INSERT INTO events (stream_id, stream_version, tenant_id, event_id, type, payload, occurred_at, causation_id, message_id,
     transaction_id, trace_id, hash)
   SELECT stream_id, version, 'bench', gen_random_uuid()::text, 'TurnReceived',
     json_build_object('filler', ${text('y', 300)}, 'text', 'quero cancelar pedido', 'values', json_build_object('order_id', 'PED-1001')),
     at, stream_id || '-' || version / 5, 'message-' || version / 5, ${key}, md5(stream_id::text || version), ${hash}
   FROM filler, generate_series(1, ${eventsPerStream}) AS version ORDER BY number, version`,
  `INSERT INTO turns (turn_id, stream_id, tenant_id, message_id, body_digest, status, response)
   SELECT gen_random_uuid(), stream_id, 'bench', 'message-' || turn, ${text('d', 64)}, 'done', ${text('z', 700)}
   FROM filler, generate_series(1, 5) AS turn`,
  `INSERT INTO transactions (transaction_id, stream_id, tenant_id, tool, status, rev, arguments, outcome, started_at, ended_at)
   SELECT ${key}, stream_id, 'bench', 'tool', 'COMPLETED', 1, '{"order_id":"PED-1001"}', 'SUCCESS', at, at FROM filler`,
  `INSERT INTO transaction_items (transaction_id, ordinal, tenant_id, item_id, label, outcome)
   SELECT ${key}, item, 'bench', 'PED-' || item, 'pedido PED-' || item, 'succeeded' FROM filler, generate_series(0, 2) AS item`,
  `INSERT INTO inbox (stream_id, consumer, event_id, tenant_id, body_digest, received_at)
   SELECT stream_id, 'bench', gen_random_uuid()::text, 'bench', ${text('d', 64)}, at FROM filler, generate_series(1, 7)`,
  `INSERT INTO approved_invocations (invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose, operation_type,
     idempotency_key, digest, invocation)
   SELECT gen_random_uuid(), stream_id, 'bench', 'agent', ${key}, 1, 'tool', purpose, 'transactional', gen_random_uuid(), ${text('d', 64)},
     json_build_object('tool_name', 'tool', 'arguments', json_build_object('filler', ${text('w', 300)}))
   FROM filler, unnest(ARRAY['pre_validation', 'execution']) AS purpose`,
];

async function factsOf(owner: pg.Client): Promise<{ readonly megabytes: number; readonly partitions: number }> {
  const { rows } = await owner.query<{ megabytes: number; partitions: number }>(
    `SELECT (pg_database_size(current_database()) / 1048576)::int AS megabytes,
       (SELECT count(DISTINCT tableoid)::int FROM events) AS partitions`,
  );
  return rows[0] ?? { megabytes: 0, partitions: 0 };
}

/** A store beside the smallest one: a batch on each in turn; who goes first changes every round. The first tenth warms up and is not counted. */
async function measure(pair: readonly Grown[], count: number): Promise<void> {
  const pagesBefore = await Promise.all(pair.map(pagesOf));
  const stores = await Promise.all(pair.map(open));
  try {
    for (let round = -Math.ceil(count / 10); round < count; round += 1) {
      const order = round % 2 === 0 ? stores : stores.toReversed();
      for (const target of order) await measureBatch(target, round);
    }
  } finally {
    await Promise.all(stores.map(({ store }) => store.close()));
  }
  const batches = count + Math.ceil(count / 10);
  const pagesAfter = await Promise.all(pair.map(pagesOf));
  report(stores, (index, kind) => ((pagesAfter[index]?.[kind] ?? 0) - (pagesBefore[index]?.[kind] ?? 0)) / batches);
}

async function open(grown: Grown): Promise<Measured> {
  const store = await openEventStore({
    databaseUrl: grown.url,
    producer: 'bench',
    logger,
    role: 'latch_orchestrator',
    poolSize: 1,
  });
  return { ...grown, store, timesMs: { load: [], append: [], batch: [] }, published: [] };
}

type Pages = { readonly touched: number; readonly fetched: number };

/** Pages that the tables and indexes of a batch have cost so far. A connection tells its counts when it ends at the latest. */
async function pagesOf({ url }: Grown): Promise<Pages> {
  const { rows } = await asOwner(url, (owner) =>
    owner.query<Pages>(
      `SELECT sum(fetched + hits)::float8 AS touched, sum(fetched)::float8 AS fetched
       FROM (SELECT heap_blks_read + COALESCE(idx_blks_read, 0) + COALESCE(toast_blks_read, 0) + COALESCE(tidx_blks_read, 0) AS fetched,
         heap_blks_hit + COALESCE(idx_blks_hit, 0) + COALESCE(toast_blks_hit, 0) + COALESCE(tidx_blks_hit, 0) AS hits
         FROM pg_statio_user_tables) AS tables`,
    ),
  );
  return rows[0] ?? { touched: 0, fetched: 0 };
}

async function measureBatch(target: Measured, round: number): Promise<void> {
  const times = await runBatch(target);
  for (const step of round < 0 ? [] : steps) target.timesMs[step].push(times[step]);
}

/** Half of the conversations are new, half go on: any of the store, so that their rows lie anywhere on the disk. */
function keysOf({ streams }: Grown, batch: string): readonly ConversationKey[] {
  const old = new Set<number>();
  while (old.size < batchSize / 2) old.add(randomInt(1, streams + 1));
  const names = [...old].map((number) => `filler-${number}`);
  const all = [...names, ...names.map((name) => `new-${batch}-${name}`)];
  return all.map((name) => ConversationKey.parse(`bench:agent:${name}`));
}

async function runBatch(target: Measured): Promise<Readonly<Record<Step, number>>> {
  const keys = keysOf(target, newUuid());
  const claims = keys.map((conversationKey) => ({
    ...{ eventId: newUuid(), consumer: 'bench', conversationKey, tenantId: 'bench', bodyDigest: 'd'.repeat(64) },
    receivedAt: new Date().toISOString(),
  }));
  const begin = performance.now();
  const { load, append } = await target.store.inTransaction(async (tx) => {
    await tx.claim(claims);
    await tx.forgetPublished(target.published);
    const [loaded, load] = await timed(() => tx.load(keys));
    const decided = keys.map((key) => decide(key, loaded.get(key)?.version ?? 0, tx.now));
    const [, append] = await timed(() => tx.append(decided));
    target.published = decided.flatMap(({ outgoing }) => outgoing.map(({ eventId }) => eventId));
    return { load, append };
  });
  return { load, append, batch: performance.now() - begin };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const begin = performance.now();
  return [await work(), performance.now() - begin];
}

function decide(conversationKey: ConversationKey, expectedVersion: number, now: string): ConversationAppend {
  const turnId = newUuid();
  const transactionId = `${conversationKey}-${turnId.slice(0, 8)}`;
  const outgoing = [messageOf(conversationKey), messageOf(conversationKey)];
  const event = { type: 'TurnReceived', occurredAt: now, causationId: turnId, messageId: 'message', transactionId };
  const payload = { text: 'quero cancelar pedido', values: { order_id: 'PED-1001' }, filler: 'y'.repeat(300) };
  const transaction = { id: transactionId, tool: 'tool', status: 'COLLECTING_PARAMETERS', rev: 1 } as const;
  const items = [{ id: 'PED-1001', label: 'PED-1001', outcome: null }];
  const turn = { turnId, messageId: 'message', bodyDigest: 'd'.repeat(64), status: 'done' } as const;
  return {
    ...{ conversationKey, tenantId: 'bench', agentId: 'agent', sessionId: 'session', expectedVersion },
    configDigest: 'c'.repeat(64),
    state: { text: 'x'.repeat(2_000) },
    events: Array.from({ length: 4 }, () => ({ ...event, eventId: newUuid(), payload, traceId: turnId })),
    turns: [{ ...turn, response: outgoing[0]?.value ?? '' }],
    transactions: [{ ...transaction, arguments: {}, items, outcome: null, startedAt: now, endedAt: null }],
    invocations: [],
    deadline: { transactionId, rev: 1, at: now },
    outgoing,
  };
}

function messageOf(conversationKey: string): BusMessage {
  const eventId = newUuid();
  const value = JSON.stringify({ event_id: eventId, payload: { text: 'z'.repeat(700) } });
  return { topic: 'latch.responses.v1', key: conversationKey, eventId, value, headers: { ce_id: eventId } };
}

function report(pair: readonly Measured[], pagesOfBatch: (index: number, kind: keyof Pages) => number): void {
  const p50 = (target: Measured | undefined, step: Step): number => percentile(target?.timesMs[step] ?? [], 0.5);
  const [small, large] = pair;
  if (large === undefined) return;
  const ratios = steps.map((step): readonly [Step, number] => [step, rounded(p50(large, step) / p50(small, step))]);
  const isGood = ratios.every(([, ratio]) => ratio <= bound);
  const told = pair.map((target, index) => ({
    events: target.events,
    ...Object.fromEntries(steps.map((step) => [`${step}_p50_ms`, rounded(p50(target, step))])),
    batch_p99_ms: rounded(percentile(target.timesMs.batch, 0.99)),
    pages_touched_by_a_batch: Math.round(pagesOfBatch(index, 'touched')),
    pages_fetched_by_a_batch: Math.round(pagesOfBatch(index, 'fetched')),
  }));
  const batches = large.timesMs.batch.length;
  logger[isGood ? 'info' : 'error']('bench.measured', {
    batches,
    stores: told,
    ratios: Object.fromEntries(ratios),
    bound,
  });
  if (!isGood) process.exitCode = 1;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

try {
  const grown: Grown[] = [];
  for (const events of sizes) grown.push(await grow(events));
  const [smallest, ...others] = grown;
  if (smallest) for (const larger of others) await measure([smallest, larger], Number(rounds));
} finally {
  await asOwner(databaseUrl, async (owner) => {
    for (const name of names.values()) await owner.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}
