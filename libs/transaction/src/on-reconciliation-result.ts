import { type ToolResult } from '@latch/contracts';
import { type Draft, record, say, toolOf } from './draft.ts';
import { secondsAfter } from './instants.ts';
import { endTransaction } from './end.ts';
import { endAsFound } from './end-as-found.ts';
import { itemsOf, outcomeOf } from './outcome-of.ts';
import { itemsWithOutcome, outcomeSlot } from './outcome-slot.ts';
import { isSettled, itemsKnownOf, settledBy, withItems } from './settled-items.ts';
import { type OpenTransaction } from './state.ts';
import { tellKnownItems } from './tell-known-items.ts';

/** How often the declared tool is asked before an operator has to be. */
const maxAttempts = 5;
const firstPauseSeconds = 30;

/**
 * What the reconcile tool says about a call of unknown outcome. Evidence is only what it says in so many words: `found`, outcomes of items, a `success`, or a
 * readable empty answer. Its own failure is none, and unknown stays unknown (invariant I11). That nothing is found is evidence only when the call can no
 * longer be running: a server that is still at work has nothing to find yet. An answer that knows of some items only settles those.
 */
export function onReconciliationResult(draft: Draft, transaction: OpenTransaction, result: ToolResult): Draft {
  const before = itemsKnownOf(transaction);
  const evidence = evidenceIn(result);
  const items = evidence === 'happened' ? settledBy(before, itemsOf(result)) : before;
  if (items.some(isSettled) && !items.every(isSettled)) {
    return tellKnownItems(reconciliationFailed(draft, transaction), transaction, before);
  }
  switch (evidence) {
    case 'none':
      return reconciliationFailed(draft, transaction);
    case 'never_happened':
      return mayStillRun(draft, transaction)
        ? reconciliationFailed(draft, transaction)
        : endWithoutEffect(draft, transaction, result);
    case 'happened':
      return endAsFound(draft, transaction, withItems(result, items));
  }
}

function mayStillRun(draft: Draft, transaction: OpenTransaction): boolean {
  return transaction.status === 'OUTCOME_UNKNOWN' && Date.parse(draft.at) < Date.parse(transaction.call.deadlineAt);
}

type ReconciliationEvidence = 'none' | 'never_happened' | 'happened';

function evidenceIn(result: ToolResult): ReconciliationEvidence {
  const found = memberOf(result.data, 'found');
  if (outcomeOf(result) === 'UNKNOWN') return tellsSomeItems(result) ? 'happened' : 'none';
  if (typeof found === 'boolean') return found ? 'happened' : 'never_happened';
  if (result.error) return 'none';
  if (result.ok && result.empty === true) return 'never_happened';
  const verdict = memberOf(result.data, 'success') ?? memberOf(result.data, 'ok');
  return itemsOf(result).length > 0 || typeof verdict === 'boolean' ? 'happened' : 'none';
}

/** An item that has failed beside one that is unknown makes no verdict over the whole, and is known all the same. */
function tellsSomeItems(result: ToolResult): boolean {
  return memberOf(result.data, 'found') !== false && !result.error && itemsOf(result).some(isSettled);
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

function memberOf(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null ? Object.getOwnPropertyDescriptor(data, name)?.value : undefined;
}

/** The server knows of no such call: nothing happened, and that is evidence. */
function endWithoutEffect(draft: Draft, transaction: OpenTransaction, result: ToolResult): Draft {
  const error = {
    errorCategory: 'transient',
    isRetryable: true,
    message: 'The call had no effect.',
    code: 'tool.outcome_lost',
  } as const;
  const items = transaction.status === 'OUTCOME_UNKNOWN' ? itemsWithOutcome(transaction.call.items, 'failed') : [];
  const ended = endTransaction(draft, transaction.id, {
    status: 'FAILED',
    reason: 'no_effect_found',
    outcome: 'FAILED',
    items,
    error,
  });
  const tool = toolOf(draft.agent, transaction.tool);
  const slot = outcomeSlot({ tool, transaction }, { ...result, outcome: 'FAILED', items: [...items], error });
  return say(ended, { ...slot, data: null, isEmpty: false });
}
