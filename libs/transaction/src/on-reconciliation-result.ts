import { type ToolResult } from '@latch/contracts';
import { type Draft, record, say, secondsAfter, toolOf } from './draft.ts';
import { endTransaction } from './end.ts';
import { endingOf } from './on-execution-result.ts';
import { itemsOf, outcomeOf } from './outcome-of.ts';
import { outcomeSlot } from './outcome-slot.ts';
import { type OpenTransaction } from './state.ts';

/** How often the declared tool is asked before an operator has to be. */
const maxAttempts = 5;
const firstPauseSeconds = 30;

/**
 * What the reconcile tool says about a call of unknown outcome. It answers as the tool itself would have: `results` or a success, and a readable empty
 * answer (or `found: false`) when it knows of no such call. Anything else is no evidence, and unknown stays unknown.
 */
export function onReconciliationResult(draft: Draft, transaction: OpenTransaction, result: ToolResult): Draft {
  if (!result.ok && itemsOf(result).length === 0) return reconciliationFailed(draft, transaction);
  if (outcomeOf(result) === 'UNKNOWN') return reconciliationFailed(draft, transaction);
  if (isUnheardOf(result)) return endWithoutEffect(draft, transaction, result);
  const ended = endTransaction(draft, transaction.id, endingOf(result));
  return say(ended, outcomeSlot(toolOf(draft.agent, transaction.tool), result));
}

/** No evidence this time: asked again after a growing pause, at most so many times. */
export function reconciliationFailed(draft: Draft, transaction: OpenTransaction): Draft {
  if (transaction.status !== 'OUTCOME_UNKNOWN') return draft;
  const attempts = transaction.reconcileAttempts;
  const pauseSeconds = firstPauseSeconds * 2 ** Math.max(0, attempts - 1);
  return record(draft, {
    type: 'ReconciliationFailed',
    transactionId: transaction.id,
    nextCheckAt: attempts < maxAttempts ? secondsAfter(draft.at, pauseSeconds) : null,
  });
}

function isUnheardOf(result: ToolResult): boolean {
  if (result.empty === true) return true;
  const { data } = result;
  return typeof data === 'object' && data !== null && Object.getOwnPropertyDescriptor(data, 'found')?.value === false;
}

/** The server knows of no such call: nothing happened, and that is evidence. */
function endWithoutEffect(draft: Draft, transaction: OpenTransaction, result: ToolResult): Draft {
  const error = {
    errorCategory: 'transient',
    isRetryable: true,
    message: 'The call had no effect.',
    code: 'tool.outcome_lost',
  } as const;
  const ended = endTransaction(draft, transaction.id, {
    status: 'FAILED',
    reason: 'no_effect_found',
    outcome: 'FAILED',
    error,
  });
  const slot = outcomeSlot(toolOf(draft.agent, transaction.tool), { ...result, outcome: 'FAILED', error });
  return say(ended, { ...slot, data: null, isEmpty: false });
}
