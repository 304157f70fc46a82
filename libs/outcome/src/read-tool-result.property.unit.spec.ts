import { describe, expect, it } from '@jest/globals';
import { ToolResult } from '@latch/contracts';
import fc from 'fast-check';
import { toMcpCallToolResult } from './emit-tool-result.ts';
import { answer, execution } from './execution-sketch.features.ts';
import { isMutating, mayHaveHappened } from './may-have-happened.ts';
import { readToolResult } from './read-tool-result.ts';

const id = fc.constantFrom('A', 'B', 'C', 'D', 'é', '1');
const flag = fc.oneof(
  { weight: 6, arbitrary: fc.boolean() },
  fc.constantFrom('true', 'false', 'yes', 1, null, undefined),
);
const entry = fc.oneof(
  { weight: 8, arbitrary: fc.record({ id, success: flag, ok: flag, reason: fc.string() }, { requiredKeys: [] }) },
  fc.jsonValue(),
);
const body = fc.oneof(
  fc.record(
    { results: fc.array(entry, { maxLength: 8 }), error: fc.string(), success: flag },
    { requiredKeys: ['results'] },
  ),
  fc.record({
    workflow: fc.record({ output: fc.record({ cancel_services: fc.record({ results: fc.array(entry) }) }) }),
  }),
  fc.jsonValue(),
);
const block = fc.oneof(
  body.map((value) => ({ type: 'text', text: JSON.stringify(value) })),
  fc.string().map((words) => ({ type: 'text', text: words })),
  fc.jsonValue(),
);
const result = fc.record(
  {
    content: fc.array(block, { maxLength: 3 }),
    structuredContent: body,
    isError: fc.oneof(fc.boolean(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const outcome = fc.oneof(
  { weight: 6, arbitrary: result.map(answer) },
  fc.record({ kind: fc.constant('protocol_error'), code: fc.integer(), message: fc.string(), data: fc.jsonValue() }),
  fc.record({
    kind: fc.constant('http_error'),
    status: fc.integer({ min: 100, max: 599 }),
    body: fc.string(),
    retry_after: fc.option(fc.string()),
  }),
  fc.record({ kind: fc.constant('transport_error'), code: fc.string(), message: fc.string(), sent: fc.boolean() }),
  fc.record({ kind: fc.constant('timeout'), timeout_ms: fc.integer({ min: 1 }), sent: fc.boolean() }),
  fc.record({ kind: fc.constant('lost'), reason: fc.string() }),
);
const sketch = fc
  .record({
    operation: fc.constantFrom('read_only', 'conversational', 'transactional', 'internal'),
    items: fc.uniqueArray(id, { maxLength: 5 }),
    outcome,
    declaredIdempotent: fc.boolean(),
  })
  .map(execution);

const runs = { numRuns: 1_000 };

describe('for any execution', () => {
  it('the result is a valid ToolResult and survives JSON', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const read = readToolResult(given);
        expect(ToolResult.parse(JSON.parse(JSON.stringify(read))).tool_name).toBe(given.invocation.tool_name);
      }),
      runs,
    );
  });

  it('is read alike twice: no clock, no chance', () => {
    fc.assert(
      fc.property(sketch, (given) => expect(readToolResult(given)).toEqual(readToolResult(given))),
      { numRuns: 300 },
    );
  });

  it('succeeded + failed + unknown = items', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const { metadata, items } = readToolResult(given);
        const counts = metadata?.multi_item;
        if (counts === undefined) return;
        expect(counts.items_succeeded_count + counts.items_failed_count + (counts.items_unknown_count ?? 0)).toBe(
          counts.items_count,
        );
        expect(items).toHaveLength(counts.items_count);
      }),
      runs,
    );
  });

  it('with two or more items asked, the items are as many as were asked, or more only where nothing is named', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const asked = given.invocation.items ?? [];
        const items = readToolResult(given).items ?? [];
        if (asked.length < 2 || items.length === 0 || items.some((item) => item.id.startsWith('#'))) return;
        expect(items.map((item) => item.id)).toEqual(asked.map((item) => item.id));
      }),
      runs,
    );
  });

  it('no success is claimed for a flagged error that accounts for no item', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        if (given.outcome.kind === 'result' && given.outcome.result.isError !== true) return;
        const read = readToolResult(given);
        if (!(read.items ?? []).some((item) => item.outcome === 'succeeded')) expect(read.ok).toBe(false);
      }),
      runs,
    );
  });

  it('a mutating call that may have happened is never FAILED', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        if (!isMutating(given.invocation) || !mayHaveHappened(given.outcome)) return;
        expect(readToolResult(given).outcome).not.toBe('FAILED');
      }),
      runs,
    );
  });

  it('ok, outcome and error agree, and only transient errors are retryable', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const read = readToolResult(given);
        expect(read.ok).toBe(read.outcome === 'SUCCESS' || read.outcome === 'PARTIAL_SUCCESS');
        expect(read.error === null).toBe(read.ok);
        if (read.error?.isRetryable === true) expect(read.error.errorCategory).toBe('transient');
        if (read.empty === true) expect(read).toMatchObject({ ok: true, outcome: 'SUCCESS' });
      }),
      runs,
    );
  });

  it('writing it for MCP and reading that again gives the same verdict per item', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const read = readToolResult(given);
        const isNamed = (read.items ?? []).every((item) => !item.id.startsWith('#'));
        if (read.multi_item_status === null || !isNamed) return;
        const again = readToolResult({
          ...given,
          outcome: { kind: 'result', result: { ...toMcpCallToolResult(read), content: [] } },
        });
        expect(again.items?.map((item) => item.outcome)).toEqual(read.items?.map((item) => item.outcome));
      }),
      runs,
    );
  });
});
