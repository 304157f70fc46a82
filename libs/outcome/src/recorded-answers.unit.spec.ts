import { describe, expect, it } from '@jest/globals';
import { answer, execution, record, rowsOf } from './execution-sketch.features.ts';
import { listOf, textOf } from './json-value.ts';
import { readToolResult } from './read-tool-result.ts';

/** A row's `expected`, by name, for tables whose title is the case id. */
function cases(file: string): readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] {
  return rowsOf(file).map((row) => [String(row.case_id), row, record(row.expected)] as const);
}

describe('multi-item answers of tau-bench tools in five wire shapes', () => {
  it.each(cases('tau-multi-item.jsonl'))('%s', (_, row, expected) => {
    const items = listOf(record(row.arguments).order_ids).map(String);
    const result = readToolResult(
      execution({
        tool: String(row.tool),
        operation: String(row.operation_type),
        items,
        outcome: answer(row.mcp_result),
      }),
    );
    expect(result.multi_item_status).toBe(expected.multi_item_status);
    if (expected.multi_item_status === null) {
      expect(result.ok).toBe(expected.ok);
      return;
    }
    const { items_count, items_succeeded_count, items_failed_count } = expected;
    expect(result.metadata?.multi_item).toMatchObject({ items_count, items_succeeded_count, items_failed_count });
    const byOutcome = (outcome: string): unknown[] => (result.items ?? []).filter((item) => item.outcome === outcome);
    expect(byOutcome('succeeded')).toMatchObject(listOf(expected.succeeded).map((id) => ({ id })));
    expect(byOutcome('failed')).toMatchObject(listOf(expected.failed));
    expect(result.secondary_error !== null).toBe(expected.secondary_error === true);
  });
});

describe('answers of tau-bench tools: errors, successes and valid empty results', () => {
  it.each(cases('tau-tool-results.jsonl'))('%s', (_, row, expected) => {
    const result = readToolResult(execution({ tool: String(row.tool), outcome: answer(row.mcp_result) }));
    expect(result.ok).toBe(expected.ok);
    if (expected.ok === true) expect(result.empty).toBe(expected.empty);
    else {
      expect(result.error?.errorCategory).toBe(expected.error_category);
      expect(result.error?.isRetryable).toBe(expected.retryable_with_same_input);
    }
  });
});

describe('recorded answers of the official MCP servers', () => {
  it.each(cases('mcp-recorded-results.jsonl'))('%s', (_, row, expected) => {
    const isRead = row.annotations === undefined || record(row.annotations).readOnlyHint === true;
    const outcome =
      row.result === undefined ? { kind: 'protocol_error', ...record(row.protocol_error) } : answer(row.result);
    const result = readToolResult(
      execution({ tool: String(row.tool), operation: isRead ? 'read_only' : 'transactional', outcome }),
    );
    expect(result.ok).toBe(expected.ok);
    if (expected.ok === true) expect(result.empty).toBe(expected.empty);
    else expect(result.error?.errorCategory).toBe(expected.error_category);
    if (expected.retryable !== undefined) expect(result.error?.isRetryable).toBe(expected.retryable);
  });
});

describe('what the SDK client throws, as libs/mcp hands it on', () => {
  const outcomes: Readonly<Record<string, unknown>> = {
    'mcp-transport-1': { kind: 'protocol_error', code: -32000, message: 'MCP error -32000: Connection closed' },
    'mcp-transport-2': { kind: 'transport_error', code: 'ECONNREFUSED', message: 'fetch failed', sent: false },
    'mcp-transport-3': { kind: 'http_error', status: 503, body: 'upstream unavailable' },
  };

  it.each(cases('mcp-transport-errors.jsonl'))('%s', (id, _, expected) => {
    const result = readToolResult(execution({ operation: 'read_only', outcome: outcomes[textOf(id) ?? ''] }));
    expect(result.ok).toBe(expected.ok);
    expect(result.error).toMatchObject({ errorCategory: expected.error_category, isRetryable: expected.retryable });
  });

  it.each(['mcp-transport-1', 'mcp-transport-3'])('leaves the effect of a mutating call open (%s)', (id) => {
    expect(readToolResult(execution({ outcome: outcomes[id] }))).toMatchObject({
      outcome: 'UNKNOWN',
      error: { isRetryable: false },
    });
  });
});
