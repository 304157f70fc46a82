import { type AgentState, type TransactionStatus } from '@latch/contracts';
import {
  type ConversationState,
  type EndedTransaction,
  type LastTurn,
  type OpenTransaction,
  type ParkedTransaction,
} from './state.ts';

/**
 * The published state of a conversation (seeds/002 section 3). Everything is derived from the folded state and nothing of it is ever read back:
 * `selected_tool_call` and `pending_tool_call` are there for hosts of the older platform.
 */
export function toAgentState(state: ConversationState): AgentState {
  const { transaction } = state;
  return {
    tenant_id: state.tenantId,
    agent_id: state.agentId,
    session_id: state.sessionId,
    conversation_key: state.conversationKey,
    ...turnFields(state.lastTurn),
    active_transaction: transaction === null ? null : openView(transaction),
    last_transaction: state.last === null ? null : endedView(state.last),
    parked_transactions: state.parked.map(parkedView),
    unresolved_transactions: state.unresolved.map(openView),
    transaction_status: statusOf(state),
    missing_parameters: transaction?.status === 'COLLECTING_PARAMETERS' ? [...transaction.missing] : [],
    confirmation_required: transaction?.status === 'AWAITING_CONFIRMATION',
    confirmation_received: isConfirmed(transaction),
    transaction_pre_validation: preValidationView(state),
    transaction_evidence: evidenceView(state),
    next_state: nextState(transaction),
    selected_tool_call: selectedCallView(transaction),
    pending_tool_call: pendingCallView(transaction),
    ...(state.inconsistency === null ? {} : { inconsistency: state.inconsistency }),
  };
}

function turnFields(turn: LastTurn | null): Partial<AgentState> {
  if (turn === null) return { route: null, intent: null };
  return {
    channel: turn.channel,
    message_id: turn.messageId,
    user_text: turn.text,
    route: turn.route,
    intent: turn.intent,
  };
}

function evidenceView(state: ConversationState): Record<string, unknown>[] {
  return ((state.transaction ?? state.last)?.evidence ?? []).map((entry) => ({ ...entry }));
}

function selectedCallView(transaction: OpenTransaction | null): Record<string, unknown> | null {
  return transaction === null ? null : { tool_name: transaction.tool, arguments: effectiveArguments(transaction) };
}

/**
 * The public status: that of the open transaction; else the terminal status of the one that ended in the latest turn; else IDLE.
 */
export function statusOf(state: ConversationState): TransactionStatus {
  if (state.transaction !== null) return state.transaction.status;
  const { last, lastTurn } = state;
  return last !== null && lastTurn !== null && last.endedInTurn === lastTurn.turnId ? last.status : 'IDLE';
}

/** The arguments as they would be, or were, sent: those of the proposal or of the call; before that, the collected ones. */
export function effectiveArguments(transaction: OpenTransaction): Readonly<Record<string, unknown>> {
  switch (transaction.status) {
    case 'COLLECTING_PARAMETERS':
    case 'PRE_VALIDATION':
      return transaction.arguments;
    case 'AWAITING_CONFIRMATION':
      return transaction.proposal.arguments;
    case 'EXECUTING':
    case 'OUTCOME_UNKNOWN':
      return transaction.call.arguments;
    default:
      return transaction satisfies never;
  }
}

/** The arguments of a transaction that ended, as they were sent or, at last, shown. */
export function endedArguments(transaction: EndedTransaction): Readonly<Record<string, unknown>> {
  return transaction.call?.arguments ?? transaction.proposal?.arguments ?? transaction.arguments;
}

function openView(transaction: OpenTransaction): Record<string, unknown> {
  return {
    transaction_id: transaction.id,
    tool: transaction.tool,
    intent: transaction.intent,
    status: transaction.status,
    rev: transaction.rev,
    arguments: effectiveArguments(transaction),
    collected_arguments: transaction.arguments,
    corrections: transaction.corrections,
    items: transaction.status === 'AWAITING_CONFIRMATION' ? transaction.proposal.items : callItems(transaction),
    proposal_id: transaction.status === 'AWAITING_CONFIRMATION' ? transaction.proposal.proposalId : null,
    config_digest: transaction.configDigest,
    started_at: transaction.startedAt,
  };
}

function callItems(transaction: OpenTransaction): readonly unknown[] {
  return transaction.status === 'EXECUTING' || transaction.status === 'OUTCOME_UNKNOWN' ? transaction.call.items : [];
}

function endedView(transaction: EndedTransaction): Record<string, unknown> {
  return {
    transaction_id: transaction.id,
    tool: transaction.tool,
    intent: transaction.intent,
    status: transaction.status,
    reason: transaction.reason,
    detail: transaction.detail,
    rev: transaction.rev,
    arguments: endedArguments(transaction),
    outcome: transaction.outcome,
    items: transaction.items,
    error: transaction.error,
    confirmed_by_turn: transaction.confirmation?.turnId ?? null,
    started_at: transaction.startedAt,
    ended_at: transaction.endedAt,
  };
}

function parkedView(transaction: ParkedTransaction): Record<string, unknown> {
  return {
    transaction_id: transaction.id,
    tool: transaction.tool,
    intent: transaction.intent,
    status: transaction.status,
    arguments: transaction.arguments,
    parked_at: transaction.parkedAt,
    expires_at: transaction.deadlineAt,
  };
}

function preValidationView(state: ConversationState): Record<string, unknown> | null {
  const preValidation = (state.transaction ?? state.last)?.preValidation ?? null;
  return preValidation === null ? null : { ...preValidation };
}

function isConfirmed(transaction: OpenTransaction | null): boolean {
  return (
    (transaction?.status === 'EXECUTING' || transaction?.status === 'OUTCOME_UNKNOWN') &&
    transaction.confirmation !== null
  );
}

/** Where the flow goes on; the words are those of the older platform's workflow nodes. */
function nextState(transaction: OpenTransaction | null): string {
  switch (transaction?.status) {
    case undefined:
      return 'route';
    case 'COLLECTING_PARAMETERS':
      return 'collect_parameters';
    case 'PRE_VALIDATION':
      return 'pre_validate';
    case 'AWAITING_CONFIRMATION':
      return 'await_confirmation';
    case 'EXECUTING':
      return 'execute';
    case 'OUTCOME_UNKNOWN':
      return 'reconcile';
    default:
      return transaction satisfies never;
  }
}

function pendingCallView(transaction: OpenTransaction | null): Record<string, unknown> | null {
  if (transaction === null) return null;
  if (transaction.status === 'AWAITING_CONFIRMATION') {
    return {
      tool_name: transaction.proposal.tool,
      arguments: transaction.proposal.arguments,
      proposal_id: transaction.proposal.proposalId,
    };
  }
  if (transaction.status === 'COLLECTING_PARAMETERS') return null;
  return {
    tool_name: transaction.call.tool,
    arguments: transaction.call.arguments,
    invocation_id: transaction.call.invocationId,
  };
}
