import { type ToolResult } from '@latch/contracts';

/** An MCP `CallToolResult`: `isError` in camel case, absent on success. */
export type McpToolResult = {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError?: true;
};

/** A block of the Claude Messages API: `is_error` in snake case, absent on success. */
export type ClaudeToolResult = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
};

/** A message of the OpenAI chat API, which has no error flag: the content says it. */
export type OpenAiToolMessage = { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** Writes a ToolResult as an MCP answer (seeds/004, "Sinalizando erro"). Reading it again with `readToolResult` gives the same verdict. */
export function toMcpCallToolResult(result: ToolResult): McpToolResult {
  const body = bodyOf(result);
  const written = { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body } as const;
  return isFailure(result) ? { ...written, isError: true } : written;
}

/** Writes a ToolResult as a Claude `tool_result` block for the given `tool_use`. */
export function toClaudeToolResult(result: ToolResult, toolUseId: string): ClaudeToolResult {
  const block = { type: 'tool_result', tool_use_id: toolUseId, content: JSON.stringify(bodyOf(result)) } as const;
  return isFailure(result) ? { ...block, is_error: true } : block;
}

/** Writes a ToolResult as an OpenAI tool message for the given tool call. */
export function toOpenAiToolMessage(result: ToolResult, toolCallId: string): OpenAiToolMessage {
  return { role: 'tool', tool_call_id: toolCallId, content: JSON.stringify({ ok: result.ok, ...bodyOf(result) }) };
}

/** A partial success is no failure: its items say what failed. An unknown outcome is one, and says that it is unknown. */
function isFailure(result: ToolResult): boolean {
  return !result.ok;
}

function bodyOf(result: ToolResult): Record<string, unknown> {
  if (hasItems(result)) return itemsBody(result);
  if (!result.ok) return errorBody(result);
  if (result.empty === true) return { results: [], note: result.note ?? 'executed, count 0' };
  return typeof result.data === 'object' && result.data !== null && !Array.isArray(result.data)
    ? { ...result.data }
    : { result: result.data };
}

function hasItems(result: ToolResult): boolean {
  return (result.multi_item_status ?? null) !== null;
}

function itemsBody(result: ToolResult): Record<string, unknown> {
  return {
    results: (result.items ?? []).map(({ id, label, outcome, reason, protocol, is_retryable }) => ({
      id,
      name: label,
      // An open item has no flag: neither true nor false could be claimed.
      ...(outcome === 'unknown' ? { outcome } : { success: outcome === 'succeeded' }),
      ...(reason === null || reason === undefined ? {} : { reason }),
      ...(protocol === null || protocol === undefined ? {} : { protocol }),
      ...(outcome === 'failed' ? { isRetryable: is_retryable ?? false } : {}),
    })),
    multi_item_status: result.multi_item_status,
    ...(result.error === null || result.error === undefined ? {} : errorBody(result)),
    ...(result.secondary_error === null || result.secondary_error === undefined
      ? {}
      : { secondary_error: result.secondary_error }),
  };
}

function errorBody(result: ToolResult): Record<string, unknown> {
  return { ...result.error, ...(result.outcome === 'UNKNOWN' ? { outcome: 'UNKNOWN' } : {}) };
}
