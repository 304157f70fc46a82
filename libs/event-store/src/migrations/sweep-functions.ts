import { type StoreRole } from './tenant-table.ts';

type Sweep = {
  readonly name: string;
  /** Types of its parameters, as they stand in its signature. */
  readonly parameters: readonly string[];
  readonly returns: string;
  readonly body: string;
  readonly roles: readonly StoreRole[];
};

/**
 * Statements that make the only ways by which a service reaches rows of all tenants at once. Each runs as the database's owner with all tenants open, does one
 * thing, and may be called by the roles that need it and by nobody else.
 *
 * The scope is opened in the body and closed again: only a superuser could make a function that has it as its setting. When the statement fails, the transaction is
 * over anyway.
 */
export function sweepFunction({ name, parameters, returns, body, roles }: Sweep): readonly string[] {
  const signature = `${name}(${parameters.join(', ')})`;
  return [
    `CREATE FUNCTION ${signature} RETURNS ${returns}
     LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
     AS $$
     #variable_conflict use_column
     DECLARE
       scope_of_caller text := COALESCE(current_setting('app.tenants', true), '');${isOneValue(returns) ? `\n       result ${returns};` : ''}
     BEGIN
       PERFORM set_config('app.tenants', '{*}', true);
       ${stepOf(returns, body)}
       PERFORM set_config('app.tenants', scope_of_caller, true);${isOneValue(returns) ? '\n       RETURN result;' : ''}
     END $$`,
    `REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION ${signature} TO ${roles.join(', ')}`,
  ];
}

function isOneValue(returns: string): boolean {
  return returns !== 'void' && !/^(TABLE|SETOF)\b/.test(returns);
}

function stepOf(returns: string, body: string): string {
  if (returns === 'void') return `${body};`;
  return isOneValue(returns) ? `FOR result IN ${body} LOOP END LOOP;` : `RETURN QUERY ${body};`;
}

const publishers = ['latch_orchestrator', 'latch_tool_executor', 'latch_maintenance', 'latch_console'] as const;

const sweeps: readonly Sweep[] = [
  {
    name: 'due_deadlines',
    parameters: ['max_rows int'],
    returns: `TABLE (conversation_key text, tenant_id text, agent_id text, session_id text, deadline_at timestamptz,
      deadline_transaction_id text, deadline_rev int)`,
    body: `
      SELECT s.conversation_key, c.tenant_id, c.agent_id, c.session_id, c.deadline_at, c.deadline_transaction_id, c.deadline_rev
      FROM conversations c JOIN streams s USING (stream_id)
      WHERE c.deadline_at <= clock_timestamp()
      ORDER BY c.deadline_at LIMIT max_rows
      FOR UPDATE OF c SKIP LOCKED`,
    roles: ['latch_orchestrator'],
  },
  {
    name: 'pending_outgoing',
    parameters: ['of_producer text', 'older_than_ms double precision', 'max_rows int'],
    returns: 'TABLE (event_id text, topic text, key text, value text, headers json)',
    body: `
      SELECT o.event_id, o.topic, o.key, o.value, o.headers FROM outbox o
      WHERE o.producer = of_producer AND o.created_at < clock_timestamp() - make_interval(secs => older_than_ms / 1000)
      ORDER BY o.position LIMIT max_rows`,
    roles: publishers,
  },
  {
    name: 'forget_outgoing',
    parameters: ['of_producer text', 'event_ids text[]'],
    returns: 'void',
    body: `
      DELETE FROM outbox WHERE (stream_id, position) IN (
        SELECT stream_id, position FROM outbox
        WHERE event_id = ANY(event_ids) AND producer = of_producer AND created_at < now()
        FOR UPDATE SKIP LOCKED
      )`,
    roles: publishers,
  },
  {
    name: 'measure_outbox',
    parameters: ['of_producer text'],
    returns: 'TABLE (pending int, oldest_age_seconds double precision)',
    body: `
      SELECT count(*)::int, COALESCE(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::double precision
      FROM outbox WHERE producer = of_producer`,
    roles: publishers,
  },
  {
    name: 'forget_old_claims',
    parameters: ['older_than_hours double precision', 'max_rows int'],
    returns: 'int',
    body: `
      WITH forgotten AS (
        DELETE FROM inbox WHERE (stream_id, consumer, event_id) IN (
          SELECT stream_id, consumer, event_id FROM inbox
          WHERE received_at < clock_timestamp() - make_interval(secs => older_than_hours * 3600)
          ORDER BY received_at LIMIT max_rows
          FOR UPDATE SKIP LOCKED
        )
        RETURNING event_id
      )
      SELECT count(*)::int FROM forgotten`,
    roles: ['latch_orchestrator'],
  },
  {
    name: 'tenants_of_invocations',
    parameters: ['invocation_ids text[]'],
    returns: 'text[]',
    body: `
      SELECT array_agg(DISTINCT tenant_id) FROM approved_invocations WHERE invocation_id = ANY(invocation_ids)`,
    roles: ['latch_tool_executor', 'latch_orchestrator', 'latch_evaluator', 'latch_console', 'latch_maintenance'],
  },
  {
    name: 'take_over_invocations',
    parameters: ['new_owner text', 'lease_ms double precision', 'max_rows int'],
    returns: 'TABLE (invocation_id text, status text, owner text, lease_until timestamptz, execution json)',
    body: `
      UPDATE tool_ledger l SET owner = new_owner, lease_until = clock_timestamp() + make_interval(secs => lease_ms / 1000)
      WHERE l.invocation_id IN (
        SELECT o.invocation_id FROM tool_ledger o
        WHERE o.status <> 'DONE' AND o.lease_until < clock_timestamp()
        ORDER BY o.lease_until LIMIT max_rows
        FOR UPDATE SKIP LOCKED
      )
      RETURNING l.invocation_id, l.status, l.owner, l.lease_until, l.execution`,
    roles: ['latch_tool_executor'],
  },
  {
    name: 'waiting_turns_before',
    parameters: ['an_instant timestamptz', 'max_rows int'],
    returns: 'TABLE (event_id text, tenant_id text, conversation_key text, envelope json, received_at timestamptz)',
    body: `
      SELECT event_id, tenant_id, conversation_key, envelope, received_at FROM evaluation_turns
      WHERE received_at < an_instant ORDER BY received_at, event_id LIMIT max_rows`,
    roles: ['latch_evaluator'],
  },
  {
    name: 'forget_evidence_before',
    parameters: ['an_instant timestamptz'],
    returns: 'void',
    body: `DELETE FROM evaluation_evidence WHERE received_at < an_instant`,
    roles: ['latch_evaluator'],
  },
];

/** The sweeps that the migration of roles and tenants makes. */
export const sweepFunctions: readonly string[] = sweeps.flatMap(sweepFunction);
