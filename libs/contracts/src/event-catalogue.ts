import { type Severity } from './event-envelope.ts';

/** What an operator has to know about one event type. */
export type CatalogueEntry = {
  readonly meaning: string;
  readonly severity: Severity;
  /** Name of the payload's contract, or `signal` for the free-form facts listed in `meaning`. */
  readonly payload: string;
  /** The ancestor platform's operational code, where there is one. */
  readonly code?: string;
  /** Whether an operator is to be alerted, and by which rule. */
  readonly alert: string | null;
  /** Anchor in `docs/reference/runbook.md`. */
  readonly runbook: string | null;
};

/**
 * Every event type that is on the bus, and nothing else: IC are business facts, NOC an operator's problem, GRL a blocked content. What a conversation's
 * evidence holds beside them is in `evidenceCatalogue`.
 * The published form is `contracts/events/catalogue.json`.
 */
export const eventCatalogue = {
  'IC.GATEWAY_RECEIVED': fact('A user message was accepted by ingress.', 'gateway-request-v1'),
  'IC.TURN_READ': fact('A turn was understood: reading, rule that won, state before and after.', 'signal'),
  'IC.TRANSACTION_STARTED': fact('An intention opened a transaction.', 'signal'),
  'IC.PARAMETERS_COLLECTED': fact('Values were merged into the transaction; corrections are marked.', 'signal'),
  'IC.CONFIRMATION_REQUESTED': fact('A proposal was shown and one confirmation asked for.', 'signal'),
  'IC.CONFIRMATION_RECEIVED': fact('The user answered a proposal.', 'signal'),
  'IC.TOOL_REQUESTED': fact('The engine approved one logical tool call.', 'tool-invocation-v1'),
  'IC.TOOL_PROGRESS': fact('A server told how far a running call is.', 'signal'),
  'IC.TOOL_EXECUTED': fact('The executor ended a call; the outcome is still raw.', 'tool-execution-v1'),
  'IC.TOOL_COMPLETED': fact('The canonical result of a call.', 'tool-result-v1'),
  'IC.TOOL_SCHEMA_ACCEPTED': fact('The schema of a tool was pinned: at first sight, or as the change of a read.', 'signal'),
  'IC.TRANSACTION_ENDED': fact('A transaction reached a terminal state.', 'signal'),
  'IC.TRANSACTION_PARKED': fact('A transaction was interrupted and parked with its arguments.', 'signal'),
  'IC.TRANSACTION_RESUMED': fact('A parked transaction was taken up again.', 'signal'),
  'IC.INPUT_IGNORED': fact('A late, stale or repeated input was kept as evidence and changed nothing.', 'signal'),
  'IC.AGENT_COMPLETED': fact('The answer to a turn.', 'channel-response-v1'),
  'IC.TURN_CONFLICT': fact('A message id came again with another body; the turn was refused.', 'turn-conflict-v1'),
  'IC.EVALUATION_COMPLETED': fact('The judges scored a finished turn.', 'evaluation-result-v1'),
  'IC.EVIDENCE_SEALED': fact('The heads of all streams that have grown were signed; who keeps it notices when evidence is taken away later.', 'signal'),
  'IC.HANDED_OFF': fact('After too many unclear answers, or a refusal for lack of permission, a person was offered.', 'signal'),
  'IC.DEAD_LETTER_REDRIVEN': fact('An operator sends the message of a dead letter again.', 'dead-letter-redrive-v1'),
  'NOC.DEAD_LETTER': problem('A message could not be handled and was kept whole.', 'major', {
    payload: 'dead-letter-v1',
    alert: 'LatchDeadLetters',
    runbook: 'dead-letter',
    code: 'NOC.005',
  }),
  'NOC.STATE_INCONSISTENT': problem('A conversation was in a state that cannot be; it was answered and not restarted.', 'major', {
    alert: 'LatchStateInconsistent',
    runbook: 'state-inconsistent',
  }),
  'NOC.OUTCOME_UNKNOWN': problem('A mutating call may or may not have had its effect, and nobody could be asked.', 'critical', {
    alert: 'LatchOutcomeUnknown',
    runbook: 'outcome-unknown',
  }),
  'NOC.INVOCATION_REFUSED': problem('A tool call was not made: unknown to the event store, changed, expired or not allowed.', 'critical', {
    alert: 'LatchInvocationRefused',
    runbook: 'invocation-refused',
  }),
  'NOC.TOOL_SCHEMA_CHANGED': problem('A server changed the schema of a tool; one with an effect is not called until an operator accepts it.', 'major', {
    alert: 'LatchToolSchemaChanged',
    runbook: 'tool-schema-changed',
  }),
  'NOC.CONFIG_REJECTED': problem('Changed configuration files have mistakes: a running service goes on with the last good ones.', 'major', {
    alert: 'LatchConfigRejected',
    runbook: 'config-rejected',
  }),
  'NOC.CONFIG_APPLIED': problem('A running service took changed configuration files over; clears the alarm of rejected ones.', 'info', {
    alert: null,
    runbook: 'config-rejected',
  }),
  'NOC.MCP_TIMEOUT': problem('An MCP call passed its deadline.', 'minor', {
    alert: null,
    runbook: 'mcp-server-down',
    code: 'NOC.006',
  }),
  'NOC.MCP_SERVER_DOWN': problem('The breaker of an MCP server opened; its tools are refused until it answers again.', 'major', {
    alert: 'LatchMcpServerDown',
    runbook: 'mcp-server-down',
  }),
  'NOC.MCP_SERVER_UP': problem('The breaker of an MCP server closed again.', 'cleared', {
    alert: null,
    runbook: 'mcp-server-down',
  }),
  'NOC.INVALID_TOOL_RESULT': problem('A tool answered in a shape that cannot be read; it was not taken for success.', 'minor', {
    alert: null,
    runbook: 'invalid-tool-result',
    code: 'NOC.002',
  }),
} as const satisfies Record<string, CatalogueEntry>;

/** One of the catalogued event types. */
export type EventType = keyof typeof eventCatalogue;

function fact(meaning: string, payload: string): CatalogueEntry {
  return { meaning, severity: 'info', payload, alert: null, runbook: null };
}

function problem(
  meaning: string,
  severity: Severity,
  more: { payload?: string; alert: string | null; runbook: string; code?: string },
): CatalogueEntry {
  return { meaning, severity, payload: 'signal', ...more };
}
