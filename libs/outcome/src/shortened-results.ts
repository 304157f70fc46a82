import { type ToolResult } from '@latch/contracts';

/**
 * A result and what is left of it where it is too large for the bus, the largest first: what goes first are the copies of the answer, then the answer, at last
 * the items beyond 500, and all of them. Each says in `data_omitted` what is left out.
 */
export function shortenedResults(result: ToolResult): readonly ToolResult[] {
  const bare = withoutItemsBeyond(result);
  return [result, withoutItemData(result), withoutData(result), bare, { ...bare, items: [] }];
}

function withoutItemData(result: ToolResult): ToolResult {
  const items = result.items?.map(({ data: _data, ...item }) => item);
  return { ...result, ...(items === undefined ? {} : { items }), unrequested_items: undefined, data_omitted: 'items' };
}

function withoutData(result: ToolResult): ToolResult {
  return { ...withoutItemData(result), data: null, data_omitted: 'all' };
}

/** Thousands of items with long names: the counts in `metadata.multi_item` stay whole. */
function withoutItemsBeyond(result: ToolResult): ToolResult {
  const bare = withoutData(result);
  return {
    ...bare,
    error: result.error && { ...result.error, partialResults: [] },
    items: bare.items?.slice(0, 500),
    data_omitted: 'items beyond 500',
  };
}
