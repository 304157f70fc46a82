import { type ProposalItem, type ResultItem, type StructuredError, type ToolResult } from '@latch/contracts';
import { type TransactionOfTool, valuesOf } from './confirmation.ts';
import { hasEffect, itemsOf, outcomeOf } from './outcome-of.ts';
import { type ReplySlot } from './reply.ts';

type OutcomeSlot = Extract<ReplySlot, { readonly kind: 'outcome' }>;

/** What a result says, nothing added (invariant I11). */
export function outcomeSlot(of: TransactionOfTool, result: ToolResult): OutcomeSlot {
  const { tool } = of;
  return {
    kind: 'outcome',
    toolLabel: tool.label,
    outcome: outcomeOf(result),
    isReadOnly: tool.operationType === 'read_only',
    values: hasEffect(tool) ? valuesOf(of) : [],
    items: result.items ?? [],
    data: result.data ?? null,
    isEmpty: result.empty === true,
    note: result.note ?? null,
    error: result.error ?? null,
    secondaryError: result.secondary_error ?? null,
    isBeingChecked: false,
    canRetry: outcomeOf(result) !== 'UNKNOWN' && isRetryable(itemsOf(result), result.error ?? null),
  };
}

/** A call whose effect nobody knows, or of which only some items are settled: each of its items is named (invariant I11). */
export function outcomeUnknownSlot(
  of: TransactionOfTool,
  unknown: { readonly items: readonly ResultItem[]; readonly error: StructuredError | null },
): OutcomeSlot {
  const { tool } = of;
  return {
    kind: 'outcome',
    toolLabel: tool.label,
    outcome: 'UNKNOWN',
    isReadOnly: !hasEffect(tool),
    values: hasEffect(tool) ? valuesOf(of) : [],
    items: unknown.items,
    data: null,
    isEmpty: false,
    note: null,
    error: unknown.error,
    secondaryError: null,
    isBeingChecked: tool.reconcileTool !== null,
    canRetry: false,
  };
}

/** The items of a call that all came to the same, as far as anybody knows. */
export function itemsWithOutcome(
  items: readonly ProposalItem[],
  outcome: ResultItem['outcome'],
): readonly ResultItem[] {
  return items.map(({ id, label }) => ({ id, label, outcome }));
}

/** Whether the user's word may try again what failed: some items, or the whole call where it has none. */
export function isRetryable(items: readonly ResultItem[], error: StructuredError | null): boolean {
  return items.length === 0 ? error?.isRetryable === true : retryableItems(items, error).length > 0;
}

/** The failed items that may be tried again; one that does not say so itself shares the verdict over the call. */
export function retryableItems(items: readonly ResultItem[], error: StructuredError | null): readonly ResultItem[] {
  const verdict = error?.isRetryable === true;
  return items.filter(({ outcome, is_retryable: own }) => outcome === 'failed' && (own ?? verdict));
}
