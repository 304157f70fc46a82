import { z } from 'zod';
import { StructuredError } from './structured-error.ts';
import { InvocationPurpose } from './tool-invocation.ts';

/** The verdict over all items of a call. UNKNOWN is a third answer: neither success nor failure can be claimed. */
export const AggregateOutcome = z.enum(['SUCCESS', 'PARTIAL_SUCCESS', 'FAILED', 'UNKNOWN']);
export type AggregateOutcome = z.infer<typeof AggregateOutcome>;

/** What happened to one item. */
export const ItemOutcome = z.enum(['succeeded', 'failed', 'unknown']);
export type ItemOutcome = z.infer<typeof ItemOutcome>;

/** One item of a result, with the evidence that the tool gave for it. */
export const ResultItem = z.looseObject({
  id: z.string(),
  label: z.string(),
  outcome: ItemOutcome,
  reason: z.string().nullish(),
  protocol: z.string().nullish(),
  is_retryable: z.boolean().optional(),
  /** The entry of `results[]` as the tool sent it. */
  data: z.unknown().optional(),
});
export type ResultItem = z.infer<typeof ResultItem>;

/** `metadata.multi_item` of SPEC seeds/000 section 6; present only for two or more items. */
export const MultiItemSummary = z.looseObject({
  status: AggregateOutcome,
  items_count: z.number().int().nonnegative(),
  items_succeeded_count: z.number().int().nonnegative(),
  items_failed_count: z.number().int().nonnegative(),
  items_unknown_count: z.number().int().nonnegative().optional(),
  primary_tool: z.string(),
});
export type MultiItemSummary = z.infer<typeof MultiItemSummary>;

/**
 * The canonical answer of a tool (SPEC-012 section 9): what happened, never more than the evidence holds. `ok` is false whenever `error` is set or the
 * outcome is FAILED or UNKNOWN; a partial success is `ok: true` with `partial_success: true` and each item's own outcome.
 */
export const ToolResult = z.looseObject({
  tool_name: z.string().min(1),
  ok: z.boolean(),
  data: z.unknown(),
  cache: z.looseObject({ hit: z.boolean(), ttl_seconds: z.number().nonnegative() }).optional(),
  latency_ms: z.number().nonnegative(),
  contract_version: z.string().optional(),
  invocation_id: z.string().optional(),
  transaction_id: z.string().nullish(),
  purpose: InvocationPurpose.optional(),
  outcome: AggregateOutcome.optional(),
  /** The tool ran and found nothing: a success, with `note` saying so. */
  empty: z.boolean().optional(),
  note: z.string().nullish(),
  error: StructuredError.nullish(),
  /** A later failure of a wrapper or auxiliary step; it never erases items that ended. */
  secondary_error: StructuredError.nullish(),
  items: z.array(ResultItem).optional(),
  multi_item_status: AggregateOutcome.nullish(),
  partial_success: z.boolean().optional(),
  attempts: z.number().int().nonnegative().optional(),
  metadata: z.looseObject({ multi_item: MultiItemSummary.optional() }).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;
