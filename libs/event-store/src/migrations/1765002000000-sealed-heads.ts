import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { sweepFunction } from './sweep-functions.ts';
import { tenantTable } from './tenant-table.ts';

/**
 * Seals: from time to time the heads of all streams that have grown are signed together, and each seal is chained to the one before. What was sealed cannot be
 * rewritten, not even with new hashes, by anybody who lacks the key. A seal belongs to no tenant and holds digests only; its heads belong to theirs.
 */
export class SealedHeads1765002000000 implements MigrationInterface {
  readonly name = 'SealedHeads1765002000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...grants, ...sweep]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const tables = [
  // (written_by, position): how far in the global order of events it reaches, where the next one goes on.
  `CREATE TABLE seals (
    seal_number bigint PRIMARY KEY CHECK (seal_number > 0),
    tenant_id text COLLATE "C" NOT NULL DEFAULT '*',
    previous_hash text COLLATE "C" NOT NULL,
    sealed_at timestamptz(3) NOT NULL,
    written_by xid8 NOT NULL,
    position bigint NOT NULL,
    events integer NOT NULL,
    heads integer NOT NULL,
    heads_digest text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    signature text COLLATE "C" NOT NULL
  )`,
  `CREATE TABLE sealed_heads (
    seal_number bigint NOT NULL,
    stream_id uuid NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    stream_version integer NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (seal_number, stream_id)
  )`,
  `CREATE INDEX sealed_heads_by_stream ON sealed_heads (stream_id)`,
  ...['seals', 'sealed_heads'].flatMap((table) => [
    `CREATE TRIGGER ${table}_are_insert_only BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    `CREATE TRIGGER ${table}_are_never_truncated BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  ]),
];

const read = ['SELECT'] as const;
const grow = ['SELECT', 'INSERT'] as const;
const readersAndSealer = {
  latch_orchestrator: grow,
  latch_ingress: read,
  latch_console: read,
  latch_maintenance: read,
};

const grants = [
  ...tenantTable({ table: 'seals', grants: readersAndSealer }),
  `CREATE POLICY shared ON seals FOR SELECT USING (tenant_id = '*')`,
  ...tenantTable({ table: 'sealed_heads', grants: readersAndSealer }),
];

/**
 * The youngest head of each stream among the next events in the global order, below the oldest transaction that still runs: no late commit is ever left out. A
 * place that this Postgres has not reached yet comes from another one (a restore): then all is sealed once more.
 */
const sweep = sweepFunction({
  name: 'heads_to_seal',
  parameters: ['after_written_by text', 'after_position bigint', 'max_events int'],
  returns: `TABLE (stream_id uuid, tenant_id text, stream_version int, hash text, written_by text, "position" bigint, events int)`,
  body: `
    WITH batch AS (
      SELECT e.written_by, e.position, e.stream_id, e.tenant_id, e.stream_version, e.hash FROM events e
      WHERE (e.written_by, e.position) > (
          CASE WHEN after_written_by::xid8 < pg_snapshot_xmax(pg_current_snapshot()) THEN after_written_by ELSE '0' END::xid8, after_position)
        AND e.written_by < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY e.written_by, e.position LIMIT max_events
    ), last AS (
      SELECT b.written_by, b.position FROM batch b ORDER BY b.written_by DESC, b.position DESC LIMIT 1
    )
    SELECT DISTINCT ON (b.stream_id) b.stream_id, b.tenant_id, b.stream_version, encode(b.hash, 'hex'), last.written_by::text,
      last.position, (SELECT count(*)::int FROM batch)
    FROM batch b, last
    ORDER BY b.stream_id, b.stream_version DESC`,
  roles: ['latch_orchestrator', 'latch_maintenance'],
});
