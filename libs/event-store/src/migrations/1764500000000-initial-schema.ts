import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The first schema. Keys lead with `stream_id`, a time-ordered UUID, so that new rows land at the end of each index, and so that a table can be
 * partitioned by range of it (month or day of the conversation's begin) with no change of a key.
 *
 * There are no foreign keys between the tables of the hot path: one transaction writes parent and child, and a check would cost a look-up per row.
 */
export class InitialSchema1764500000000 implements MigrationInterface {
  readonly name = 'InitialSchema1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...streamTables, ...projectionTables, ...messageTables, ...toolTables, ...otherTables]) {
      await runner.query(statement);
    }
  }

  /** The schema only goes forward: a wrong migration is followed by one that repairs it. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const streamTables = [
  `CREATE TABLE streams (
    stream_id uuid PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL,
    conversation_key text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  // json, not jsonb: it keeps the text byte for byte, so that a hash can be checked, and takes \u0000 and lone surrogates as users send them.
  `CREATE SEQUENCE event_positions`,
  `CREATE TABLE events (
    stream_id uuid NOT NULL,
    stream_version integer NOT NULL CHECK (stream_version > 0),
    tenant_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    payload json NOT NULL,
    occurred_at timestamptz(3) NOT NULL,
    causation_id text COLLATE "C",
    message_id text COLLATE "C",
    transaction_id text COLLATE "C",
    trace_id text COLLATE "C" NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
    position bigint NOT NULL DEFAULT nextval('event_positions'),
    PRIMARY KEY (stream_id, stream_version)
  )`,
  // Positions are given before the commit, so that a late commit shows up behind later positions. A reader goes by (written_by, position), below the
  // oldest transaction that still runs, and misses nothing.
  `CREATE UNIQUE INDEX events_in_global_order ON events (written_by, position)`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% on % is refused: events are only ever inserted', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $$`,
  `CREATE TRIGGER events_are_insert_only BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `CREATE TABLE conversations (
    stream_id uuid PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    version integer NOT NULL CHECK (version >= 0),
    head_hash bytea NOT NULL CHECK (length(head_hash) = 32),
    state json NOT NULL,
    config_digest text COLLATE "C",
    deadline_at timestamptz(3),
    deadline_transaction_id text COLLATE "C",
    deadline_rev integer,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT conversations_deadline_is_whole CHECK (num_nulls(deadline_at, deadline_transaction_id, deadline_rev) IN (0, 3))
  )`,
  `CREATE INDEX conversations_by_deadline ON conversations (deadline_at) WHERE deadline_at IS NOT NULL`,
];

const projectionTables = [
  `CREATE TABLE transactions (
    transaction_id text COLLATE "C" PRIMARY KEY,
    stream_id uuid NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    rev integer NOT NULL,
    arguments json NOT NULL,
    outcome text COLLATE "C",
    started_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
  )`,
  `CREATE INDEX transactions_by_tenant ON transactions (tenant_id, started_at, transaction_id)`,
  `CREATE TABLE transaction_items (
    transaction_id text COLLATE "C" NOT NULL,
    ordinal integer NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    item_id text COLLATE "C" NOT NULL,
    label text NOT NULL,
    outcome text COLLATE "C",
    reason text,
    protocol text,
    PRIMARY KEY (transaction_id, ordinal)
  )`,
  `CREATE TABLE turns (
    turn_id text COLLATE "C" PRIMARY KEY,
    stream_id uuid NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    body_digest text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('in_flight', 'done')),
    response text,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT turns_done_has_response CHECK (status <> 'done' OR response IS NOT NULL)
  )`,
];

const messageTables = [
  `CREATE TABLE inbox (
    stream_id uuid NOT NULL,
    consumer text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    body_digest text COLLATE "C" NOT NULL,
    received_at timestamptz(3) NOT NULL,
    PRIMARY KEY (stream_id, consumer, event_id)
  )`,
  // created_at is the clock at the insert, not at the begin: within a stream it grows with position.
  `CREATE TABLE outbox (
    stream_id uuid NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    producer text COLLATE "C" NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    topic text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text NOT NULL,
    headers json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (stream_id, position)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  `CREATE INDEX outbox_by_producer ON outbox (producer, position)`,
  `CREATE INDEX outbox_by_event ON outbox (event_id)`,
];

const toolTables = [
  `CREATE TABLE approved_invocations (
    invocation_id text COLLATE "C" PRIMARY KEY,
    stream_id uuid NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    transaction_id text COLLATE "C" NOT NULL,
    rev integer NOT NULL,
    tool text COLLATE "C" NOT NULL,
    purpose text COLLATE "C" NOT NULL,
    operation_type text COLLATE "C" NOT NULL,
    proposal_id text COLLATE "C",
    idempotency_key text COLLATE "C" NOT NULL,
    expires_at timestamptz(3),
    digest text COLLATE "C" NOT NULL,
    invocation json NOT NULL,
    approved_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  // Invariant I3 at its last line of defence: a confirmed proposal has at most one execution.
  `CREATE UNIQUE INDEX approved_invocations_one_execution ON approved_invocations (idempotency_key) WHERE purpose = 'execution'`,
  `CREATE TABLE tool_ledger (
    invocation_id text COLLATE "C" PRIMARY KEY,
    stream_id uuid NOT NULL,
    tenant_id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('CLAIMED', 'STARTED', 'DONE')),
    owner text COLLATE "C" NOT NULL,
    lease_until timestamptz(3) NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    execution json,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT tool_ledger_done_has_execution CHECK ((status = 'DONE') = (execution IS NOT NULL))
  )`,
  `CREATE INDEX tool_ledger_open ON tool_ledger (lease_until) WHERE status <> 'DONE'`,
  `CREATE TABLE tool_attempts (
    invocation_id text COLLATE "C" NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    tenant_id text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL,
    started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz(3),
    outcome json,
    PRIMARY KEY (invocation_id, number)
  )`,
];

const otherTables = [
  // A configuration belongs to no tenant alone: '*' stands for all that the agent serves.
  `CREATE TABLE config_versions (
    digest text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL DEFAULT '*',
    agent_id text COLLATE "C" NOT NULL,
    config json NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE TABLE evaluation_evidence (
    event_id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL,
    conversation_key text COLLATE "C" NOT NULL,
    transaction_id text COLLATE "C",
    result json NOT NULL,
    received_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE INDEX evaluation_evidence_by_transaction ON evaluation_evidence (transaction_id)`,
  `CREATE INDEX evaluation_evidence_by_age ON evaluation_evidence (received_at)`,
  `CREATE TABLE evaluation_turns (
    event_id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL,
    conversation_key text COLLATE "C" NOT NULL,
    envelope json NOT NULL,
    received_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE INDEX evaluation_turns_by_conversation ON evaluation_turns (conversation_key)`,
  `CREATE INDEX evaluation_turns_by_age ON evaluation_turns (received_at)`,
  `CREATE TABLE evaluation_results (
    result_id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    conversation_key text COLLATE "C" NOT NULL,
    turn_id text COLLATE "C",
    transaction_id text COLLATE "C",
    run_id text COLLATE "C" NOT NULL,
    verdict text COLLATE "C" NOT NULL,
    evaluated_at timestamptz(3) NOT NULL,
    result json NOT NULL
  )`,
  `CREATE INDEX evaluation_results_by_conversation ON evaluation_results (tenant_id, conversation_key, evaluated_at)`,
];
