import { type ToolResult } from '@latch/contracts';
import { type Draft, say, toolOf } from './draft.ts';
import { type Ending, endTransaction } from './end.ts';
import { itemsOf, outcomeOf } from './outcome-of.ts';
import { outcomeSlot } from './outcome-slot.ts';
import { type OpenTransaction } from './state.ts';

/** Ends a transaction by what a tool has said of its call, and tells it. */
export function endAsFound(draft: Draft, transaction: OpenTransaction, result: ToolResult): Draft {
  const ended = endTransaction(draft, transaction.id, endingOf(result));
  return say(ended, outcomeSlot({ tool: toolOf(draft.agent, transaction.tool), transaction }, result));
}

/** How a transaction ends by this result: a partial success is a completion whose failures are named. */
function endingOf(result: ToolResult): Ending {
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
