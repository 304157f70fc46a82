import { type StructuredError, type ToolConfig, type ToolResult } from '@latch/contracts';
import { startReconciliation } from './calls.ts';
import { type Draft, openedIn, record, say, toolOf } from './draft.ts';
import { endAsFound } from './end-as-found.ts';
import { handOffAfter } from './hand-off.ts';
import { type AwaitedCall } from './on-tool-result.ts';
import { hasEffect, isNothingDone, itemsOf, outcomeOf } from './outcome-of.ts';
import { outcomeUnknownSlot } from './outcome-slot.ts';
import { isApprovalOutdated, renewApproval } from './renew-approval.ts';
import { reopenParameters, reopens } from './reopen-parameters.ts';
import { isSettled, itemsKnownOf, settledBy, withItems } from './settled-items.ts';
import { type UnknownTransaction } from './state.ts';
import { tellKnownItems } from './tell-known-items.ts';

/** The tool has answered: what happened is told item by item, and the transaction ends as the evidence says (invariant I11). */
export function onExecutionResult(draft: Draft, { transaction, call }: AwaitedCall, result: ToolResult): Draft {
  if (transaction.status === 'OUTCOME_UNKNOWN') return onLateResult(draft, transaction, result);
  const tool = toolOf(draft.agent, transaction.tool);
  const error = result.error ?? null;
  if (hasEffect(tool) && isOpen(result, tool)) return onUnknownOutcome(draft, error);
  if (isApprovalOutdated(draft.state, { invocationId: call.invocationId, result })) {
    return renewApproval(draft, { tool, transaction }, result);
  }
  if (error !== null && isNothingDone(result) && reopens(draft, error)) return reopenParameters(draft, error);
  return handOffAfter(endAsFound(draft, transaction, result), error);
}

/**
 * The call has answered after its outcome had become unknown. The conversation may be about another transaction by now, which has nothing to do with it. What was
 * settled of the items stays so; an answer that leaves some of them open adds what it knows.
 */
function onLateResult(draft: Draft, transaction: UnknownTransaction, result: ToolResult): Draft {
  const before = itemsKnownOf(transaction);
  const items = settledBy(before, itemsOf(result));
  const isAllSettled = items.length > 0 && items.every(isSettled);
  if (!isAllSettled && (before.some(isSettled) || isOpen(result, toolOf(draft.agent, transaction.tool)))) {
    return tellKnownItems(draft, transaction, before);
  }
  return handOffAfter(endAsFound(draft, transaction, withItems(result, items)), result.error ?? null);
}

/** Whether something is still to be found out: of the whole, or of single items where there is somebody to ask. */
function isOpen(result: ToolResult, { reconcileTool }: ToolConfig): boolean {
  if (outcomeOf(result) === 'UNKNOWN') return true;
  return reconcileTool !== null && itemsOf(result).some((item) => !isSettled(item));
}

/**
 * The effect may or may not have happened: neither is claimed, and nothing is repeated. The declared tool is asked at once; without one, an operator is
 * called.
 */
export function onUnknownOutcome(draft: Draft, error: StructuredError | null): Draft {
  const opened = openedIn(draft);
  if (opened?.transaction.status !== 'EXECUTING') return draft;
  const { tool, transaction } = opened;
  const unknown = record(draft, {
    type: 'OutcomeBecameUnknown',
    transactionId: transaction.id,
    error,
    nextCheckAt: tool.reconcileTool === null ? null : draft.at,
  });
  const items = itemsKnownOf(unknown.state.transaction ?? transaction);
  const told = say(unknown, outcomeUnknownSlot({ tool, transaction }, { items, error }));
  const open = told.state.transaction;
  if (open?.status !== 'OUTCOME_UNKNOWN' || tool.reconcileTool === null) return told;
  return startReconciliation(told, open, tool.reconcileTool);
}
