CREATE TABLE approved_invocations (
  invocation_id text COLLATE "C" NOT NULL,
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
  expires_at timestamp(3) with time zone,
  digest text COLLATE "C" NOT NULL,
  invocation json NOT NULL,
  approved_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE config_versions (
  digest text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" DEFAULT '*'::text NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  config json NOT NULL,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE conversations (
  stream_id uuid NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  head_hash bytea NOT NULL,
  state json NOT NULL,
  config_digest text COLLATE "C",
  deadline_at timestamp(3) with time zone,
  deadline_transaction_id text COLLATE "C",
  deadline_rev integer,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE evaluation_evidence (
  event_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  conversation_key text COLLATE "C" NOT NULL,
  transaction_id text COLLATE "C",
  result json NOT NULL,
  received_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE evaluation_results (
  result_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  conversation_key text COLLATE "C" NOT NULL,
  turn_id text COLLATE "C",
  transaction_id text COLLATE "C",
  run_id text COLLATE "C" NOT NULL,
  verdict text COLLATE "C" NOT NULL,
  evaluated_at timestamp(3) with time zone NOT NULL,
  result json NOT NULL
);

CREATE TABLE evaluation_turns (
  event_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  conversation_key text COLLATE "C" NOT NULL,
  envelope json NOT NULL,
  received_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE events (
  stream_id uuid NOT NULL,
  stream_version integer NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  payload json NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  causation_id text COLLATE "C",
  message_id text COLLATE "C",
  transaction_id text COLLATE "C",
  trace_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  written_by xid8 DEFAULT pg_current_xact_id() NOT NULL,
  position bigint DEFAULT nextval('event_positions'::regclass) NOT NULL
);

CREATE TABLE inbox (
  stream_id uuid NOT NULL,
  consumer text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  body_digest text COLLATE "C" NOT NULL,
  received_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE outbox (
  stream_id uuid NOT NULL,
  position bigint DEFAULT identity NOT NULL,
  producer text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  headers json NOT NULL,
  created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE schema_migrations (
  id integer DEFAULT nextval('schema_migrations_id_seq'::regclass) NOT NULL,
  timestamp bigint NOT NULL,
  name character varying NOT NULL
);

CREATE TABLE streams (
  stream_id uuid NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  conversation_key text COLLATE "C" NOT NULL,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE tool_attempts (
  invocation_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  started_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  ended_at timestamp(3) with time zone,
  outcome json,
  step text COLLATE "C"
);

CREATE TABLE tool_ledger (
  invocation_id text COLLATE "C" NOT NULL,
  stream_id uuid NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  lease_until timestamp(3) with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  execution json,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE transaction_items (
  transaction_id text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  label text NOT NULL,
  outcome text COLLATE "C",
  reason text,
  protocol text
);

CREATE TABLE transactions (
  transaction_id text COLLATE "C" NOT NULL,
  stream_id uuid NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  tool text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  rev integer NOT NULL,
  arguments json NOT NULL,
  outcome text COLLATE "C",
  started_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone
);

CREATE TABLE turns (
  turn_id text COLLATE "C" NOT NULL,
  stream_id uuid NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  body_digest text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  response text,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE approved_invocations ADD CONSTRAINT approved_invocations_pkey PRIMARY KEY (invocation_id);

ALTER TABLE config_versions ADD CONSTRAINT config_versions_pkey PRIMARY KEY (digest);

ALTER TABLE conversations ADD CONSTRAINT conversations_deadline_is_whole CHECK ((num_nulls(deadline_at, deadline_transaction_id, deadline_rev) = ANY (ARRAY[0, 3])));

ALTER TABLE conversations ADD CONSTRAINT conversations_head_hash_check CHECK ((length(head_hash) = 32));

ALTER TABLE conversations ADD CONSTRAINT conversations_pkey PRIMARY KEY (stream_id);

ALTER TABLE conversations ADD CONSTRAINT conversations_version_check CHECK ((version >= 0));

ALTER TABLE evaluation_evidence ADD CONSTRAINT evaluation_evidence_pkey PRIMARY KEY (event_id);

ALTER TABLE evaluation_results ADD CONSTRAINT evaluation_results_pkey PRIMARY KEY (result_id);

ALTER TABLE evaluation_turns ADD CONSTRAINT evaluation_turns_pkey PRIMARY KEY (event_id);

ALTER TABLE events ADD CONSTRAINT events_hash_check CHECK ((length(hash) = 32));

ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (stream_id, stream_version);

ALTER TABLE events ADD CONSTRAINT events_stream_version_check CHECK ((stream_version > 0));

ALTER TABLE inbox ADD CONSTRAINT inbox_pkey PRIMARY KEY (stream_id, consumer, event_id);

ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (stream_id, "position");

ALTER TABLE schema_migrations ADD CONSTRAINT "PK_62441bec32630ced9e4cccae336" PRIMARY KEY (id);

ALTER TABLE streams ADD CONSTRAINT streams_conversation_key_key UNIQUE (conversation_key);

ALTER TABLE streams ADD CONSTRAINT streams_pkey PRIMARY KEY (stream_id);

ALTER TABLE tool_attempts ADD CONSTRAINT tool_attempts_number_check CHECK ((number > 0));

ALTER TABLE tool_attempts ADD CONSTRAINT tool_attempts_pkey PRIMARY KEY (invocation_id, number);

ALTER TABLE tool_ledger ADD CONSTRAINT tool_ledger_done_has_execution CHECK (((status = 'DONE'::text) = (execution IS NOT NULL)));

ALTER TABLE tool_ledger ADD CONSTRAINT tool_ledger_pkey PRIMARY KEY (invocation_id);

ALTER TABLE tool_ledger ADD CONSTRAINT tool_ledger_status_check CHECK ((status = ANY (ARRAY['CLAIMED'::text, 'STARTED'::text, 'DONE'::text])));

ALTER TABLE transaction_items ADD CONSTRAINT transaction_items_pkey PRIMARY KEY (transaction_id, ordinal);

ALTER TABLE transactions ADD CONSTRAINT transactions_pkey PRIMARY KEY (transaction_id);

ALTER TABLE turns ADD CONSTRAINT turns_done_has_response CHECK (((status <> 'done'::text) OR (response IS NOT NULL)));

ALTER TABLE turns ADD CONSTRAINT turns_pkey PRIMARY KEY (turn_id);

ALTER TABLE turns ADD CONSTRAINT turns_status_check CHECK ((status = ANY (ARRAY['in_flight'::text, 'done'::text])));

CREATE UNIQUE INDEX approved_invocations_one_execution ON public.approved_invocations USING btree (idempotency_key) WHERE (purpose = 'execution'::text);

CREATE INDEX conversations_by_deadline ON public.conversations USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);

CREATE INDEX evaluation_evidence_by_age ON public.evaluation_evidence USING btree (received_at);

CREATE INDEX evaluation_evidence_by_transaction ON public.evaluation_evidence USING btree (transaction_id);

CREATE INDEX evaluation_results_by_conversation ON public.evaluation_results USING btree (tenant_id, conversation_key, evaluated_at);

CREATE INDEX evaluation_turns_by_age ON public.evaluation_turns USING btree (received_at);

CREATE INDEX evaluation_turns_by_conversation ON public.evaluation_turns USING btree (conversation_key);

CREATE UNIQUE INDEX events_in_global_order ON public.events USING btree (written_by, "position");

CREATE INDEX inbox_by_age ON public.inbox USING btree (received_at);

CREATE INDEX outbox_by_event ON public.outbox USING btree (event_id);

CREATE INDEX outbox_by_producer ON public.outbox USING btree (producer, "position");

CREATE INDEX tool_ledger_open ON public.tool_ledger USING btree (lease_until) WHERE (status <> 'DONE'::text);

CREATE INDEX transactions_by_tenant ON public.transactions USING btree (tenant_id, started_at, transaction_id);

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    RAISE EXCEPTION '% on % is refused: events are only ever inserted', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $function$
;

CREATE TRIGGER events_are_insert_only BEFORE DELETE OR UPDATE ON public.events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
