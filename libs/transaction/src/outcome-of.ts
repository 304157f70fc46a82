import { type AggregateOutcome, type ResultItem, type ToolConfig, type ToolResult } from '@latch/contracts';

/** The verdict of a result; a producer that gives none is read by its `ok`. */
export function outcomeOf(result: ToolResult): AggregateOutcome {
  return result.outcome ?? (result.ok ? 'SUCCESS' : 'FAILED');
}

/** The items as state and projection keep them: what the tool sent for each is in the event stream only. */
export function itemsOf(result: ToolResult): readonly ResultItem[] {
  return (result.items ?? []).map(({ data: _data, ...item }) => item);
}

/** Whether the call as a whole was refused, so that it may be put together again. */
export function isNothingDone(result: ToolResult): boolean {
  return outcomeOf(result) === 'FAILED' && itemsOf(result).every(({ outcome }) => outcome === 'failed');
}

/** Whether a call of this tool may change the world; when in doubt, it may. */
export function hasEffect(tool: ToolConfig): boolean {
  return tool.operationType !== 'read_only';
}
