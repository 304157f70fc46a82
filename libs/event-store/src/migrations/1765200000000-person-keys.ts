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
    for (const statement of [...tables, ...grants, ...functions]) await runner.query(statement);
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
  ...tenantTable({ table: 'subject_keys', grants: { latch_orchestrator: grow, latch_maintenance: keep } }),
  ...tenantTable({ table: 'person_keys', grants: { ...readers, latch_orchestrator: grow, latch_maintenance: keep } }),
  ...tenantTable({
    table: 'person_streams',
    grants: { ...readers, latch_orchestrator: keep, latch_maintenance: keep },
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
