import { changeState } from './change-state.ts';
import { type CallEvent, type EventOf } from './events.ts';
import { itemsOf, outcomeOf } from './outcome-of.ts';
import {
  type ConversationState,
  type EndedTransaction,
  type Evidence,
  type OpenTransaction,
  type ParkedTransaction,
  type UnknownTransaction,
} from './state.ts';
import { coreOf, withOpen } from './transaction-core.ts';

/** Applies a fact about a call, its result, or the end of a transaction. */
export function evolveCall(state: ConversationState, event: CallEvent): ConversationState {
  switch (event.type) {
    case 'PreValidationRequested':
      return progressed(withOpen(state, event, (open) => validating(open, event)));
    case 'PreValidated':
      return withOpen(state, event, (open) => ({ ...open, preValidation: event.preValidation }));
    case 'UserConfirmed':
    case 'UserDeclined':
      return progressed(state);
    case 'ExecutionStarted':
      return progressed(withOpen(state, event, (open) => executing(open, event)));
    case 'ToolResultReceived':
      return withEvidence(state, event);
    case 'OutcomeBecameUnknown':
      return withOpen(state, event, (open) => becameUnknown(open, event));
    case 'ReconciliationStarted':
      return withUnknown(state, event, (open) => ({
        ...open,
        reconcile: event.call,
        reconcileAttempts: open.reconcileAttempts + 1,
        deadlineAt: event.call.deadlineAt,
      }));
    case 'ReconciliationFailed':
      return withUnknown(state, event, (open) => ({ ...open, reconcile: null, deadlineAt: event.nextCheckAt }));
    case 'TransactionSetAside':
      return setAside(state, event);
    case 'TransactionEnded':
      return ended(state, event);
    default:
      return event satisfies never;
  }
}

/** A turn that led on ends a row of unclear answers. */
function progressed(state: ConversationState): ConversationState {
  return state.clarifications === 0 ? state : changeState(state, { clarifications: 0 });
}

function validating(open: OpenTransaction, event: EventOf<'PreValidationRequested'>): OpenTransaction {
  if (open.status !== 'COLLECTING_PARAMETERS' && open.status !== 'AWAITING_CONFIRMATION') return open;
  return { status: 'PRE_VALIDATION', call: event.call, why: event.why, ...coreOf(open, { preValidation: null }) };
}

function executing(open: OpenTransaction, event: EventOf<'ExecutionStarted'>): OpenTransaction {
  if (open.status === 'EXECUTING' || open.status === 'OUTCOME_UNKNOWN') return open;
  return {
    status: 'EXECUTING',
    call: event.call,
    confirmation: event.confirmation,
    ...coreOf(open, { rev: event.call.rev }),
  };
}

function becameUnknown(open: OpenTransaction, event: EventOf<'OutcomeBecameUnknown'>): OpenTransaction {
  if (open.status !== 'EXECUTING') return open;
  return {
    status: 'OUTCOME_UNKNOWN',
    call: { ...open.call, turn: null },
    confirmation: open.confirmation,
    reconcile: null,
    reconcileAttempts: 0,
    deadlineAt: event.nextCheckAt,
    ...coreOf(open),
  };
}

const maxEvidence = 20;

function withEvidence(state: ConversationState, event: EventOf<'ToolResultReceived'>): ConversationState {
  const { result, invocationId, at } = event.input;
  const evidence: Evidence = {
    invocationId,
    purpose: result.purpose ?? 'execution',
    tool: result.tool_name,
    ok: result.ok,
    outcome: outcomeOf(result),
    items: itemsOf(result),
    error: result.error ?? null,
    receivedAt: at,
  };
  const add = <T extends { readonly evidence: readonly Evidence[] }>(holder: T): T => ({
    ...holder,
    evidence: [...holder.evidence, evidence].slice(-maxEvidence),
  });
  return withUnresolved(withOpen(state, event, add), event, add);
}

function withUnknown(
  state: ConversationState,
  event: { readonly transactionId: string },
  change: (open: UnknownTransaction) => UnknownTransaction,
): ConversationState {
  const changed = withOpen(state, event, (open) => (open.status === 'OUTCOME_UNKNOWN' ? change(open) : open));
  return withUnresolved(changed, event, change);
}

function withUnresolved(
  state: ConversationState,
  event: { readonly transactionId: string },
  change: (open: UnknownTransaction) => UnknownTransaction,
): ConversationState {
  if (!state.unresolved.some(({ id }) => id === event.transactionId)) return state;
  return changeState(state, {
    unresolved: state.unresolved.map((open) => (open.id === event.transactionId ? change(open) : open)),
  });
}

function setAside(state: ConversationState, event: EventOf<'TransactionSetAside'>): ConversationState {
  const open = state.transaction;
  if (open?.status !== 'OUTCOME_UNKNOWN' || open.id !== event.transactionId) return state;
  return changeState(state, { transaction: null, unresolved: [...state.unresolved, open] });
}

function ended(state: ConversationState, event: EventOf<'TransactionEnded'>): ConversationState {
  const isIt = ({ id }: { readonly id: string }): boolean => id === event.transactionId;
  const ending = [state.transaction, ...state.parked, ...state.unresolved].find((held) => held !== null && isIt(held));
  if (ending === undefined || ending === null) return state;
  return changeState(state, {
    transaction: state.transaction !== null && isIt(state.transaction) ? null : state.transaction,
    parked: state.parked.filter((held) => !isIt(held)),
    unresolved: state.unresolved.filter((held) => !isIt(held)),
    last: endedOf(ending, event),
    clarifications: 0,
  });
}

function endedOf(ending: OpenTransaction | ParkedTransaction, event: EventOf<'TransactionEnded'>): EndedTransaction {
  const hasRun = ending.status === 'EXECUTING' || ending.status === 'OUTCOME_UNKNOWN';
  return {
    status: event.status,
    reason: event.reason,
    detail: event.detail,
    outcome: event.outcome,
    items: event.items,
    error: event.error,
    proposal: ending.status === 'AWAITING_CONFIRMATION' ? ending.proposal : null,
    call: hasRun ? { ...ending.call, turn: null } : null,
    confirmation: hasRun ? ending.confirmation : null,
    endedInTurn: event.endedInTurn,
    endedAt: event.endedAt,
    ...coreOf(ending),
  };
}
