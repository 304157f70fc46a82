import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { sweepFunction } from './sweep-functions.ts';

/**
 * What is sealed is stored as bytes, beside the column that holds it as text or JSON; of an event the whole record. Rows of before stay as they are and are read
 * as before: nothing is rewritten, no row is copied.
 */
export class CompactRows1766000000000 implements MigrationInterface {
  readonly name = 'CompactRows1766000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...events, ...sealedColumns, ...claims]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** An event is stored in one way or in the other, never in parts of both: what stands beside a record would be covered by no hash. */
const events = [
  `ALTER TABLE events ADD COLUMN record bytea,
     ALTER COLUMN event_id DROP NOT NULL, ALTER COLUMN payload DROP NOT NULL, ALTER COLUMN trace_id DROP NOT NULL`,
  `ALTER TABLE events ADD CONSTRAINT events_have_one_record CHECK (CASE WHEN record IS NULL
     THEN num_nulls(event_id, payload, trace_id) = 0 ELSE num_nonnulls(event_id, payload, trace_id, causation_id, message_id) = 0 END)`,
];

/** What is sealed in the column beside it stands there as bytes; a value is in one of the two. */
const sealedColumns = [
  `ALTER TABLE turns ADD COLUMN sealed_response bytea, ADD COLUMN ids bytea,
     ALTER COLUMN message_id DROP NOT NULL, ALTER COLUMN body_digest DROP NOT NULL, DROP CONSTRAINT turns_done_has_response`,
  `ALTER TABLE turns ADD CONSTRAINT turns_done_has_response
     CHECK (num_nonnulls(response, sealed_response) <= 1 AND (status <> 'done' OR num_nonnulls(response, sealed_response) = 1))`,
  `ALTER TABLE turns ADD CONSTRAINT turns_have_ids CHECK (num_nonnulls(message_id, body_digest) = CASE WHEN ids IS NULL THEN 2 ELSE 0 END)`,
  `ALTER TABLE conversations ADD COLUMN sealed_state bytea, ALTER COLUMN state DROP NOT NULL`,
  `ALTER TABLE conversations ADD CONSTRAINT conversations_have_one_state CHECK (num_nonnulls(state, sealed_state) = 1)`,
  `ALTER TABLE approved_invocations ADD COLUMN sealed_invocation bytea, ADD COLUMN ids bytea,
     ALTER COLUMN invocation DROP NOT NULL, ALTER COLUMN digest DROP NOT NULL`,
  `ALTER TABLE approved_invocations ADD CONSTRAINT approved_invocations_have_one_call CHECK (num_nonnulls(invocation, sealed_invocation) = 1)`,
  `ALTER TABLE approved_invocations ADD CONSTRAINT approved_invocations_have_ids CHECK (num_nonnulls(digest, ids) = 1)`,
  `ALTER TABLE tool_ledger ADD COLUMN sealed_execution bytea, DROP CONSTRAINT tool_ledger_done_has_execution`,
  `ALTER TABLE tool_ledger ADD CONSTRAINT tool_ledger_done_has_execution
     CHECK (num_nonnulls(execution, sealed_execution) = CASE status WHEN 'DONE' THEN 1 ELSE 0 END)`,
  `ALTER TABLE tool_attempts ADD COLUMN sealed_outcome bytea`,
  `ALTER TABLE tool_attempts ADD CONSTRAINT tool_attempts_have_one_outcome CHECK (num_nonnulls(outcome, sealed_outcome) <= 1)`,
];

const claimOf = (row: string): string =>
  `substr(sha256(convert_to(${row}.consumer || chr(10) || ${row}.event_id, 'UTF8')), 1, 16)`;
const bodyOf = (row: string): string => `substr(sha256(convert_to(${row}.body_digest, 'UTF8')), 1, 16)`;

/** A claim is found by a digest of who claims what. Claims of before get theirs, and so does what a replica of an older release claims while it still runs. */
const claims = [
  // Row-level security holds for the owner too.
  `SELECT set_config('app.tenants', '{*}', true)`,
  `ALTER TABLE inbox ADD COLUMN claim bytea, ADD COLUMN body bytea`,
  `UPDATE inbox SET claim = ${claimOf('inbox')}, body = ${bodyOf('inbox')}`,
  `ALTER TABLE inbox DROP CONSTRAINT inbox_pkey, ALTER COLUMN consumer DROP NOT NULL, ALTER COLUMN event_id DROP NOT NULL,
     ALTER COLUMN body_digest DROP NOT NULL`,
  `ALTER TABLE inbox ADD CONSTRAINT inbox_pkey PRIMARY KEY (stream_id, claim), ALTER COLUMN body SET NOT NULL`,
  `CREATE FUNCTION digest_claim() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.claim := ${claimOf('NEW')};
     NEW.body := ${bodyOf('NEW')};
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER claims_of_older_releases BEFORE INSERT ON inbox FOR EACH ROW WHEN (NEW.claim IS NULL) EXECUTE FUNCTION digest_claim()`,
  `DROP FUNCTION forget_old_claims(double precision, int)`,
  ...sweepFunction({
    name: 'forget_old_claims',
    parameters: ['older_than_hours double precision', 'max_rows int'],
    returns: 'int',
    body: `
      WITH forgotten AS (
        DELETE FROM inbox WHERE (stream_id, claim) IN (
          SELECT stream_id, claim FROM inbox
          WHERE received_at < clock_timestamp() - make_interval(secs => older_than_hours * 3600)
          ORDER BY received_at LIMIT max_rows
          FOR UPDATE SKIP LOCKED
        )
        RETURNING stream_id
      )
      SELECT count(*)::int FROM forgotten`,
    roles: ['latch_orchestrator'],
  }),
];
