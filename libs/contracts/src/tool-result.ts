import { z } from 'zod';
import { personal } from './personal.ts';
import { StructuredError } from './structured-error.ts';
import { InvocationPurpose } from './tool-invocation.ts';
import { pinned } from './pinned.ts';

/**
 * The verdict over all items of a call. UNKNOWN is a third answer: neither success nor failure can be claimed.
 *
 * @example 'PARTIAL_SUCCESS'
 * @see seeds/000 section 6
 */
export const AggregateOutcome = z.enum(['SUCCESS', 'PARTIAL_SUCCESS', 'FAILED', 'UNKNOWN']);
export type AggregateOutcome = z.infer<typeof AggregateOutcome>;

/**
 * What happened to one item.
 *
 * @example 'succeeded'
 * @see seeds/000 section 6; invariant I11
 */
export const ItemOutcome = z.enum(['succeeded', 'failed', 'unknown']);
export type ItemOutcome = z.infer<typeof ItemOutcome>;

/**
 * One item of a result, with the evidence that the tool gave for it.
 *
 * @example { id: 'PED-1001', label: 'PED-1001', outcome: 'failed', reason: 'já foi entregue' }
 * @see seeds/000 section 6
 */
export const ResultItem = z.looseObject({
  id: z.string().describe('Canonical id, as in the invocation.'),
  label: z.string().describe('How the item is called in a sentence.'),
  outcome: ItemOutcome.describe('What happened to it.').meta(pinned('This item alone had its effect (succeeded), had none (failed), or nobody knows (unknown). Never inferred from another item or from the whole.')),
  reason: z.string().nullish().describe('Why it failed, in the words of the tool.'),
  protocol: z.string().nullish().describe('Protocol number that the tool gave for it.'),
  is_retryable: z.boolean().optional().describe('Whether this item may be tried again.').meta(pinned('This item may be sent again under its own key.')),
  data: z.unknown().optional().describe('The entry of `results[]` as the tool sent it.').meta(personal),
});
export type ResultItem = z.infer<typeof ResultItem>;

const count = (meaning: string): z.ZodNumber => z.number().int().nonnegative().describe(meaning);

/**
 * `metadata.multi_item`, present only for two or more items.
 *
 * @example { status: 'PARTIAL_SUCCESS', items_count: 3, items_succeeded_count: 2, items_failed_count: 1, primary_tool: 'cancelar_vas_avulso' }
 * @see seeds/000 section 6
 */
export const MultiItemSummary = z.looseObject({
  status: AggregateOutcome.describe('The verdict over all items.').meta(pinned('All items succeeded, some, none, or nobody knows of all.')),
  items_count: count('Items.'),
  items_succeeded_count: count('Items that succeeded.'),
  items_failed_count: count('Items that failed.'),
  items_unknown_count: count('Items of which nobody knows.').optional(),
  primary_tool: z.string().describe('The tool whose `results` were read.'),
});
export type MultiItemSummary = z.infer<typeof MultiItemSummary>;

/**
 * The canonical answer of a tool: what happened, never more than the evidence holds. `ok` is false whenever `error` is set or the outcome is FAILED or
 * UNKNOWN; a partial success is `ok: true` with `partial_success: true` and each item's own outcome.
 *
 * @example { tool_name: 'consultar_fatura', ok: true, data: { valor_total: 249.9 }, cache: { hit: false, ttl_seconds: 300 }, latency_ms: 140 }
 * @see SPEC-012 section 9; seeds/000 section 6
 */
export const ToolResult = z
  .looseObject({
    tool_name: z.string().min(1).meta({ description: 'The tool that was called.', examples: ['consultar_fatura'] }),
    ok: z.boolean().describe('False whenever `error` is set or the outcome is FAILED or UNKNOWN.').meta(pinned('There is no error, and something succeeded. Not that everything did.')),
    data: z.unknown().describe('What the tool answered.').meta(personal),
    cache: z
      .looseObject({
        hit: z.boolean().describe('Whether the answer came from the cache.'),
        ttl_seconds: z.number().nonnegative().describe('How long it may be kept, in seconds.'),
      })
      .optional()
      .describe('Set for declared reads.'),
    latency_ms: z.number().nonnegative().describe('All attempts together, in milliseconds.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['tool-result-v1'] }),
    invocation_id: z.string().optional().describe('The logical call that this answers.'),
    transaction_id: z.string().nullish().describe('The transaction that the call belongs to.'),
    purpose: InvocationPurpose.optional().describe('Why the tool was called.'),
    outcome: AggregateOutcome.optional().describe('The verdict.').meta(pinned('All succeeded, some, none, or nobody knows.')),
    empty: z.boolean().optional().describe('The tool ran and found nothing: a success, and `note` says so.').meta(pinned('The tool ran and found nothing: a success, never a failure and never a lack of access.')),
    note: z.string().nullish().describe('What has to be said about the result, such as that it is empty.').meta(personal),
    error: StructuredError.nullish().describe('Why it failed.').meta(personal),
    secondary_error: StructuredError.nullish().describe(
      'A later failure of a wrapper or auxiliary step; it never erases items that ended.',
    ).meta(pinned('A later step failed; what the items say stands.')).meta(personal),
    items: z.array(ResultItem).optional().describe('Each item with its own outcome.').meta(personal),
    multi_item_status: AggregateOutcome.nullish().describe('The verdict, where there are two or more items.'),
    partial_success: z.boolean().optional().describe('Whether some items succeeded and some did not.').meta(pinned('At least one item succeeded and at least one did not.')),
    attempts: z.number().int().nonnegative().optional().describe('How often the tool was called.'),
    metadata: z
      .looseObject({ multi_item: MultiItemSummary.optional().describe('Present for two or more items.') })
      .optional()
      .describe('Counts.'),
  })
  .meta({
    description: 'The canonical answer of a tool: what happened, never more than the evidence holds.',
    'x-source': 'SPEC-012 section 9; seeds/000 section 6',
  });
export type ToolResult = z.infer<typeof ToolResult>;
