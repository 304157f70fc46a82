import { type StructuredError, type ToolConfig, type ToolResult } from '@latch/contracts';
import { startReconciliation } from './calls.ts';
import { type Draft, openedIn, record, say, toolOf } from './draft.ts';
import { type Ending, endTransaction } from './end.ts';
import { handOffAfter } from './hand-off.ts';
import { type AwaitedCall } from './on-tool-result.ts';
import { hasEffect, isNothingDone, itemsOf, outcomeOf } from './outcome-of.ts';
import { outcomeSlot, outcomeUnknownSlot } from './outcome-slot.ts';
import { isApprovalOutdated, renewApproval } from './renew-approval.ts';
import { reopenParameters, reopens } from './reopen-parameters.ts';
import { isSettled, itemsKnownOf } from './settled-items.ts';

/** The tool has answered: what happened is told item by item, and the transaction ends as the evidence says (invariant I11). */
export function onExecutionResult(draft: Draft, { transaction, call }: AwaitedCall, result: ToolResult): Draft {
  const tool = toolOf(draft.agent, transaction.tool);
  const error = result.error ?? null;
  if (hasEffect(tool) && isOpen(result, tool)) return onUnknownOutcome(draft, error);
  if (isApprovalOutdated(draft.state, { invocationId: call.invocationId, result })) {
    return renewApproval(draft, { tool, transaction }, result);
  }
  if (error !== null && isNothingDone(result) && isExecuting(draft) && reopens(draft, error)) {
    return reopenParameters(draft, error);
  }
  const ended = endTransaction(draft, transaction.id, endingOf(result));
  return handOffAfter(say(ended, outcomeSlot({ tool, transaction }, result)), error);
}

/** Whether something is still to be found out: of the whole, or of single items where there is somebody to ask. */
function isOpen(result: ToolResult, { reconcileTool }: ToolConfig): boolean {
  if (outcomeOf(result) === 'UNKNOWN') return true;
  return reconcileTool !== null && itemsOf(result).some((item) => !isSettled(item));
}

/** How a transaction ends by this result: a partial success is a completion whose failures are named. */
export function endingOf(result: ToolResult): Ending {
  const outcome = outcomeOf(result);
  const isDone = outcome === 'SUCCESS' || outcome === 'PARTIAL_SUCCESS';
  return {
    status: isDone ? 'COMPLETED' : 'FAILED',
    reason: isDone ? 'executed' : 'tool_failed',
    detail: result.error?.message ?? null,
    outcome,
    items: itemsOf(result),
    error: result.error ?? null,
  };
}

/**
 * The effect may or may not have happened: neither is claimed, and nothing is repeated. The declared tool is asked at once; without one, an operator is
 * called. A second unknown answer changes nothing.
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

function isExecuting(draft: Draft): boolean {
  return draft.state.transaction?.status === 'EXECUTING';
}
