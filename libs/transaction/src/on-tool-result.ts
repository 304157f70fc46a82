import { type AgentConfig } from '@latch/contracts';
import { type Draft, record } from './draft.ts';
import { type TransactionEvent } from './events.ts';
import { type ToolResultArrived } from './inputs.ts';
import { onExecutionResult } from './on-execution-result.ts';
import { onPreValidationResult } from './on-pre-validation-result.ts';
import { onReconciliationResult } from './on-reconciliation-result.ts';
import { type ConversationState, type OpenTransaction, type PendingCall } from './state.ts';

/** The call that a result belongs to, in the transaction that made it. */
export type AwaitedCall = { readonly transaction: OpenTransaction; readonly call: PendingCall };

/** Finds the call that a result answers; null when nobody waits for it (any more). */
export function awaitedCall(state: ConversationState, invocationId: string): AwaitedCall | null {
  const open = state.transaction === null ? state.unresolved : [state.transaction, ...state.unresolved];
  for (const transaction of open) {
    const call = callsOf(transaction).find((pending) => pending.invocationId === invocationId);
    if (call !== undefined) return { transaction, call };
  }
  return null;
}

/** A tool has answered. The turn that waits for it, if one does, gets its answer here. */
export function onToolResult(state: ConversationState, input: ToolResultArrived, agent: AgentConfig): Draft {
  const awaited = awaitedCall(state, input.invocationId);
  const draft = draftFor(state, { input, agent, awaited });
  if (awaited === null) return record(draft, { type: 'InputIgnored', input, reason: 'result_not_awaited' });
  const received: TransactionEvent = { type: 'ToolResultReceived', input, transactionId: awaited.transaction.id };
  return handlers[awaited.call.purpose](record(draft, received), input, awaited);
}

const handlers: Readonly<
  Record<PendingCall['purpose'], (draft: Draft, input: ToolResultArrived, awaited: AwaitedCall) => Draft>
> = {
  pre_validation: (draft, { result }, { call }) => onPreValidationResult(draft, call, result),
  execution: (draft, { result }, awaited) => onExecutionResult(draft, awaited, result),
  reconcile: (draft, { result }, { transaction }) => onReconciliationResult(draft, transaction, result),
};

function draftFor(
  state: ConversationState,
  of: { readonly input: ToolResultArrived; readonly agent: AgentConfig; readonly awaited: AwaitedCall | null },
): Draft {
  const turn = of.awaited?.call.turn ?? null;
  return {
    agent: of.agent,
    at: of.input.at,
    cause: of.input.invocationId,
    turnId: turn?.turnId ?? null,
    traceId: of.awaited?.call.traceId ?? '',
    state,
    events: [],
    said: turn?.said ?? [],
  };
}

/** The calls whose answers are still of use. The late answer of an execution still resolves an unknown outcome. */
function callsOf(transaction: OpenTransaction): readonly PendingCall[] {
  switch (transaction.status) {
    case 'COLLECTING_PARAMETERS':
    case 'AWAITING_CONFIRMATION':
      return [];
    case 'PRE_VALIDATION':
    case 'EXECUTING':
      return [transaction.call];
    case 'OUTCOME_UNKNOWN':
      return transaction.reconcile === null ? [transaction.call] : [transaction.reconcile, transaction.call];
    default:
      return transaction satisfies never;
  }
}
