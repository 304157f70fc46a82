import { type AggregateOutcome, type MultiItemSummary, type ResultItem } from '@latch/contracts';

/**
 * The verdict over all items (seeds/000 section 6): all succeeded SUCCESS, some PARTIAL_SUCCESS, none FAILED. An item without evidence keeps
 * both ends out of reach: with a success beside it PARTIAL_SUCCESS, without one UNKNOWN, because FAILED would claim what nobody knows.
 * No items at all are UNKNOWN.
 */
export function aggregateItems(items: readonly Pick<ResultItem, 'outcome'>[]): AggregateOutcome {
  const { succeeded, failed } = countItems(items);
  if (items.length === 0) return 'UNKNOWN';
  if (succeeded === items.length) return 'SUCCESS';
  if (succeeded > 0) return 'PARTIAL_SUCCESS';
  return failed === items.length ? 'FAILED' : 'UNKNOWN';
}

/** `metadata.multi_item` of seeds/000 section 6; succeeded + failed + unknown = items (invariant I11). */
export function summarizeItems(items: readonly Pick<ResultItem, 'outcome'>[], primaryTool: string): MultiItemSummary {
  const { succeeded, failed, unknown } = countItems(items);
  return {
    status: aggregateItems(items),
    items_count: items.length,
    items_succeeded_count: succeeded,
    items_failed_count: failed,
    items_unknown_count: unknown,
    primary_tool: primaryTool,
  };
}

function countItems(items: readonly Pick<ResultItem, 'outcome'>[]): {
  succeeded: number;
  failed: number;
  unknown: number;
} {
  const counts = { succeeded: 0, failed: 0, unknown: 0 };
  for (const { outcome } of items) counts[outcome] += 1;
  return counts;
}
