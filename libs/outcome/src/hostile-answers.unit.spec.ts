import { describe, expect, it } from '@jest/globals';
import { processorMs } from '@latch/testing';
import { answer, execution, structured, text } from './execution-sketch.features.ts';
import { limits } from './limits.ts';
import { readToolResult } from './read-tool-result.ts';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = { inner: value };
  return value;
}

function timed<T>(work: () => T): { value: T; ms: number } {
  const value = work();
  return { value, ms: processorMs(work, 1) };
}

describe('an answer beyond the limits', () => {
  it('with 1,000,000 results is refused by name in bounded time, and a mutating call stays unknown', () => {
    const results = Array.from({ length: 1_000_000 }, (_, id) => ({ id, success: true }));
    const sketch = execution({ items: ['A', 'B'], outcome: answer({ structuredContent: { results } }) });
    const { value, ms } = timed(() => readToolResult(sketch));
    expect(value).toMatchObject({
      ok: false,
      outcome: 'UNKNOWN',
      data: null,
      error: { code: 'tool.result_too_large', isRetryable: false },
    });
    expect(value.items?.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect(ms).toBeLessThan(2_000);
  });

  it('with one entry more than the limit is refused, with the limit itself it is read', () => {
    const list = (length: number): unknown => ({ results: Array.from({ length }, (_, id) => ({ id, success: true })) });
    expect(
      readToolResult(execution({ outcome: structured(list(limits.results)) })).metadata?.multi_item?.items_count,
    ).toBe(limits.results);
    expect(readToolResult(execution({ outcome: structured(list(limits.results + 1)) })).error?.code).toBe(
      'tool.result_too_large',
    );
  });

  it.each([
    ['structured content', (depth: number) => answer({ structuredContent: nested(depth) })],
    ['JSON text', (depth: number) => text(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)],
  ])('10,000 levels deep in %s is unreadable and is not passed on', (_, outcome) => {
    const result = readToolResult(execution({ operation: 'read_only', outcome: outcome(10_000) }));
    expect(result).toMatchObject({
      ok: false,
      outcome: 'FAILED',
      data: null,
      error: { code: 'tool.result_unreadable', isRetryable: false },
    });
    expect(() => JSON.stringify(result)).not.toThrow();
  });

  it('of 50 MB of text is refused by name', () => {
    const { value, ms } = timed(() =>
      readToolResult(execution({ operation: 'read_only', outcome: text(`{"a":"${'x'.repeat(50e6)}"}`) })),
    );
    expect(value.error?.code).toBe('tool.result_too_large');
    expect(ms).toBeLessThan(2_000);
  });

  it('with an error text of 1 MB is cut to a message that can be passed on', () => {
    const { value, ms } = timed(() => readToolResult(execution({ outcome: text('a b '.repeat(250_000), true) })));
    expect(value.error?.message.length).toBeLessThanOrEqual(500);
    expect(ms).toBeLessThan(500);
  });
});

describe('an answer that contradicts itself', () => {
  const both = (results: unknown, items?: string[]): ReturnType<typeof readToolResult> =>
    readToolResult(execution({ items, outcome: structured({ results }) }));

  it('with ok and success disagreeing leaves that item unknown', () => {
    const result = both(
      [
        { id: 'A', ok: true, success: false },
        { id: 'B', ok: true, success: true },
      ],
      ['A', 'B'],
    );
    expect(result.items?.map(({ outcome }) => outcome)).toEqual(['unknown', 'succeeded']);
    expect(result.contract_warnings).toEqual(['1 entries in results have success and ok disagreeing']);
  });

  it('with one item twice and alike counts it once', () => {
    const result = both(
      [
        { id: 'A', success: true },
        { id: 'A', success: true },
        { id: 'B', success: false },
      ],
      ['A', 'B'],
    );
    expect(result.metadata?.multi_item).toMatchObject({
      items_count: 2,
      items_succeeded_count: 1,
      items_failed_count: 1,
    });
  });

  it('with one item twice and not alike leaves it unknown', () => {
    const result = both(
      [
        { id: 'A', success: true },
        { id: 'A', success: false },
        { id: 'B', success: true },
      ],
      ['A', 'B'],
    );
    expect(result.items).toMatchObject([
      { id: 'A', outcome: 'unknown', reason: 'contradictory_evidence' },
      { id: 'B' },
    ]);
  });

  it('with an item that was not asked for shows it and does not count it', () => {
    const result = both(
      [
        { id: 'A', success: true },
        { id: 'B', success: true },
        { id: 'X', success: true },
      ],
      ['A', 'B'],
    );
    expect(result).toMatchObject({
      multi_item_status: 'SUCCESS',
      unrequested_items: [{ id: 'X', outcome: 'succeeded' }],
    });
    expect(result.metadata?.multi_item?.items_count).toBe(2);
  });

  it('with flags on some entries of a mutating call leaves the others unknown', () => {
    const result = both([{ id: 'A', success: true }, { id: 'B' }], ['A', 'B']);
    expect(result.items?.map(({ outcome }) => outcome)).toEqual(['succeeded', 'unknown']);
  });

  it('with results nested in results counts nothing and claims nothing', () => {
    const result = both([{ results: [{ id: 'A', success: true }] }, { results: [] }], ['A', 'B']);
    expect(result).toMatchObject({ ok: false, outcome: 'UNKNOWN', multi_item_status: null });
  });

  it('with names of another case and accents still matches', () => {
    const items = ['Música Já', 'TIM Fashion'];
    const result = both(
      [
        { name: ' tim  fashion ', success: true },
        { name: 'MUSICA JA', success: true },
      ],
      items,
    );
    expect(result.multi_item_status).toBe('SUCCESS');
  });

  it('with two items of one label does not guess which is meant', () => {
    const items = [
      { id: '1', label: 'Chip' },
      { id: '2', label: 'Chip' },
    ];
    const outcome = structured({
      results: [
        { name: 'Chip', success: true },
        { name: 'Chip', success: false },
      ],
    });
    const result = readToolResult(execution({ items, outcome }));
    expect(result.items?.map((item) => item.outcome)).toEqual(['unknown', 'unknown']);
  });

  it('with ids that only begin alike does not mix them up', () => {
    const result = both(
      [
        { id: 'P-10', success: true },
        { id: 'P-100', success: false },
      ],
      ['P-100', 'P-10'],
    );
    expect(result.items?.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['P-100', 'failed'],
      ['P-10', 'succeeded'],
    ]);
  });

  it.each([null, 1, 'x', [], [[]]])('with entries that are no objects (%j) claims nothing', (entry) => {
    expect(both([entry, entry], ['A', 'B']).outcome).toBe('UNKNOWN');
  });

  it.each(['true', 1, {}, 'yes'])('with isError = %j is an error: the flag fails closed', (flag) => {
    const outcome = answer({ content: [{ type: 'text', text: 'done' }], isError: flag });
    expect(readToolResult(execution({ outcome })).ok).toBe(false);
  });

  it.each([false, null, undefined, 'false'])('with isError = %j is none', (flag) => {
    const outcome = answer({ content: [{ type: 'text', text: 'Order PED-1 cancelled' }], isError: flag });
    expect(readToolResult(execution({ outcome })).ok).toBe(true);
  });
});

describe('a mutating call without evidence of its effect', () => {
  it.each([
    ['no content', answer({ content: [] })],
    ['nothing at all', answer({})],
    ['blank text', text('  ')],
    ['an empty object', text('{}')],
  ])('%s: is unknown', (_, outcome) => {
    expect(readToolResult(execution({ outcome }))).toMatchObject({ ok: false, outcome: 'UNKNOWN' });
  });

  it('an explicit empty list is an answer: nothing had to be done', () => {
    expect(readToolResult(execution({ outcome: text('[]') }))).toMatchObject({ ok: true, empty: true });
  });

  it('plain words of success are believed', () => {
    expect(
      readToolResult(execution({ outcome: text('Pedido PED-1001 cancelado com sucesso. Protocolo 77.') })).ok,
    ).toBe(true);
  });
});

describe('prototype pollution', () => {
  it('does not read a workflow step out of the prototype', () => {
    const sketch = execution({
      tool: 'constructor',
      operation: 'read_only',
      outcome: text('{"workflow":{"output":{}}}'),
    });
    expect(readToolResult(sketch).ok).toBe(true);
  });

  it('changes no prototype through __proto__ in JSON text', () => {
    readToolResult(
      execution({ outcome: text('{"__proto__":{"polluted":true},"results":[{"__proto__":{"success":true}}]}') }),
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
