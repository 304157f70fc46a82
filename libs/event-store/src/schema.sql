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
  digest text COLLATE "C",
  invocation json,
  approved_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  sealed_invocation bytea,
  ids bytea
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
  state json,
  config_digest text COLLATE "C",
  deadline_at timestamp(3) with time zone,
  deadline_transaction_id text COLLATE "C",
  deadline_rev integer,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  sealed_state bytea
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
  event_id text COLLATE "C",
  type text COLLATE "C" NOT NULL,
  payload json,
  occurred_at timestamp(3) with time zone NOT NULL,
  causation_id text COLLATE "C",
  message_id text COLLATE "C",
  transaction_id text COLLATE "C",
  trace_id text COLLATE "C",
  hash bytea NOT NULL,
  written_by xid8 DEFAULT pg_current_xact_id() NOT NULL,
  position bigint DEFAULT nextval('event_positions'::regclass) NOT NULL,
  record bytea
);

CREATE TABLE inbox (
  stream_id uuid NOT NULL,
  consumer text COLLATE "C",
  event_id text COLLATE "C",
  tenant_id text COLLATE "C" NOT NULL,
  body_digest text COLLATE "C",
  received_at timestamp(3) with time zone NOT NULL,
  claim bytea NOT NULL,
  body bytea NOT NULL
);

CREATE TABLE open_alarms (
  alarm_id text COLLATE "C" NOT NULL,
  condition text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  facts json NOT NULL,
  raised_at timestamp(3) with time zone NOT NULL,
  owner text COLLATE "C" NOT NULL,
  lease_until timestamp(3) with time zone NOT NULL
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

CREATE TABLE person_keys (
  key_id bigint DEFAULT identity NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  subject bytea NOT NULL,
  period text COLLATE "C" NOT NULL,
  wrapped_key text COLLATE "C",
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  destroyed_at timestamp(3) with time zone,
  destroyed_by text COLLATE "C"
);

CREATE TABLE person_streams (
  stream_id uuid NOT NULL,
  subject bytea NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  key_id bigint NOT NULL
);

CREATE TABLE schema_migrations (
  id integer DEFAULT nextval('schema_migrations_id_seq'::regclass) NOT NULL,
  timestamp bigint NOT NULL,
  name character varying NOT NULL
);

CREATE TABLE sealed_heads (
  seal_number bigint NOT NULL,
  stream_id uuid NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  stream_version integer NOT NULL,
  hash bytea NOT NULL
);

CREATE TABLE seals (
  seal_number bigint NOT NULL,
  tenant_id text COLLATE "C" DEFAULT '*'::text NOT NULL,
  previous_hash text COLLATE "C" NOT NULL,
  sealed_at timestamp(3) with time zone NOT NULL,
  written_by xid8 NOT NULL,
  position bigint NOT NULL,
  events integer NOT NULL,
  heads integer NOT NULL,
  heads_digest text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  signature text COLLATE "C" NOT NULL
);

CREATE TABLE streams (
  stream_id uuid NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  conversation_key text COLLATE "C" NOT NULL,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE subject_keys (
  tenant_id text COLLATE "C" NOT NULL,
  wrapped_key text COLLATE "C" NOT NULL,
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
  step text COLLATE "C",
  sealed_outcome bytea
);

CREATE TABLE tool_catalogue (
  server text COLLATE "C" NOT NULL,
  tool text COLLATE "C" NOT NULL,
  observed_hash text COLLATE "C" NOT NULL,
  accepted_hash text COLLATE "C" NOT NULL,
  input_schema json NOT NULL,
  output_schema json,
  accepted_input_schema json NOT NULL,
  accepted_output_schema json,
  observed_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  accepted_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  accepted_by text COLLATE "C" NOT NULL
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
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  sealed_execution bytea
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
  message_id text COLLATE "C",
  body_digest text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  response text,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  sealed_response bytea,
  ids bytea
);

ALTER TABLE approved_invocations ADD CONSTRAINT approved_invocations_have_ids CHECK ((num_nonnulls(digest, ids) = 1));

ALTER TABLE approved_invocations ADD CONSTRAINT approved_invocations_have_one_call CHECK ((num_nonnulls(invocation, sealed_invocation) = 1));

ALTER TABLE approved_invocations ADD CONSTRAINT approved_invocations_pkey PRIMARY KEY (invocation_id);

ALTER TABLE config_versions ADD CONSTRAINT config_versions_pkey PRIMARY KEY (digest);

ALTER TABLE conversations ADD CONSTRAINT conversations_deadline_is_whole CHECK ((num_nulls(deadline_at, deadline_transaction_id, deadline_rev) = ANY (ARRAY[0, 3])));

ALTER TABLE conversations ADD CONSTRAINT conversations_have_one_state CHECK ((num_nonnulls(state, sealed_state) = 1));

ALTER TABLE conversations ADD CONSTRAINT conversations_head_hash_check CHECK ((length(head_hash) = 32));

ALTER TABLE conversations ADD CONSTRAINT conversations_pkey PRIMARY KEY (stream_id);

ALTER TABLE conversations ADD CONSTRAINT conversations_version_check CHECK ((version >= 0));

ALTER TABLE evaluation_evidence ADD CONSTRAINT evaluation_evidence_pkey PRIMARY KEY (event_id);

ALTER TABLE evaluation_results ADD CONSTRAINT evaluation_results_pkey PRIMARY KEY (result_id);

ALTER TABLE evaluation_turns ADD CONSTRAINT evaluation_turns_pkey PRIMARY KEY (event_id);

ALTER TABLE events ADD CONSTRAINT events_hash_check CHECK ((length(hash) = 32));

ALTER TABLE events ADD CONSTRAINT events_have_one_record CHECK (
CASE
    WHEN (record IS NULL) THEN (num_nulls(event_id, payload, trace_id) = 0)
    ELSE (num_nonnulls(event_id, payload, trace_id, causation_id, message_id) = 0)
END);

ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (stream_id, stream_version);

ALTER TABLE events ADD CONSTRAINT events_stream_version_check CHECK ((stream_version > 0));

ALTER TABLE inbox ADD CONSTRAINT inbox_pkey PRIMARY KEY (stream_id, claim);

ALTER TABLE open_alarms ADD CONSTRAINT open_alarms_condition_subject_key UNIQUE (condition, subject);

ALTER TABLE open_alarms ADD CONSTRAINT open_alarms_pkey PRIMARY KEY (alarm_id);

ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (stream_id, "position");

ALTER TABLE person_keys ADD CONSTRAINT person_keys_destroyed_by_check CHECK ((destroyed_by = ANY (ARRAY['erase'::text, 'retention'::text])));

ALTER TABLE person_keys ADD CONSTRAINT person_keys_destroyed_has_no_key CHECK (((num_nulls(wrapped_key, destroyed_at, destroyed_by) = ANY (ARRAY[1, 2])) AND ((wrapped_key IS NULL) = (destroyed_at IS NOT NULL)) AND ((destroyed_at IS NULL) = (destroyed_by IS NULL))));

ALTER TABLE person_keys ADD CONSTRAINT person_keys_period_check CHECK ((period ~ '^[0-9]{4}-[0-9]{2}$'::text));

ALTER TABLE person_keys ADD CONSTRAINT person_keys_pkey PRIMARY KEY (key_id);

ALTER TABLE person_keys ADD CONSTRAINT person_keys_subject_check CHECK ((length(subject) = 16));

ALTER TABLE person_streams ADD CONSTRAINT person_streams_pkey PRIMARY KEY (stream_id, subject);

ALTER TABLE schema_migrations ADD CONSTRAINT "PK_62441bec32630ced9e4cccae336" PRIMARY KEY (id);

ALTER TABLE sealed_heads ADD CONSTRAINT sealed_heads_hash_check CHECK ((length(hash) = 32));

ALTER TABLE sealed_heads ADD CONSTRAINT sealed_heads_pkey PRIMARY KEY (seal_number, stream_id);

ALTER TABLE seals ADD CONSTRAINT seals_pkey PRIMARY KEY (seal_number);

ALTER TABLE seals ADD CONSTRAINT seals_seal_number_check CHECK ((seal_number > 0));

ALTER TABLE streams ADD CONSTRAINT streams_conversation_key_key UNIQUE (conversation_key);

ALTER TABLE streams ADD CONSTRAINT streams_pkey PRIMARY KEY (stream_id);

ALTER TABLE subject_keys ADD CONSTRAINT subject_keys_pkey PRIMARY KEY (tenant_id);

ALTER TABLE tool_attempts ADD CONSTRAINT tool_attempts_have_one_outcome CHECK ((num_nonnulls(outcome, sealed_outcome) <= 1));

ALTER TABLE tool_attempts ADD CONSTRAINT tool_attempts_number_check CHECK ((number > 0));

ALTER TABLE tool_attempts ADD CONSTRAINT tool_attempts_pkey PRIMARY KEY (invocation_id, number);

ALTER TABLE tool_catalogue ADD CONSTRAINT tool_catalogue_pkey PRIMARY KEY (server, tool);

ALTER TABLE tool_ledger ADD CONSTRAINT tool_ledger_done_has_execution CHECK ((num_nonnulls(execution, sealed_execution) =
CASE status
    WHEN 'DONE'::text THEN 1
    ELSE 0
END));

ALTER TABLE tool_ledger ADD CONSTRAINT tool_ledger_pkey PRIMARY KEY (invocation_id);

ALTER TABLE tool_ledger ADD CONSTRAINT tool_ledger_status_check CHECK ((status = ANY (ARRAY['CLAIMED'::text, 'STARTED'::text, 'DONE'::text])));

ALTER TABLE transaction_items ADD CONSTRAINT transaction_items_pkey PRIMARY KEY (transaction_id, ordinal);

ALTER TABLE transactions ADD CONSTRAINT transactions_pkey PRIMARY KEY (transaction_id);

ALTER TABLE turns ADD CONSTRAINT turns_done_has_response CHECK (((num_nonnulls(response, sealed_response) <= 1) AND ((status <> 'done'::text) OR (num_nonnulls(response, sealed_response) = 1))));

ALTER TABLE turns ADD CONSTRAINT turns_have_ids CHECK ((num_nonnulls(message_id, body_digest) =
CASE
    WHEN (ids IS NULL) THEN 2
    ELSE 0
END));

ALTER TABLE turns ADD CONSTRAINT turns_pkey PRIMARY KEY (turn_id);

ALTER TABLE turns ADD CONSTRAINT turns_status_check CHECK ((status = ANY (ARRAY['in_flight'::text, 'done'::text])));

CREATE INDEX approved_invocations_by_transaction ON public.approved_invocations USING btree (transaction_id);

CREATE UNIQUE INDEX approved_invocations_one_execution ON public.approved_invocations USING btree (idempotency_key) WHERE (purpose = 'execution'::text);

CREATE INDEX conversations_by_deadline ON public.conversations USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);

CREATE INDEX evaluation_evidence_by_age ON public.evaluation_evidence USING btree (received_at);

CREATE INDEX evaluation_evidence_by_transaction ON public.evaluation_evidence USING btree (transaction_id);

CREATE INDEX evaluation_results_by_conversation ON public.evaluation_results USING btree (tenant_id, conversation_key, evaluated_at);

CREATE INDEX evaluation_turns_by_age ON public.evaluation_turns USING btree (received_at);

CREATE INDEX evaluation_turns_by_conversation ON public.evaluation_turns USING btree (conversation_key);

CREATE INDEX events_in_global_order ON ONLY public.events USING btree (written_by, "position");

CREATE INDEX inbox_by_age ON public.inbox USING btree (received_at);

CREATE INDEX outbox_by_event ON public.outbox USING btree (event_id);

CREATE INDEX outbox_by_producer ON public.outbox USING btree (producer, "position");

CREATE INDEX person_keys_by_period ON public.person_keys USING btree (tenant_id, period) WHERE (wrapped_key IS NOT NULL);

CREATE UNIQUE INDEX person_keys_in_use ON public.person_keys USING btree (tenant_id, subject, period) WHERE (wrapped_key IS NOT NULL);

CREATE INDEX person_streams_by_key ON public.person_streams USING btree (key_id);

CREATE INDEX person_streams_by_subject ON public.person_streams USING btree (tenant_id, subject);

CREATE INDEX sealed_heads_by_stream ON public.sealed_heads USING btree (stream_id);

CREATE INDEX tool_ledger_open ON public.tool_ledger USING btree (lease_until) WHERE (status <> 'DONE'::text);

CREATE INDEX transactions_by_stream ON public.transactions USING btree (stream_id);

CREATE INDEX transactions_by_tenant ON public.transactions USING btree (tenant_id, started_at, transaction_id);

CREATE INDEX transactions_not_ended ON public.transactions USING btree (transaction_id) WHERE (ended_at IS NULL);

CREATE OR REPLACE FUNCTION public.create_event_partitions(months_ahead integer)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
   DECLARE
     month date := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date;
     last date := month + make_interval(months => months_ahead);
     covered uuid;
     partition text;
     made text[] := '{}';
   BEGIN
     IF NOT pg_try_advisory_xact_lock(hashtext('latch.event_partitions')) THEN RETURN made; END IF;
     SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''([0-9a-f-]+)''\)')::uuid INTO covered
     FROM pg_class WHERE oid = 'public.events_first'::regclass;
     WHILE month <= last LOOP
       partition := to_char(month, '"events_y"YYYY"m"MM');
       IF first_stream_of(month) >= covered AND to_regclass('public.' || partition) IS NULL THEN
         EXECUTE format('CREATE TABLE public.%I (LIKE public.events INCLUDING ALL)', partition);
         PERFORM guard_event_partition(partition);
         EXECUTE format('ALTER TABLE public.events ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
           first_stream_of(month), first_stream_of((month + interval '1 month')::date));
         made := made || partition;
       END IF;
       month := (month + interval '1 month')::date;
     END LOOP;
     RETURN made;
   END $function$
;

CREATE OR REPLACE FUNCTION public.current_tenants()
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.tenants'::text, true), ''::text))::text[]
;

CREATE OR REPLACE FUNCTION public.destroy_old_keys(of_tenants text[], except_tenants text[], before_period text, max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
       result int;
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       FOR result IN 
      WITH destroyed AS (
        UPDATE person_keys SET wrapped_key = NULL, destroyed_at = clock_timestamp(), destroyed_by = 'retention'
        WHERE key_id IN (
          SELECT k.key_id FROM person_keys k
          WHERE k.wrapped_key IS NOT NULL AND k.period < before_period AND (of_tenants IS NULL OR k.tenant_id = ANY (of_tenants)) AND k.tenant_id <> ALL (except_tenants)
            AND NOT EXISTS (
              SELECT FROM person_streams p JOIN transactions t USING (stream_id) WHERE p.key_id = k.key_id AND t.ended_at IS NULL AND t.status IN ('PRE_VALIDATION', 'EXECUTING', 'OUTCOME_UNKNOWN'))
          ORDER BY k.key_id LIMIT max_rows
          FOR UPDATE OF k SKIP LOCKED)
        RETURNING key_id
      )
      SELECT count(*)::int FROM destroyed LOOP END LOOP;
       PERFORM set_config('app.tenants', scope_of_caller, true);
       RETURN result;
     END $function$
;

CREATE OR REPLACE FUNCTION public.digest_claim()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   BEGIN
     NEW.claim := substr(sha256(convert_to(NEW.consumer || chr(10) || NEW.event_id, 'UTF8')), 1, 16);
     NEW.body := substr(sha256(convert_to(NEW.body_digest, 'UTF8')), 1, 16);
     RETURN NEW;
   END $function$
;

CREATE OR REPLACE FUNCTION public.due_deadlines(max_rows integer)
 RETURNS TABLE(conversation_key text, tenant_id text, agent_id text, session_id text, deadline_at timestamp with time zone, deadline_transaction_id text, deadline_rev integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY 
      SELECT s.conversation_key, c.tenant_id, c.agent_id, c.session_id, c.deadline_at, c.deadline_transaction_id, c.deadline_rev
      FROM conversations c JOIN streams s USING (stream_id)
      WHERE c.deadline_at <= clock_timestamp()
      ORDER BY c.deadline_at LIMIT max_rows
      FOR UPDATE OF c SKIP LOCKED;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.first_stream_of(month date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM (month)::timestamp without time zone) * (1000)::numeric))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid
;

CREATE OR REPLACE FUNCTION public.forget_evidence_before(an_instant timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       DELETE FROM evaluation_evidence WHERE received_at < an_instant;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.forget_old_claims(older_than_hours double precision, max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
       result int;
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       FOR result IN 
      WITH forgotten AS (
        DELETE FROM inbox WHERE (stream_id, claim) IN (
          SELECT stream_id, claim FROM inbox
          WHERE received_at < clock_timestamp() - make_interval(secs => older_than_hours * 3600)
          ORDER BY received_at LIMIT max_rows
          FOR UPDATE SKIP LOCKED
        )
        RETURNING stream_id
      )
      SELECT count(*)::int FROM forgotten LOOP END LOOP;
       PERFORM set_config('app.tenants', scope_of_caller, true);
       RETURN result;
     END $function$
;

CREATE OR REPLACE FUNCTION public.forget_old_rows(of_tenants text[], except_tenants text[], before timestamp with time zone, max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
       result int;
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       FOR result IN 
      WITH turns_gone AS (
    DELETE FROM turns WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM turns WHERE created_at < before AND (of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants) AND status = 'done' LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  ), tool_attempts_gone AS (
    DELETE FROM tool_attempts WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM tool_attempts WHERE started_at < before AND (of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants) AND NOT EXISTS (SELECT FROM tool_ledger l WHERE l.invocation_id = tool_attempts.invocation_id AND l.status <> 'DONE') LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  ), approved_invocations_gone AS (
    DELETE FROM approved_invocations WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM approved_invocations WHERE approved_at < before AND (of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants) AND NOT EXISTS (SELECT FROM tool_ledger l WHERE l.invocation_id = approved_invocations.invocation_id AND l.status <> 'DONE') LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  ), tool_ledger_gone AS (
    DELETE FROM tool_ledger WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM tool_ledger WHERE created_at < before AND (of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants) AND status = 'DONE' LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  ), evaluation_evidence_gone AS (
    DELETE FROM evaluation_evidence WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM evaluation_evidence WHERE received_at < before AND (of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants) LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  ), evaluation_turns_gone AS (
    DELETE FROM evaluation_turns WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM evaluation_turns WHERE received_at < before AND (of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants) LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  ), evaluation_results_gone AS (
    DELETE FROM evaluation_results WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM evaluation_results WHERE evaluated_at < before AND (of_tenants IS NULL OR tenant_id = ANY (of_tenants)) AND tenant_id <> ALL (except_tenants) LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING 1
  )
      SELECT ((SELECT count(*) FROM turns_gone) + (SELECT count(*) FROM tool_attempts_gone) + (SELECT count(*) FROM approved_invocations_gone) + (SELECT count(*) FROM tool_ledger_gone) + (SELECT count(*) FROM evaluation_evidence_gone) + (SELECT count(*) FROM evaluation_turns_gone) + (SELECT count(*) FROM evaluation_results_gone))::int LOOP END LOOP;
       PERFORM set_config('app.tenants', scope_of_caller, true);
       RETURN result;
     END $function$
;

CREATE OR REPLACE FUNCTION public.forget_outgoing(of_producer text, event_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       
      DELETE FROM outbox WHERE (stream_id, position) IN (
        SELECT stream_id, position FROM outbox
        WHERE event_id = ANY(event_ids) AND producer = of_producer AND created_at < now()
        FOR UPDATE SKIP LOCKED
      );
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.guard_event_partition(partition text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
   BEGIN
     EXECUTE format('CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON public.%I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
     EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', partition);
     EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', partition);
   END $function$
;

CREATE OR REPLACE FUNCTION public.has_events_outside_partitions()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
       result boolean;
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       FOR result IN SELECT EXISTS (SELECT FROM events_default) LOOP END LOOP;
       PERFORM set_config('app.tenants', scope_of_caller, true);
       RETURN result;
     END $function$
;

CREATE OR REPLACE FUNCTION public.heads_to_seal(after_written_by text, after_position bigint, max_events integer)
 RETURNS TABLE(stream_id uuid, tenant_id text, stream_version integer, hash text, written_by text, "position" bigint, events integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY 
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
    ORDER BY b.stream_id, b.stream_version DESC;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.keys_of_outbox(ids bigint[])
 RETURNS SETOF person_keys
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY SELECT * FROM person_keys WHERE key_id = ANY (ids);
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.leaves_of_seal(of_seal bigint)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
       result text[];
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       FOR result IN 
    SELECT array_agg(encode(sha256(convert_to(
      '["head",' || to_json(h.stream_id::text) || ',' || to_json(h.tenant_id) || ',' || h.stream_version || ',"' || encode(h.hash, 'hex') || '"]',
      'UTF8')), 'hex') ORDER BY h.stream_id)
    FROM sealed_heads h WHERE h.seal_number = of_seal LOOP END LOOP;
       PERFORM set_config('app.tenants', scope_of_caller, true);
       RETURN result;
     END $function$
;

CREATE OR REPLACE FUNCTION public.measure_outbox(of_producer text)
 RETURNS TABLE(pending integer, oldest_age_seconds double precision)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY 
      SELECT count(*)::int, COALESCE(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::double precision
      FROM outbox WHERE producer = of_producer;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.month_of_stream(stream_id uuid)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (date_trunc('month'::text, ('1970-01-01 00:00:00'::timestamp without time zone + make_interval(secs => (((((('x'::text || "left"(replace((stream_id)::text, '-'::text, ''::text), 12)))::bit(48))::bigint)::numeric / 1000.0))::double precision))))::date
;

CREATE OR REPLACE FUNCTION public.open_transactions()
 RETURNS TABLE(status text, count integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY SELECT status, count(*)::int FROM transactions WHERE ended_at IS NULL GROUP BY status;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.pending_outgoing(of_producer text, older_than_ms double precision, max_rows integer)
 RETURNS TABLE(event_id text, topic text, key text, value text, headers json)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY 
      SELECT o.event_id, o.topic, o.key, o.value, o.headers FROM outbox o
      WHERE o.producer = of_producer AND o.created_at < clock_timestamp() - make_interval(secs => older_than_ms / 1000)
      ORDER BY o.position LIMIT max_rows;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.person_lock(subject bytea)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((('x'::text || encode(SUBSTRING(subject FROM 1 FOR 8), 'hex'::text)))::bit(64))::bigint
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    RAISE EXCEPTION '% on % is refused: events are only ever inserted', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $function$
;

CREATE OR REPLACE FUNCTION public.take_over_invocations(new_owner text, lease_ms double precision, max_rows integer)
 RETURNS TABLE(invocation_id text, status text, owner text, lease_until timestamp with time zone, execution json)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY 
      UPDATE tool_ledger l SET owner = new_owner, lease_until = clock_timestamp() + make_interval(secs => lease_ms / 1000)
      WHERE l.invocation_id IN (
        SELECT o.invocation_id FROM tool_ledger o
        WHERE o.status <> 'DONE' AND o.lease_until < clock_timestamp()
        ORDER BY o.lease_until LIMIT max_rows
        FOR UPDATE SKIP LOCKED
      )
      RETURNING l.invocation_id, l.status, l.owner, l.lease_until, l.execution;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE OR REPLACE FUNCTION public.tenants_of_invocations(invocation_ids text[])
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
       result text[];
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       FOR result IN 
      SELECT array_agg(DISTINCT tenant_id) FROM approved_invocations WHERE invocation_id = ANY(invocation_ids) LOOP END LOOP;
       PERFORM set_config('app.tenants', scope_of_caller, true);
       RETURN result;
     END $function$
;

CREATE OR REPLACE FUNCTION public.waiting_turns_before(an_instant timestamp with time zone, max_rows integer)
 RETURNS TABLE(event_id text, tenant_id text, conversation_key text, envelope json, received_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       RETURN QUERY 
      SELECT event_id, tenant_id, conversation_key, envelope, received_at FROM evaluation_turns
      WHERE received_at < an_instant ORDER BY received_at, event_id LIMIT max_rows;
       PERFORM set_config('app.tenants', scope_of_caller, true);
     END $function$
;

CREATE TRIGGER events_are_insert_only BEFORE DELETE OR UPDATE ON public.events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER claims_of_older_releases BEFORE INSERT ON public.inbox FOR EACH ROW WHEN ((new.claim IS NULL)) EXECUTE FUNCTION digest_claim();

CREATE TRIGGER sealed_heads_are_insert_only BEFORE DELETE OR UPDATE ON public.sealed_heads FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER sealed_heads_are_never_truncated BEFORE TRUNCATE ON public.sealed_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER seals_are_insert_only BEFORE DELETE OR UPDATE ON public.seals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER seals_are_never_truncated BEFORE TRUNCATE ON public.seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE approved_invocations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE config_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE conversations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE evaluation_evidence ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE evaluation_results ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE evaluation_turns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE inbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE person_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE person_streams ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE sealed_heads ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE seals ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE streams ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE subject_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE tool_attempts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE tool_ledger ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE transaction_items ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE transactions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

ALTER TABLE turns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY all_tenants ON approved_invocations FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON approved_invocations FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON config_versions FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON config_versions FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY shared ON config_versions FOR ALL TO public USING ((tenant_id = '*'::text));

CREATE POLICY all_tenants ON conversations FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON conversations FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON evaluation_evidence FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON evaluation_evidence FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON evaluation_results FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON evaluation_results FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON evaluation_turns FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON evaluation_turns FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON events_default FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY all_tenants ON events FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON events FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON inbox FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON inbox FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON outbox FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON outbox FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON person_keys FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON person_keys FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON person_streams FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON person_streams FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON sealed_heads FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON sealed_heads FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON seals FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON seals FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY shared ON seals FOR SELECT TO public USING ((tenant_id = '*'::text));

CREATE POLICY all_tenants ON streams FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON streams FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON subject_keys FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON subject_keys FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON tool_attempts FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON tool_attempts FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON tool_ledger FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON tool_ledger FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON transaction_items FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON transaction_items FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON transactions FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON transactions FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

CREATE POLICY all_tenants ON turns FOR ALL TO latch_all_tenants USING (( SELECT ('*'::text = ANY (current_tenants()))));

CREATE POLICY own_tenants ON turns FOR ALL TO public USING ((tenant_id = ANY (( SELECT current_tenants() AS current_tenants)::text[])));

GRANT SELECT ON TABLE approved_invocations TO latch_auditor;

GRANT SELECT ON TABLE approved_invocations TO latch_console;

GRANT SELECT ON TABLE approved_invocations TO latch_evaluator;

GRANT SELECT ON TABLE approved_invocations TO latch_ingress;

GRANT INSERT, SELECT, UPDATE ON TABLE approved_invocations TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE approved_invocations TO latch_orchestrator;

GRANT SELECT ON TABLE approved_invocations TO latch_tool_executor;

GRANT SELECT ON TABLE config_versions TO latch_auditor;

GRANT SELECT ON TABLE config_versions TO latch_console;

GRANT SELECT ON TABLE config_versions TO latch_evaluator;

GRANT SELECT ON TABLE config_versions TO latch_ingress;

GRANT INSERT, SELECT ON TABLE config_versions TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE config_versions TO latch_orchestrator;

GRANT SELECT ON TABLE config_versions TO latch_tool_executor;

GRANT SELECT ON TABLE conversations TO latch_auditor;

GRANT SELECT ON TABLE conversations TO latch_console;

GRANT SELECT ON TABLE conversations TO latch_ingress;

GRANT INSERT, SELECT, UPDATE ON TABLE conversations TO latch_maintenance;

GRANT INSERT, SELECT, UPDATE ON TABLE conversations TO latch_orchestrator;

GRANT SELECT ON TABLE evaluation_evidence TO latch_auditor;

GRANT SELECT ON TABLE evaluation_evidence TO latch_console;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE evaluation_evidence TO latch_evaluator;

GRANT SELECT ON TABLE evaluation_results TO latch_auditor;

GRANT SELECT ON TABLE evaluation_results TO latch_console;

GRANT INSERT, SELECT, UPDATE ON TABLE evaluation_results TO latch_evaluator;

GRANT SELECT ON TABLE evaluation_turns TO latch_auditor;

GRANT SELECT ON TABLE evaluation_turns TO latch_console;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE evaluation_turns TO latch_evaluator;

GRANT SELECT ON TABLE events TO latch_auditor;

GRANT SELECT ON TABLE events TO latch_console;

GRANT SELECT ON TABLE events TO latch_ingress;

GRANT INSERT, SELECT ON TABLE events TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE events TO latch_orchestrator;

GRANT SELECT ON TABLE inbox TO latch_auditor;

GRANT INSERT, SELECT ON TABLE inbox TO latch_orchestrator;

GRANT SELECT ON TABLE open_alarms TO latch_auditor;

GRANT SELECT ON TABLE open_alarms TO latch_console;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE open_alarms TO latch_tool_executor;

GRANT SELECT ON TABLE outbox TO latch_auditor;

GRANT SELECT ON TABLE outbox TO latch_console;

GRANT INSERT, SELECT ON TABLE outbox TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE outbox TO latch_orchestrator;

GRANT INSERT, SELECT ON TABLE outbox TO latch_tool_executor;

GRANT SELECT ON TABLE person_keys TO latch_auditor;

GRANT SELECT ON TABLE person_keys TO latch_console;

GRANT SELECT ON TABLE person_keys TO latch_evaluator;

GRANT SELECT ON TABLE person_keys TO latch_ingress;

GRANT INSERT, SELECT, UPDATE ON TABLE person_keys TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE person_keys TO latch_orchestrator;

GRANT SELECT ON TABLE person_keys TO latch_tool_executor;

GRANT SELECT ON TABLE person_streams TO latch_auditor;

GRANT SELECT ON TABLE person_streams TO latch_console;

GRANT SELECT ON TABLE person_streams TO latch_evaluator;

GRANT SELECT ON TABLE person_streams TO latch_ingress;

GRANT INSERT, SELECT, UPDATE ON TABLE person_streams TO latch_maintenance;

GRANT INSERT, SELECT, UPDATE ON TABLE person_streams TO latch_orchestrator;

GRANT SELECT ON TABLE person_streams TO latch_tool_executor;

GRANT SELECT ON TABLE schema_migrations TO latch_auditor;

GRANT SELECT ON TABLE schema_migrations TO latch_console;

GRANT SELECT ON TABLE schema_migrations TO latch_evaluator;

GRANT SELECT ON TABLE schema_migrations TO latch_ingress;

GRANT SELECT ON TABLE schema_migrations TO latch_maintenance;

GRANT SELECT ON TABLE schema_migrations TO latch_orchestrator;

GRANT SELECT ON TABLE schema_migrations TO latch_tool_executor;

GRANT SELECT ON TABLE sealed_heads TO latch_auditor;

GRANT SELECT ON TABLE sealed_heads TO latch_console;

GRANT SELECT ON TABLE sealed_heads TO latch_ingress;

GRANT SELECT ON TABLE sealed_heads TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE sealed_heads TO latch_orchestrator;

GRANT SELECT ON TABLE seals TO latch_auditor;

GRANT SELECT ON TABLE seals TO latch_console;

GRANT SELECT ON TABLE seals TO latch_ingress;

GRANT SELECT ON TABLE seals TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE seals TO latch_orchestrator;

GRANT SELECT ON TABLE streams TO latch_auditor;

GRANT SELECT ON TABLE streams TO latch_console;

GRANT SELECT ON TABLE streams TO latch_evaluator;

GRANT SELECT ON TABLE streams TO latch_ingress;

GRANT SELECT ON TABLE streams TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE streams TO latch_orchestrator;

GRANT SELECT ON TABLE streams TO latch_tool_executor;

GRANT SELECT ON TABLE subject_keys TO latch_auditor;

GRANT INSERT, SELECT, UPDATE ON TABLE subject_keys TO latch_maintenance;

GRANT INSERT, SELECT ON TABLE subject_keys TO latch_orchestrator;

GRANT SELECT ON TABLE tool_attempts TO latch_auditor;

GRANT SELECT ON TABLE tool_attempts TO latch_console;

GRANT SELECT ON TABLE tool_attempts TO latch_ingress;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tool_attempts TO latch_maintenance;

GRANT SELECT ON TABLE tool_attempts TO latch_orchestrator;

GRANT INSERT, SELECT, UPDATE ON TABLE tool_attempts TO latch_tool_executor;

GRANT SELECT ON TABLE tool_catalogue TO latch_auditor;

GRANT SELECT ON TABLE tool_catalogue TO latch_console;

GRANT SELECT, UPDATE ON TABLE tool_catalogue TO latch_maintenance;

GRANT SELECT ON TABLE tool_catalogue TO latch_orchestrator;

GRANT INSERT, SELECT, UPDATE ON TABLE tool_catalogue TO latch_tool_executor;

GRANT SELECT ON TABLE tool_ledger TO latch_auditor;

GRANT SELECT ON TABLE tool_ledger TO latch_console;

GRANT SELECT ON TABLE tool_ledger TO latch_ingress;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tool_ledger TO latch_maintenance;

GRANT SELECT ON TABLE tool_ledger TO latch_orchestrator;

GRANT INSERT, SELECT, UPDATE ON TABLE tool_ledger TO latch_tool_executor;

GRANT SELECT ON TABLE transaction_items TO latch_auditor;

GRANT SELECT ON TABLE transaction_items TO latch_console;

GRANT SELECT ON TABLE transaction_items TO latch_ingress;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE transaction_items TO latch_maintenance;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE transaction_items TO latch_orchestrator;

GRANT SELECT ON TABLE transactions TO latch_auditor;

GRANT SELECT ON TABLE transactions TO latch_console;

GRANT SELECT ON TABLE transactions TO latch_ingress;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE transactions TO latch_maintenance;

GRANT INSERT, SELECT, UPDATE ON TABLE transactions TO latch_orchestrator;

GRANT SELECT ON TABLE turns TO latch_auditor;

GRANT SELECT ON TABLE turns TO latch_console;

GRANT SELECT ON TABLE turns TO latch_ingress;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE turns TO latch_maintenance;

GRANT INSERT, SELECT, UPDATE ON TABLE turns TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION create_event_partitions TO latch_maintenance;

GRANT EXECUTE ON FUNCTION create_event_partitions TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION destroy_old_keys TO latch_maintenance;

GRANT EXECUTE ON FUNCTION destroy_old_keys TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION due_deadlines TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION forget_evidence_before TO latch_evaluator;

GRANT EXECUTE ON FUNCTION forget_old_claims TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION forget_old_rows TO latch_maintenance;

GRANT EXECUTE ON FUNCTION forget_old_rows TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION forget_outgoing TO latch_console;

GRANT EXECUTE ON FUNCTION forget_outgoing TO latch_maintenance;

GRANT EXECUTE ON FUNCTION forget_outgoing TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION forget_outgoing TO latch_tool_executor;

GRANT EXECUTE ON FUNCTION has_events_outside_partitions TO latch_maintenance;

GRANT EXECUTE ON FUNCTION has_events_outside_partitions TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION heads_to_seal TO latch_maintenance;

GRANT EXECUTE ON FUNCTION heads_to_seal TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION keys_of_outbox TO latch_console;

GRANT EXECUTE ON FUNCTION keys_of_outbox TO latch_maintenance;

GRANT EXECUTE ON FUNCTION keys_of_outbox TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION keys_of_outbox TO latch_tool_executor;

GRANT EXECUTE ON FUNCTION leaves_of_seal TO latch_auditor;

GRANT EXECUTE ON FUNCTION leaves_of_seal TO latch_console;

GRANT EXECUTE ON FUNCTION leaves_of_seal TO latch_ingress;

GRANT EXECUTE ON FUNCTION leaves_of_seal TO latch_maintenance;

GRANT EXECUTE ON FUNCTION measure_outbox TO latch_console;

GRANT EXECUTE ON FUNCTION measure_outbox TO latch_maintenance;

GRANT EXECUTE ON FUNCTION measure_outbox TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION measure_outbox TO latch_tool_executor;

GRANT EXECUTE ON FUNCTION open_transactions TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION pending_outgoing TO latch_console;

GRANT EXECUTE ON FUNCTION pending_outgoing TO latch_maintenance;

GRANT EXECUTE ON FUNCTION pending_outgoing TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION pending_outgoing TO latch_tool_executor;

GRANT EXECUTE ON FUNCTION take_over_invocations TO latch_tool_executor;

GRANT EXECUTE ON FUNCTION tenants_of_invocations TO latch_console;

GRANT EXECUTE ON FUNCTION tenants_of_invocations TO latch_evaluator;

GRANT EXECUTE ON FUNCTION tenants_of_invocations TO latch_maintenance;

GRANT EXECUTE ON FUNCTION tenants_of_invocations TO latch_orchestrator;

GRANT EXECUTE ON FUNCTION tenants_of_invocations TO latch_tool_executor;

GRANT EXECUTE ON FUNCTION waiting_turns_before TO latch_evaluator;
