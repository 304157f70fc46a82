import { type AggregateOutcome, type ResultItem, type ToolResult } from '@latch/contracts';
import { isDue } from './instants.ts';
import { type Evidence, type OpenTransaction, type PendingCall } from './state.ts';

/**
 * What is settled of a call's items by its own answer and by those of its reconcile tool, one by one, in the order of the call; the others are unknown. An item
 * stays settled whatever a later answer says or leaves out. That it succeeded is evidence at any time; that it failed only from the call itself, or when the call
 * can no longer be running. Empty where the call has no items.
 */
export function itemsKnownOf(transaction: OpenTransaction): readonly ResultItem[] {
  if (transaction.status !== 'OUTCOME_UNKNOWN') return [];
  const { call, evidence } = transaction;
  const told = evidence.flatMap((one) => (one.invocationId === call.invocationId ? one.items : toldOf(one, call)));
  const open: readonly ResultItem[] = call.items.map(({ id, label }) => ({ id, label, outcome: 'unknown' }));
  return settledBy(open, told);
}

/** A question that failed as a whole says nothing of the items that it asked about: it is its own failure, not theirs. */
function toldOf({ purpose, error, outcome, items, receivedAt }: Evidence, call: PendingCall): readonly ResultItem[] {
  if (purpose !== 'reconcile' || (error !== null && outcome === 'FAILED')) return [];
  const isOver = isDue(call.deadlineAt, receivedAt);
  return items.filter((item) => item.outcome === 'succeeded' || (item.outcome === 'failed' && isOver));
}

/** Items with what is told of those that are still unknown; what is told first counts. */
export function settledBy(items: readonly ResultItem[], told: readonly ResultItem[]): readonly ResultItem[] {
  const known = new Map(
    told
      .filter(isSettled)
      .toReversed()
      .map((item) => [item.id, item]),
  );
  return items.map((item) => (isSettled(item) ? item : (known.get(item.id) ?? item)));
}

/** Whether what became of an item is known. */
export function isSettled({ outcome }: ResultItem): boolean {
  return outcome !== 'unknown';
}

/** A result with the items as they are settled by now, maybe by several answers; itself where that is not known of all. */
export function withItems(result: ToolResult, items: readonly ResultItem[]): ToolResult {
  const isKnown = items.length > 0 && items.every(isSettled);
  return isKnown ? { ...result, items: [...items], outcome: verdictOf(items) } : result;
}

/** The verdict over items that are all settled. */
function verdictOf(items: readonly ResultItem[]): AggregateOutcome {
  const succeeded = items.filter(({ outcome }) => outcome === 'succeeded').length;
  if (succeeded === items.length) return 'SUCCESS';
  return succeeded === 0 ? 'FAILED' : 'PARTIAL_SUCCESS';
}
