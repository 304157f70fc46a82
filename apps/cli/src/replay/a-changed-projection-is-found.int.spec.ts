import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProjectionsReport } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import { testKeyRing } from '@latch/testing';
import pg from 'pg';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { projectStream } from './project-stream.ts';

type Table = 'transactions' | 'transaction_items' | 'turns' | 'approved_invocations' | 'tool_ledger' | 'tool_attempts';

const tables: readonly Table[] = [
  'transactions',
  'transaction_items',
  'turns',
  'approved_invocations',
  'tool_ledger',
  'tool_attempts',
];

/** What the events do not say, and nothing that they say depends on. */
const unknowable: Partial<Record<Table, Readonly<Record<string, string>>>> = {
  turns: { created_at: 'the clock of the database when the row came' },
  approved_invocations: { approved_at: 'the clock of the database when the row came' },
  tool_ledger: {
    owner: 'the executor that had it last: of no meaning once the call is done',
    lease_until: 'as above',
    created_at: 'the clock of the database when the row came',
  },
  tool_attempts: {
    owner: 'the executor that made it',
    started_at: 'the clock of the database when the attempt was committed; the execution holds that of the executor',
  },
};

/** A change of a column by the owner of the database; the place where it has to be found, when that is not the column itself. */
type Change = { readonly set: string; readonly place?: string };
const elsewhere = `'00000000-0000-7000-8000-000000000001'`;
const flipped = (column: string): string => `${column} = set_byte(${column}, 40, get_byte(${column}, 40) # 1)`;

function changesOf(isSealed: boolean): Readonly<Record<Table, Readonly<Record<string, Change>>>> {
  const other = (column: string): Change => ({ set: `${column} = ${column} || 'x'` });
  const sealed = (column: string, clear: string): Record<string, Change> => {
    const place = `.${clear}`;
    const set = isSealed ? flipped(column) : `${column} = '\\x01'::bytea, ${clear} = NULL`;
    return { [column]: { set, place }, [clear]: { set: `${clear} = '{"said":"otherwise"}', ${column} = NULL`, place } };
  };
  const base = { tenant_id: { set: `tenant_id = 'acme'` }, stream_id: { set: `stream_id = ${elsewhere}` } };
  return {
    transactions: {
      ...base,
      transaction_id: { set: `transaction_id = 'another'`, place: 'transactions' },
      stream_id: { ...base.stream_id, place: 'transactions' },
      tool: other('tool'),
      status: { set: `status = 'FAILED'` },
      rev: { set: 'rev = rev + 1' },
      arguments: { set: `arguments = '{"id":1}'` },
      outcome: { set: `outcome = 'SUCCESS'` },
      started_at: { set: `started_at = started_at - interval '1 second'` },
      ended_at: { set: `ended_at = NULL` },
    },
    transaction_items: {
      tenant_id: base.tenant_id,
      transaction_id: { set: `transaction_id = 'another'`, place: 'transaction_items' },
      ordinal: { set: 'ordinal = 99', place: 'transaction_items' },
      item_id: other('item_id'),
      label: other('label'),
      outcome: { set: `outcome = 'succeeded'` },
      reason: { set: `reason = 'x'` },
      protocol: { set: `protocol = 'x'` },
    },
    turns: {
      ...base,
      turn_id: { set: `turn_id = 'another'`, place: 'turns' },
      ids: { set: `ids = '\\x00'::bytea`, place: '.ids.message_id' },
      message_id: { set: `ids = NULL, message_id = 'x', body_digest = 'x'`, place: '.ids.message_id' },
      body_digest: { set: `ids = NULL, message_id = 'm-1', body_digest = 'x'`, place: '.ids.body_digest' },
      status: { set: `status = 'in_flight'` },
      ...sealed('sealed_response', 'response'),
    },
    approved_invocations: {
      ...base,
      invocation_id: { set: `invocation_id = 'another'`, place: 'approved_invocations' },
      agent_id: other('agent_id'),
      transaction_id: other('transaction_id'),
      rev: { set: 'rev = rev + 1' },
      tool: other('tool'),
      purpose: { set: `purpose = 'reconcile'` },
      operation_type: { set: `operation_type = 'read_only'` },
      ids: { set: `ids = '\\x00'::bytea`, place: '.ids.digest' },
      proposal_id: { set: `ids = NULL, proposal_id = 'x', digest = 'x'`, place: '.ids.proposal_id' },
      digest: { set: `ids = NULL, proposal_id = 'x', digest = 'x'`, place: '.ids.digest' },
      idempotency_key: other('idempotency_key'),
      expires_at: { set: `expires_at = 'infinity'` },
      ...sealed('sealed_invocation', 'invocation'),
    },
    tool_ledger: {
      ...base,
      invocation_id: { set: `invocation_id = 'another'`, place: 'tool_ledger' },
      status: { set: `status = 'STARTED', execution = NULL, sealed_execution = NULL` },
      attempts: { set: 'attempts = attempts + 1' },
      ...sealed('sealed_execution', 'execution'),
    },
    tool_attempts: {
      tenant_id: base.tenant_id,
      invocation_id: { set: `invocation_id = 'another'`, place: 'tool_attempts' },
      number: { set: 'number = 9', place: 'tool_attempts' },
      ended_at: { set: `ended_at = ended_at + interval '1 second'` },
      step: { set: `step = 'x'` },
      ...sealed('sealed_outcome', 'outcome'),
    },
  };
}

let played: PlayedStore;
let owner: pg.Client;

async function verify(tenantId?: string, keptSince: string | null = null): Promise<ProjectionsReport> {
  const configs = pinnedConfigs(played.auditor);
  const filter = tenantId === undefined ? {} : { tenantId };
  return played.auditor.verifyProjections({
    ...filter,
    read: readToolResult,
    keptSince: () => keptSince,
    project: (stream) => projectStream(stream, configs),
  });
}

const execution = `(SELECT invocation_id FROM kept_approved_invocations WHERE purpose = 'execution' AND tenant_id = 'default')`;
const transaction = `(SELECT transaction_id FROM kept_approved_invocations WHERE invocation_id = ${execution})`;

/** One row of each table: all of the call that ended with one item of three failed. */
const rowOf: Readonly<Record<Table, string>> = {
  transactions: `transaction_id = ${transaction}`,
  transaction_items: `transaction_id = ${transaction} AND ordinal = 3`,
  turns: `turn_id = (SELECT min(turn_id) FROM kept_turns WHERE tenant_id = 'default')`,
  approved_invocations: `invocation_id = ${execution}`,
  tool_ledger: `invocation_id = ${execution}`,
  tool_attempts: `invocation_id = ${execution}`,
};

async function prepare(personalData: Parameters<typeof openPlayedStore>[0]): Promise<void> {
  played = await openPlayedStore(personalData);
  await played.keep(await playedConversation('changed'));
  await played.keep(await playedConversation('other', 'acme'));
  owner = new pg.Client({ connectionString: played.url });
  await owner.connect();
  await owner.query(`SET app.tenants = '{*}'`);
  for (const table of tables) await owner.query(`CREATE TABLE kept_${table} AS TABLE ${table}`);
}

async function putBack(): Promise<void> {
  for (const table of tables) {
    await owner.query(`DELETE FROM ${table}`);
    await owner.query(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
  }
}

async function end(): Promise<void> {
  await owner.end();
  await played.end();
}

async function columnsOf(table: Table): Promise<readonly string[]> {
  const text = `SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`;
  const { rows } = await owner.query<{ column_name: string }>(text, [table]);
  return rows.map((row) => row.column_name).sort();
}

describe.each([
  ['sealed', testKeyRing],
  ['clear', 'clear'],
] as const)('projections whose personal data is %s', (kind, personalData) => {
  beforeAll(() => prepare(personalData), 120_000);
  afterEach(putBack);
  afterAll(end);
  const changes = changesOf(kind === 'sealed');

  it('are what the events say, and every row of them is compared', async () => {
    const report = await verify();
    expect(report).toMatchObject({ differences: 0, places: [], first: null, streams: 2, erased: 0, rebuilt: 0 });
    const counted = await Promise.all(
      tables.map(async (table) => Number((await owner.query(`SELECT count(*) FROM ${table}`)).rows[0].count)),
    );
    expect(report.rows).toBe(counted.reduce((sum, count) => sum + count, 0));
  });

  it('have no column of which nobody has thought', async () => {
    for (const table of tables) {
      const known = [...Object.keys(changes[table]), ...Object.keys(unknowable[table] ?? {})].sort();
      expect([table, known]).toEqual([table, await columnsOf(table)]);
    }
  });

  it.each(
    tables.flatMap((table) =>
      Object.entries(changes[table]).map(([column, change]) => [`${table}.${column}`, table, change] as const),
    ),
  )('are found to be changed in %s', async (name, table, { set, place = name }) => {
    const { rowCount } = await owner.query(`UPDATE ${table} SET ${set} WHERE ${rowOf[table]}`);
    expect(rowCount).toBe(1);
    const report = await verify();
    expect(report.differences).toBeGreaterThan(0);
    const places = report.places.map((one) => one.place);
    expect(places).toContain(place.startsWith('.') ? `${table}${place}` : place);
  });

  it.each(tables.flatMap((table) => Object.keys(unknowable[table] ?? {}).map((column) => [table, column] as const)))(
    'may say anything in %s.%s',
    async (table, column) => {
      const value = column === 'owner' ? `'x'` : `now()`;
      await owner.query(`UPDATE ${table} SET ${column} = ${value} WHERE ${rowOf[table]}`);
      expect((await verify()).differences).toBe(0);
    },
  );

  it.each(tables)('are found to lack a row of %s', async (table) => {
    await owner.query(`DELETE FROM ${table} WHERE ${rowOf[table]}`);
    const report = await verify();
    expect(report.places.map(({ place }) => place)).toContain(table);
    expect(report.places.find(({ place }) => place === table)?.first).toMatchObject({ table, column: null });
  });

  it.each([
    ['transactions', `transaction_id = 'invented'`],
    ['transaction_items', `ordinal = 4`],
    ['turns', `turn_id = 'invented'`],
    ['approved_invocations', `invocation_id = 'invented', idempotency_key = 'invented'`],
    ['tool_ledger', `invocation_id = 'invented'`],
    ['tool_attempts', `number = 2`],
  ] as const)('are found to have a row of %s too many', async (table, set) => {
    await owner.query(`CREATE TEMP TABLE invented AS SELECT * FROM ${table} WHERE ${rowOf[table]}`);
    await owner.query(`UPDATE invented SET ${set}`);
    await owner.query(`INSERT INTO ${table} SELECT * FROM invented`);
    await owner.query('DROP TABLE invented');
    const report = await verify();
    expect(report.differences).toBe(1);
    expect(report.first).toMatchObject({ table });
  });

  /** Calls that nobody approved, so many, all begun at one instant. */
  const inventCalls = async (count: number, name: string, begun: string): Promise<void> => {
    await owner.query(
      `CREATE TEMP TABLE invented AS SELECT l.*, g.n FROM tool_ledger l, generate_series(1, ${count}) g (n) WHERE ${rowOf.tool_ledger}`,
    );
    await owner.query(`UPDATE invented SET invocation_id = '${name}-' || n, created_at = '${begun}'`);
    await owner.query('ALTER TABLE invented DROP COLUMN n');
    await owner.query('INSERT INTO tool_ledger SELECT * FROM invented');
    await owner.query('DROP TABLE invented');
  };
  const [old, kept] = ['2026-10-01T00:00:00Z', '2027-01-01T00:00:00Z'];

  it('have a row that belongs to nothing found behind hundreds that retention is about to take', async () => {
    await inventCalls(250, 'old', old);
    expect(await verify(undefined, '2026-11-01T00:00:00Z')).toMatchObject({ differences: 0 });
    await inventCalls(1, 'real', kept);
    const report = await verify(undefined, '2026-11-01T00:00:00Z');
    expect(report).toMatchObject({ differences: 1, isAtLeast: false, first: { kind: 'orphan', row: 'real-1' } });
  });

  it('have a hundred rows that belong to nothing counted of each tenant, and more said to be there', async () => {
    await inventCalls(130, 'many', kept);
    await owner.query(`UPDATE tool_ledger SET tenant_id = 'acme' WHERE invocation_id LIKE 'many-1%'`);
    expect((await verify()).places).toMatchObject([
      { place: 'tool_ledger', kind: 'orphan', isAtLeast: false, count: 130 },
    ]);
    await inventCalls(90, 'more', kept);
    const report = await verify();
    expect(report).toMatchObject({ isAtLeast: true, differences: 142 });
    expect(report.places).toMatchObject([{ place: 'tool_ledger', kind: 'orphan', isAtLeast: true, count: 142 }]);
  });

  it('have a transaction that belongs to nothing found however old it is: retention takes none', async () => {
    await owner.query(`CREATE TEMP TABLE invented AS SELECT * FROM transactions WHERE ${rowOf.transactions}`);
    await owner.query(
      `UPDATE invented SET transaction_id = 'invented', stream_id = ${elsewhere}, started_at = '${old}'`,
    );
    await owner.query('INSERT INTO transactions SELECT * FROM invented');
    await owner.query('DROP TABLE invented');
    const report = await verify(undefined, '2026-11-01T00:00:00Z');
    expect(report).toMatchObject({ differences: 1, first: { kind: 'orphan', table: 'transactions', row: 'invented' } });
  });

  it('have a turn that nobody sent found where retention has taken another', async () => {
    await owner.query(`CREATE TEMP TABLE invented AS SELECT * FROM turns WHERE ${rowOf.turns}`);
    await owner.query(`DELETE FROM turns WHERE ${rowOf.turns}`);
    await owner.query(`UPDATE invented SET turn_id = 'invented', created_at = '${kept}'`);
    await owner.query('INSERT INTO turns SELECT * FROM invented');
    await owner.query('DROP TABLE invented');
    const report = await verify(undefined, '2026-12-01T00:00:00Z');
    expect(report).toMatchObject({
      differences: 1,
      letGo: 1,
      first: { kind: 'orphan', table: 'turns', row: 'invented' },
    });
  });

  it('have rows that are missing and rows that belong to nothing told apart', async () => {
    await owner.query(`UPDATE tool_ledger SET invocation_id = 'another' WHERE ${rowOf.tool_ledger}`);
    const kinds = (await verify()).places
      .filter(({ place }) => place === 'tool_ledger')
      .map(({ kind, count }) => [kind, count]);
    expect(kinds).toEqual([
      ['missing', 1],
      ['orphan', 1],
    ]);
  });
});
