import { type AggregateOutcome, type StructuredError, type ToolExecution, type ToolResult } from '@latch/contracts';
import { aggregateItems, summarizeItems } from './aggregate-items.ts';
import { isMutating } from './may-have-happened.ts';
import { readExecution } from './read-execution.ts';
import { type Reading } from './reading.ts';
import { withContext } from './structured-error.ts';

/**
 * Reads what became of a tool call: the one total function from whatever came back (or did not) to the canonical ToolResult (DESIGN section 5).
 *
 * It never throws, works within the limits of `limits.ts`, and claims nothing that the evidence does not hold:
 * - `outcome` FAILED means that the call certainly had no effect on the failed items; UNKNOWN that nobody knows;
 * - succeeded + failed + unknown = items, and with two or more items asked the items are those that were asked;
 * - a later failure never erases items that ended: it is `secondary_error`;
 * - an empty answer is a success with a `note`, an access failure an error with a category.
 *
 * Beyond the contract it sets `contract_warnings` (how the answer departs from the per-item contract) and `unrequested_items`.
 */
export function readToolResult(execution: ToolExecution): ToolResult {
  const reading = readExecution(execution);
  const error = reading.error === null ? null : complete(reading.error, reading.outcome, execution);
  const { invocation } = execution;
  return {
    tool_name: invocation.tool_name,
    ok: error === null && (reading.outcome === 'SUCCESS' || reading.outcome === 'PARTIAL_SUCCESS'),
    data: reading.data ?? null,
    ...(execution.cache === undefined ? {} : { cache: execution.cache }),
    latency_ms: execution.latency_ms,
    contract_version: 'tool-result-v1',
    invocation_id: execution.invocation_id,
    transaction_id: invocation.transaction_id ?? null,
    ...(invocation.purpose === undefined ? {} : { purpose: invocation.purpose }),
    outcome: reading.outcome,
    empty: reading.isEmpty,
    note: reading.note,
    error,
    secondary_error: reading.secondaryError === null ? null : withContext(reading.secondaryError, triedBy(execution)),
    ...itemFields(reading, invocation.tool_name),
    attempts: execution.attempts.length,
    ...(reading.warnings.length === 0 ? {} : { contract_warnings: reading.warnings }),
  };
}

/** `items` and, for two or more of them with evidence, the multi-item verdict of seeds/000 section 6. */
function itemFields(reading: Reading, tool: string): Partial<ToolResult> {
  const { items, isMultiItem, unrequested } = reading;
  return {
    ...(items.length === 0 ? {} : { items: [...items] }),
    ...(unrequested.length === 0 ? {} : { unrequested_items: unrequested }),
    multi_item_status: isMultiItem ? aggregateItems(items) : null,
    partial_success: reading.outcome === 'PARTIAL_SUCCESS',
    metadata: isMultiItem ? { multi_item: summarizeItems(items, tool) } : {},
  };
}

/** A call whose effect is open must not be sent again by whoever reads the error, unless the operator declared that harmless. */
function complete(error: StructuredError, outcome: AggregateOutcome, execution: ToolExecution): StructuredError {
  const isOpen = outcome === 'UNKNOWN' && isMutating(execution.invocation) && execution.declared_idempotent !== true;
  return withContext(isOpen ? { ...error, isRetryable: false } : error, triedBy(execution));
}

function triedBy(execution: ToolExecution): { tool: string; attempts: number } {
  return { tool: execution.invocation.tool_name, attempts: execution.attempts.length };
}
