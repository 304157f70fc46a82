import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { sweepFunction } from './sweep-functions.ts';
import { tenantTable } from './tenant-table.ts';

/**
 * Data keys of people. A row whose `wrapped_key` is null is a destroyed key: it stays, so that what it sealed reads as erased and not as lost. There are no
 * clear ids of people: `subject` is a digest under a key of the tenant (`subject_keys`), which is wrapped like the others.
 */
export class PersonKeys1765200000000 implements MigrationInterface {
  readonly name = 'PersonKeys1765200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...grants, ...maintenance, ...functions, ...retention])
      await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const tables = [
  `CREATE TABLE subject_keys (
    tenant_id text COLLATE "C" PRIMARY KEY,
    wrapped_key text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE TABLE person_keys (
    key_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL,
    subject bytea NOT NULL CHECK (length(subject) = 16),
    period text COLLATE "C" NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
    wrapped_key text COLLATE "C",
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    destroyed_at timestamptz(3),
    destroyed_by text COLLATE "C" CHECK (destroyed_by IN ('erase', 'retention')),
    CONSTRAINT person_keys_destroyed_has_no_key CHECK (num_nulls(wrapped_key, destroyed_at, destroyed_by) IN (1, 2)
      AND (wrapped_key IS NULL) = (destroyed_at IS NOT NULL) AND (destroyed_at IS NULL) = (destroyed_by IS NULL))
  )`,
  // After an erasure the same person, in the same month, gets a new key.
  `CREATE UNIQUE INDEX person_keys_in_use ON person_keys (tenant_id, subject, period) WHERE wrapped_key IS NOT NULL`,
  `CREATE INDEX person_keys_by_period ON person_keys (tenant_id, period) WHERE wrapped_key IS NOT NULL`,
  // Who took part in which conversation, and the last key of that person that was used there.
  `CREATE TABLE person_streams (
    stream_id uuid NOT NULL,
    subject bytea NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    key_id bigint NOT NULL,
    PRIMARY KEY (stream_id, subject)
  )`,
  `CREATE INDEX person_streams_by_subject ON person_streams (tenant_id, subject)`,
  `CREATE INDEX person_streams_by_key ON person_streams (key_id)`,
];

const read = ['SELECT'] as const;
const grow = ['SELECT', 'INSERT'] as const;
const keep = ['SELECT', 'INSERT', 'UPDATE'] as const;

const readers = { latch_ingress: read, latch_tool_executor: read, latch_evaluator: read, latch_console: read } as const;

const grants = [
  ...tenantTable({
    table: 'subject_keys',
    grants: { latch_orchestrator: grow, latch_maintenance: ['SELECT', 'INSERT', 'UPDATE'] },
  }),
  ...tenantTable({ table: 'person_keys', grants: { ...readers, latch_orchestrator: grow, latch_maintenance: keep } }),
  ...tenantTable({
    table: 'person_streams',
    grants: { ...readers, latch_orchestrator: keep, latch_maintenance: keep },
  }),
];

/** An erasure appends its tombstones, and retention lets go of what stands beside the events. */
const maintenance = [
  `GRANT SELECT ON streams TO latch_maintenance`,
  `GRANT INSERT ON events TO latch_maintenance`,
  `GRANT USAGE ON SEQUENCE event_positions TO latch_maintenance`,
];

const underWay = `('PRE_VALIDATION', 'EXECUTING', 'OUTCOME_UNKNOWN')`;
const sweepers = ['latch_orchestrator', 'latch_maintenance'] as const;
const isOfTenants = `(of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants)`;

/** Deletes the oldest rows of a table that nothing needs any more. */
function forgotten(table: string, at: string, more = ''): string {
  return `${table}_gone AS (
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM ${table} WHERE ${at} < before AND ${isOfTenants}${more} LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  )`;
}

const isDone = (table: string): string =>
  ` AND NOT EXISTS (SELECT FROM tool_ledger l WHERE l.invocation_id = ${table}.invocation_id AND l.status <> 'DONE')`;

const forgettable = [
  'turns',
  'tool_attempts',
  'approved_invocations',
  'tool_ledger',
  'evaluation_evidence',
  'evaluation_turns',
  'evaluation_results',
];

const retention = [
  ...sweepFunction({
    name: 'destroy_old_keys',
    parameters: ['of_tenants text[]', 'except_tenants text[]', 'before_period text', 'max_rows int'],
    returns: 'int',
    body: `
      WITH destroyed AS (
        UPDATE person_keys SET wrapped_key = NULL, destroyed_at = clock_timestamp(), destroyed_by = 'retention'
        WHERE key_id IN (
          SELECT k.key_id FROM person_keys k
          WHERE k.wrapped_key IS NOT NULL AND k.period < before_period AND ${isOfTenants}
            AND NOT EXISTS (
              SELECT FROM person_streams p JOIN transactions t USING (stream_id) WHERE p.key_id = k.key_id AND t.ended_at IS NULL AND t.status IN ${underWay})
          ORDER BY k.key_id LIMIT max_rows
          FOR UPDATE OF k SKIP LOCKED)
        RETURNING key_id
      )
      SELECT count(*)::int FROM destroyed`.replaceAll('tenant_id', 'k.tenant_id'),
    roles: sweepers,
  }),
  ...sweepFunction({
    name: 'forget_old_rows',
    parameters: ['of_tenants text[]', 'except_tenants text[]', 'before timestamptz', 'max_rows int'],
    returns: 'int',
    body: `
      WITH ${[
        forgotten('turns', 'created_at', ` AND status = 'done'`),
        forgotten('tool_attempts', 'started_at', isDone('tool_attempts')),
        forgotten('approved_invocations', 'approved_at', isDone('approved_invocations')),
        forgotten('tool_ledger', 'created_at', ` AND status = 'DONE'`),
        forgotten('evaluation_evidence', 'received_at'),
        forgotten('evaluation_turns', 'received_at'),
        forgotten('evaluation_results', 'evaluated_at'),
      ].join(', ')}
      SELECT (${forgettable.map((table) => `(SELECT count(*) FROM ${table}_gone)`).join(' + ')})::int`,
    roles: sweepers,
  }),
];

const functions = [
  // Who seals takes the lock shared, who destroys takes it alone. Digests are random numbers, so two people share a lock about never.
  `CREATE FUNCTION person_lock(subject bytea) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
   RETURN ('x' || encode(substring(subject FROM 1 FOR 8), 'hex'))::bit(64)::bigint`,
  // The relay publishes for all tenants what their batches have left behind.
  ...sweepFunction({
    name: 'keys_of_outbox',
    parameters: ['ids bigint[]'],
    returns: 'SETOF person_keys',
    body: `SELECT * FROM person_keys WHERE key_id = ANY (ids)`,
    roles: ['latch_orchestrator', 'latch_tool_executor', 'latch_maintenance', 'latch_console'],
  }),
];
