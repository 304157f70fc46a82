import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EventStore } from './event-store.ts';
import { allTenantsRole, type StoreRole, storeRoles } from './migrations/tenant-table.ts';
import { appendBatch, approved, createStoreFixture, newKey, type StoreFixture } from './store-fixture.features.ts';

const bytes = `decode('00', 'hex')`;

/**
 * Every table with what a row of it needs beyond a value of each column's type. A new table has to be added here: then every role is tried on it. The second list
 * is of tables that belong to no tenant.
 */
const tenantTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approved_invocations: { ids: bytes, sealed_invocation: bytes },
  config_versions: {},
  conversations: { sealed_state: bytes },
  evaluation_evidence: {},
  evaluation_results: {},
  evaluation_turns: {},
  events: { record: bytes },
  inbox: {},
  outbox: {},
  person_keys: { subject: `'\\x${'0'.repeat(32)}'`, period: `'2026-11'`, wrapped_key: `md5(random()::text)` },
  person_streams: { subject: `'\\x${'0'.repeat(32)}'` },
  sealed_heads: {},
  seals: { seal_number: '(SELECT COALESCE(max(seal_number), 0) + 1 + (random() * 1e9)::bigint FROM seals)' },
  streams: {},
  subject_keys: {},
  tool_attempts: {},
  tool_ledger: { status: `'CLAIMED'` },
  transaction_items: {},
  transactions: {},
  turns: { status: `'in_flight'`, ids: bytes },
};
const platformTables = ['open_alarms', 'schema_migrations', 'tool_catalogue'];

/** Functions that run as the owner and so see all tenants: each does one thing and gives no personal data. A new one has to be argued here. */
const sweeps: Readonly<Record<string, string>> = {
  create_event_partitions: 'touches no row',
  destroy_old_keys: 'destroys keys that are older than their tenant keeps them; tells a number',
  due_deadlines: 'wakes conversations whose deadline has passed, by name',
  forget_evidence_before: 'deletes old evidence of the evaluator',
  forget_old_claims: 'deletes old claims; tells a number',
  forget_old_rows: 'deletes what is older than its tenant keeps it; tells a number',
  forget_outgoing: 'deletes published messages of one producer by id',
  has_events_outside_partitions: 'tells yes or no',
  heads_to_seal: 'tells ids and hashes of streams, to be signed',
  keys_of_outbox: 'gives the wrapped keys of messages that the relay has in hand',
  leaves_of_seal: 'tells hashes of the heads under one seal',
  measure_outbox: 'tells two numbers',
  open_transactions: 'tells numbers by status',
  pending_outgoing: 'gives the relay the sealed messages of one producer',
  take_over_invocations: 'takes over calls whose executor died',
  tenants_of_invocations: 'tells whose calls these are',
  waiting_turns_before: 'gives the evaluator the answers that wait for it',
};

let fixture: StoreFixture;
const logins = new Map<StoreRole, pg.Client>();
const suffix = randomBytes(4).toString('hex');

beforeAll(async () => {
  fixture = await createStoreFixture();
  for (const table of Object.keys(tenantTables)) {
    for (const tenant of ['a', 'b']) await fixture.sql(await insertOf(table, tenant));
  }
  for (const role of storeRoles) {
    const login = `plain_${role}_${suffix}`;
    await fixture.sql(`CREATE ROLE ${login} LOGIN IN ROLE ${role}`);
    const url = new URL(fixture.url);
    url.username = login;
    const client = new pg.Client({ connectionString: url.toString(), options: `-c role=${role}` });
    await client.connect();
    logins.set(role, client);
  }
}, 60_000);
afterAll(async () => {
  await Promise.all([...logins.values()].map((client) => client.end()));
  for (const role of storeRoles) await fixture.sql(`DROP ROLE IF EXISTS plain_${role}_${suffix}`);
  await fixture.close();
});

type ColumnRow = { name: string; type: string };

/** An insert of a row of a tenant, with a value of the column's type for each column that must have one. */
async function insertOf(table: string, tenant: string): Promise<string> {
  const columns = await fixture.sql<ColumnRow>(
    `SELECT attname::text AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND (attnotnull OR attname = ANY ($2)) AND attnum > 0 AND NOT attisdropped AND attidentity = ''`,
    [table, Object.keys(tenantTables[table] ?? {})],
  );
  const values = columns.map(({ name, type }) =>
    name === 'tenant_id' ? `'${tenant}'` : (tenantTables[table]?.[name] ?? valueOf(type)),
  );
  return `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')}) VALUES (${values.join(', ')})`;
}

function valueOf(type: string): string {
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'json') return `'{}'`;
  if (type === 'bytea') return `decode(repeat('ab', 32), 'hex')`;
  if (type === 'xid8') return 'pg_current_xact_id()';
  if (type.startsWith('timestamp')) return 'clock_timestamp()';
  return type === 'integer' || type === 'bigint' ? '1 + (random() * 1e6)::int' : 'md5(random()::text)';
}

/** Runs a statement as a role with a scope open, and takes it back. @returns the rows, or the SQLSTATE of the refusal. */
async function as(
  role: StoreRole,
  scope: string | null,
  statement: string,
): Promise<readonly Record<string, unknown>[] | string> {
  const client = logins.get(role);
  if (!client) throw new Error(`No login for ${role}`);
  await client.query('BEGIN');
  try {
    if (scope !== null) await client.query(`SELECT set_config('app.tenants', $1, true)`, [scope]);
    return (await client.query(statement)).rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code ?? '';
    throw error;
  } finally {
    await client.query('ROLLBACK');
  }
}

const refused = '42501';

describe('the tables of the store', () => {
  it('are all in the list above, so that every role is tried on each', async () => {
    const rows = await fixture.sql<{ name: string; has_tenant: boolean }>(
      `SELECT c.relname::text AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id') AS has_tenant
       FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const of = (hasTenant: boolean) =>
      rows
        .filter((row) => row.has_tenant === hasTenant)
        .map(({ name }) => name)
        .sort();
    expect(of(true)).toEqual(Object.keys(tenantTables).sort());
    expect(of(false)).toEqual(platformTables);
  });

  it('are read through nothing else: there is no view, and no foreign table, past their row-level security', async () => {
    const rows = await fixture.sql(
      `SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(rows).toEqual([]);
  });

  it('stand in no other schema', async () => {
    const rows = await fixture.sql(
      `SELECT DISTINCT table_schema::text AS name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'public')`,
    );
    expect(rows).toEqual([]);
  });

  it('have row-level security that binds their owner too', async () => {
    const rows = await fixture.sql<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class WHERE relname = ANY ($1) AND NOT (relrowsecurity AND relforcerowsecurity)`,
      [Object.keys(tenantTables)],
    );
    expect(rows).toEqual([]);
  });

  it('have partitions that no service reaches but through their table', async () => {
    for (const role of storeRoles) expect(await as(role, '{a}', 'SELECT * FROM events_first')).toBe(refused);
  });
});

describe('the functions that run as the owner', () => {
  it('are all in the list above, and open to nobody by default', async () => {
    const rows = await fixture.sql<{ name: string; is_public: boolean }>(
      `SELECT p.proname::text AS name, EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee = 0) OR p.proacl IS NULL AS is_public
       FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(sweeps));
    expect(rows.filter(({ is_public }) => is_public)).toEqual([]);
  });
});

describe.each(storeRoles)('as %s, by a plain login with one tenant open', (role) => {
  it.each(Object.keys(tenantTables))('nothing of the other tenant is visible or writable in %s', async (table) => {
    const seen = await as(role, '{a}', `SELECT DISTINCT tenant_id FROM ${table} WHERE tenant_id <> '*'`);
    if (seen !== refused) expect(seen).toEqual([{ tenant_id: 'a' }]);
    expect(await as(role, '{a}', await insertOf(table, 'b'))).toBe(refused);
    const moved = await as(role, '{a}', `UPDATE ${table} SET tenant_id = 'b' WHERE tenant_id = 'a' RETURNING 1`);
    expect(moved).toBe(refused);
    for (const statement of [
      `UPDATE ${table} SET tenant_id = 'a' WHERE tenant_id = 'b' RETURNING 1`,
      `DELETE FROM ${table} WHERE tenant_id = 'b' RETURNING 1`,
    ]) {
      const touched = await as(role, '{a}', statement);
      expect(touched === refused ? [] : touched).toEqual([]);
    }
  });

  it('nothing at all is visible with no tenant open', async () => {
    for (const table of Object.keys(tenantTables)) {
      const seen = await as(role, null, `SELECT tenant_id FROM ${table} WHERE tenant_id <> '*'`);
      if (seen !== refused) expect({ table, seen }).toEqual({ table, seen: [] });
    }
  });

  it('all tenants are open only to operator and auditor', async () => {
    const [member] = await fixture.sql<{ is_member: boolean }>(`SELECT pg_has_role($1, $2, 'USAGE') AS is_member`, [
      role,
      allTenantsRole,
    ]);
    expect(member?.is_member).toBe(['latch_maintenance', 'latch_auditor'].includes(role));
    for (const table of Object.keys(tenantTables)) {
      const seen = await as(role, '{*}', `SELECT DISTINCT tenant_id FROM ${table} WHERE tenant_id <> '*' ORDER BY 1`);
      if (seen !== refused)
        expect({ table, seen }).toEqual({
          table,
          seen: member?.is_member ? [{ tenant_id: 'a' }, { tenant_id: 'b' }] : [],
        });
    }
  });

  it('events are inserted at most: no update, no delete, no truncate', async () => {
    for (const statement of [`UPDATE events SET type = 'x'`, 'DELETE FROM events', 'TRUNCATE events']) {
      expect(await as(role, '{a}', statement)).toBe(refused);
    }
  });
});

describe('every read of the store', () => {
  it('gives one tenant nothing of what the other has under the same names', async () => {
    const [engine, ingress] = await Promise.all([fixture.open(), fixture.open('ingress')]);
    const key = newKey('c');
    const call = approved(key);
    const transaction = {
      id: `t-${key}`,
      tool: 'x',
      status: 'EXECUTING',
      rev: 1,
      arguments: {},
      items: [],
      outcome: null,
    } as const;
    await appendBatch(engine, key, {
      turns: [{ turnId: `turn-${key}`, messageId: 'm', bodyDigest: 'd', status: 'done', response: '{}' }],
      transactions: [{ ...transaction, startedAt: '2026-11-30T12:00:00.000Z', endedAt: null }],
      invocations: [call],
    });
    const since = '2026-01-01T00:00:00.000Z';
    const reads: Readonly<Record<string, (tenantId: string) => Promise<unknown>>> = {
      readConversation: (tenantId) => ingress.readConversation(tenantId, key),
      countEvents: (tenantId) => ingress.countEvents(tenantId, key),
      verifyStream: (tenantId) => ingress.verifyStream({ tenantId, conversationKey: key }),
      readEvents: async (tenantId) => (await ingress.readEvents({ tenantId, key, after: 0, limit: 10 }))[0],
      readTurn: (tenantId) => ingress.readTurn(tenantId, `turn-${key}`),
      readTurns: async (tenantId) => [...(await ingress.readTurns(tenantId, [`turn-${key}`])).values()][0],
      listTransactions: async (tenantId) =>
        (await ingress.listTransactions({ tenantId, limit: 10 })).find(({ id }) => id === transaction.id),
      readTransaction: (tenantId) => ingress.readTransaction(tenantId, transaction.id),
      countTransactions: async (tenantId) =>
        (await ingress.countTransactions({ tenantId, since })).find(({ status }) => status === 'EXECUTING'),
    };
    /** Of no tenant, or by an id that only who was told it knows: the executor and the judges. */
    const withoutTenant = [
      'readApprovedInvocation',
      'readApprovedInvocations',
      'readAcceptedSchemas',
      'readConfigVersion',
      'countOpenTransactions',
    ];
    const all = Object.getOwnPropertyNames(EventStore.prototype).filter((name) => /^(read|list|count)/.test(name));
    expect(all.filter((name) => !(name in reads) && !withoutTenant.includes(name))).toEqual([]);
    for (const [name, read] of Object.entries(reads)) {
      expect({ name, own: (await read('c')) !== undefined, others: await read('a') }).toEqual({
        name,
        own: true,
        others: undefined,
      });
    }
    expect(await ingress.streams.one('a', key)).toBeUndefined();
    expect(await ingress.streams.count({})).toBe(0);
  });
});
