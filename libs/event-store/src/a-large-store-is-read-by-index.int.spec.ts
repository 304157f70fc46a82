import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testKeyRing } from '@latch/testing';
import { ConversationKey } from '@latch/contracts';
import { Database, type Sql } from './database.ts';
import { PersonalVault } from './personal-vault.ts';
import {
  appendOf,
  approved,
  createStoreFixture,
  event,
  messageOf,
  newKey,
  outgoing,
  silentLogger,
  type StoreFixture,
} from './store-fixture.features.ts';
import { type StoreRole } from './migrations/tenant-table.ts';
import { openTransaction } from './store-transaction.ts';
import { everyTenant } from './tenant-scope.ts';
import { ProblemTally } from './verify-report.ts';
import { verifyStreams } from './verify-streams.ts';

const [streams, eventsPerStream] = [20_000, 3];
const tenantId = 'large';
const oldKey = ConversationKey.parse(`${tenantId}:agent:filler-7`);

const options = (role: StoreRole) => ({ applicationName: 'spec', logger: silentLogger, role, poolSize: 1 });

let fixture: StoreFixture;
let database: Database;

/** A store with so many rows that no sensible plan reads a table from its begin to its end. */
const filling = [
  `INSERT INTO streams (stream_id, tenant_id, conversation_key)
   SELECT ('0197f7a0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '${tenantId}', '${tenantId}:agent:filler-' || n FROM generate_series(1, ${streams}) AS n`,
  `INSERT INTO conversations (stream_id, tenant_id, agent_id, session_id, version, head_hash, state, config_digest)
   SELECT stream_id, tenant_id, 'agent', 'session', ${eventsPerStream}, decode(repeat('0', 64), 'hex'), '{}', 'c' FROM streams`,
  `INSERT INTO events (stream_id, stream_version, tenant_id, event_id, type, payload, occurred_at, trace_id, hash)
   SELECT stream_id, version, tenant_id, gen_random_uuid()::text, 'TurnReceived', '{}', clock_timestamp(), 'trace', decode(repeat('0', 64), 'hex')
   FROM streams, generate_series(1, ${eventsPerStream}) AS version`,
  `INSERT INTO turns (turn_id, stream_id, tenant_id, message_id, body_digest, status, response)
   SELECT gen_random_uuid(), stream_id, tenant_id, 'm', 'd', 'done', '{}' FROM streams`,
  `INSERT INTO inbox (stream_id, consumer, event_id, tenant_id, body_digest, received_at)
   SELECT stream_id, 'filler', gen_random_uuid()::text, tenant_id, 'd', clock_timestamp() FROM streams`,
  `INSERT INTO transactions (transaction_id, stream_id, tenant_id, tool, status, rev, arguments, started_at)
   SELECT 'transaction-' || stream_id, stream_id, tenant_id, 'tool', 'COMPLETED', 1, '{}', clock_timestamp() FROM streams`,
  `INSERT INTO transaction_items (transaction_id, ordinal, tenant_id, item_id, label, outcome)
   SELECT transaction_id, 0, tenant_id, 'item', 'item', 'succeeded' FROM transactions`,
];

beforeAll(async () => {
  fixture = await createStoreFixture();
  for (const statement of filling) await fixture.sql(statement);
  // A sample of a store with millions of events takes it for one with a few long streams: that is where the pages of a verification went through everything.
  await fixture.sql('ALTER TABLE events ALTER COLUMN stream_id SET (n_distinct_inherited = 300)');
  await fixture.sql('ANALYZE');
  database = new Database({ ...options('latch_orchestrator'), databaseUrl: fixture.url });
}, 120_000);
afterAll(async () => {
  await database.close();
  await fixture.close();
});

/** The plan by which a verification finds the streams of its next page. */
async function planOfPage(): Promise<string> {
  const auditor = new Database({ ...options('latch_auditor'), databaseUrl: fixture.url });
  try {
    await verifyStreams(auditor, { tally: new ProblemTally() });
    return await auditor.snapshot(
      everyTenant,
      async (sql) => {
        const [page] = (await preparedOn(sql)).filter(({ statement }) =>
          /DISTINCT stream_id FROM events/.test(statement),
        );
        const rows = await sql<PlanRow>(
          `EXPLAIN EXECUTE ${page?.name}('${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}', NULL, 200)`,
        );
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      },
      'in_order',
    );
  } finally {
    await auditor.close();
  }
}

type Plan = { readonly statement: string; readonly lines: readonly string[] };

/** Runs a batch, then shows the plan of each statement that it has prepared, as one plan for any values. */
async function plansOfBatch(): Promise<readonly Plan[]> {
  return database.transaction(async (sql, now) => {
    const tx = openTransaction({ sql, now, producer: 'orchestrator', vault: new PersonalVault(testKeyRing) });
    const keys = [oldKey, newKey(tenantId)];
    await tx.claim(keys.map((key) => messageOf(key)));
    await tx.forgetPublished(['published']);
    const loaded = await tx.load(keys);
    await tx.loadPendingOutgoing(keys);
    await tx.loadTurns(['turn']);
    await tx.append(keys.map((key) => decided(key, loaded.get(key)?.version ?? 0)));
    await sql(`SET LOCAL plan_cache_mode = force_generic_plan`);
    return plansOf(sql);
  });
}

function decided(key: ConversationKey, expectedVersion: number): ReturnType<typeof appendOf> {
  const transaction = { id: `transaction-${key}`, tool: 'tool', status: 'COLLECTING_PARAMETERS', rev: 1 } as const;
  const items = [{ id: 'item', label: 'item', outcome: null, reason: null, protocol: null }];
  const startedAt = '2026-11-30T12:00:00.000Z';
  return appendOf(key, {
    expectedVersion,
    events: [event()],
    turns: [{ turnId: `turn-${key}`, messageId: 'm', bodyDigest: 'd', status: 'done', response: '{}' }],
    transactions: [{ ...transaction, arguments: {}, items, outcome: null, startedAt, endedAt: null }],
    invocations: [approved(key)],
    outgoing: [outgoing(key, 'one')],
  });
}

async function plansOf(sql: Sql): Promise<readonly Plan[]> {
  const tables = /\b(FROM|INTO|UPDATE|JOIN)\s+(streams|events|conversations|turns|inbox|transactions)/i;
  const prepared = (await preparedOn(sql)).filter(({ statement }) => tables.test(statement));
  const plans: Plan[] = [];
  for (const { name, statement, parameters } of prepared) {
    const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'NULL').join(', ')})`;
    const rows = await sql<PlanRow>(`EXPLAIN EXECUTE ${name}${values}`);
    plans.push({ statement, lines: rows.map((row) => row['QUERY PLAN']) });
  }
  return plans;
}

type PlanRow = { 'QUERY PLAN': string };
type Prepared = { name: string; statement: string; parameters: number };

async function preparedOn(sql: Sql): Promise<readonly Prepared[]> {
  return sql<Prepared>(
    `SELECT name, statement, cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name ~ '^latch_[0-9]+$'`,
  );
}

describe('a store with tens of thousands of rows', () => {
  it('is claimed from, loaded and appended to by index, whatever the plans were made for: no statement of a batch reads a large table through', async () => {
    const plans = await plansOfBatch();
    const large = /Seq Scan on (streams|events|conversations|turns|inbox|transactions|transaction_items)/;
    const throughAll = plans.filter(({ lines }) => lines.some((line) => large.test(line)));
    expect(throughAll).toEqual([]);
    const read = plans.flatMap(({ lines }) => lines).join('\n');
    for (const table of ['streams', 'conversations', 'turns']) {
      expect(read).toMatch(new RegExp(`Index (Only )?Scan using \\w+ on ${table}\\b|Bitmap Index Scan on ${table}_`));
    }
    expect(plans.map(({ statement }) => statement).join('\n')).toMatch(/INSERT INTO events/);
  });

  it('is verified along the index, as far as the page goes: the streams of a page are found without going through all events', async () => {
    const plan = await planOfPage();
    expect(plan).toMatch(/Index (Only )?Scan using \w+ on events/);
    expect(plan).not.toMatch(/Seq Scan on (streams|conversations|events_first|events_y)|HashAggregate|Gather/);
  });
});
