import { describe, expect, it } from '@jest/globals';
import { type ProposalItem, type StructuredError, type ToolResult } from '@latch/contracts';
import { aggregateItems, readToolResult } from '@latch/outcome';
import fc from 'fast-check';
import { approvedCall } from './approved-call.features.ts';
import { toWorkflowEntries } from './to-workflow-entries.ts';
import { valueAtPath, wireArguments } from './run-workflow-wiring.ts';

const path = fc
  .array(fc.constantFrom('arguments', 'steps', 'item', 'a', '0', '__proto__', 'constructor', 'length', ''), {
    maxLength: 5,
  })
  .map((steps) => `$.${steps.join('.')}`);
const scope = fc.record(
  {
    arguments: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue()),
    steps: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue()),
    item: fc.jsonValue(),
  },
  { requiredKeys: ['arguments', 'steps'] },
);

describe('wiring', () => {
  it('of any argument over any outputs never throws, writes no path out, and reaches into no prototype', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(path, fc.jsonValue())), scope, (given, known) => {
        const wired = wireArguments(given, known);
        expect(wireArguments(given, known)).toEqual(wired);
        expect(Object.values(wired)).not.toContain(undefined);
        expect(Object.values(wired).some((value) => typeof value === 'function')).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes plain values as they are', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(fc.integer(), fc.boolean(), fc.constant('text'))),
        (given) => {
          expect(wireArguments(given, { arguments: {}, steps: {} })).toEqual(given);
        },
      ),
    );
  });

  it('leaves out what is not there, at every depth', () => {
    const known = { arguments: { a: 1 }, steps: { find: { orders: [{ id: 'P-1' }] } }, item: 'I' };
    const given = {
      one: '$.arguments.a',
      none: '$.arguments.b',
      deep: { id: '$.steps.find.orders.0.id', gone: '$.steps.find.orders.1.id', list: ['$.item', '$.steps.x'] },
      text: '$$.arguments.a',
    };
    expect(wireArguments(given, known)).toEqual({
      one: 1,
      deep: { id: 'P-1', list: ['I'] },
      text: '$.arguments.a',
    });
    expect(valueAtPath('$.steps.find.constructor', known)).toBeUndefined();
    expect(valueAtPath('$.item.length', known)).toBeUndefined();
  });
});

const error: fc.Arbitrary<StructuredError> = fc.record({
  errorCategory: fc.constantFrom('transient', 'validation', 'business', 'permission'),
  isRetryable: fc.boolean(),
  message: fc.string(),
});
const outcomes = ['SUCCESS', 'FAILED', 'UNKNOWN', 'PARTIAL_SUCCESS'] as const;
const reading = fc.record({
  outcome: fc.constantFrom(...outcomes, null),
  error,
  data: fc.option(fc.jsonValue()),
});

describe('the results of a fan-out', () => {
  it('say of each item what its call came to, and add up when they are read again', () => {
    fc.assert(
      fc.property(
        fc.array(reading, { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 0, max: 3 }),
        (calls, missing) => {
          const items = calls.map((_, at): ProposalItem => ({ id: `I-${at}`, label: `Item ${at}` }));
          const missed = Array.from({ length: missing }, (_, at): ProposalItem => ({
            id: `M-${at}`,
            label: `M ${at}`,
          }));
          const readings = calls.map((call, at) => ({
            item: items[at] ?? { id: '', label: '' },
            result: resultOf(call),
          }));
          const results = toWorkflowEntries(readings, missed);
          const result = readBack([...items, ...missed], results);
          const expected = [
            ...calls.map(({ outcome }) => itemOutcomeOf(outcome)),
            ...missed.map(() => 'failed' as const),
          ];
          expect(result.items?.map((item) => item.outcome)).toEqual(expected);
          expect(result.outcome).toBe(aggregateItems(expected.map((outcome) => ({ outcome }))));
          expect(result.unrequested_items ?? []).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('drop the answers, and never a flag, when they are too many for one message', () => {
    const items = Array.from({ length: 200 }, (_, at): ProposalItem => ({ id: `I-${at}`, label: `Item ${at}` }));
    const result = resultOf({ outcome: 'SUCCESS', error: noError, data: { text: 'x'.repeat(5_000) } });
    const results = toWorkflowEntries(
      items.map((item) => ({ item, result })),
      [],
    );
    expect(results.every(({ success, data }) => success === true && data === undefined)).toBe(true);
    const huge = resultOf({ outcome: 'SUCCESS', error: noError, data: 'x'.repeat(20_000) });
    expect(toWorkflowEntries([{ item: items[0] ?? { id: '', label: '' }, result: huge }], [])).toEqual([
      { id: 'I-0', name: 'Item 0', success: true },
    ]);
  });
});

const noError: StructuredError = { errorCategory: 'business', isRetryable: false, message: 'none' };

type Call = {
  readonly outcome: (typeof outcomes)[number] | null;
  readonly error: StructuredError;
  readonly data: unknown;
};

function resultOf(call: Call): ToolResult | null {
  if (call.outcome === null) return null;
  const ok = call.outcome === 'SUCCESS' || call.outcome === 'PARTIAL_SUCCESS';
  return {
    tool_name: 'cancel_one',
    ok,
    data: call.data,
    latency_ms: 0,
    outcome: call.outcome,
    error: ok ? null : call.error,
  };
}

function itemOutcomeOf(outcome: Call['outcome']): 'succeeded' | 'failed' | 'unknown' {
  if (outcome === 'SUCCESS') return 'succeeded';
  return outcome === 'FAILED' || outcome === null ? 'failed' : 'unknown';
}

function readBack(items: readonly ProposalItem[], results: readonly unknown[]): ToolResult {
  const { invocation, invocationId } = approvedCall('cancel_orders', { args: {}, items: [], fields: {} });
  return readToolResult({
    invocation_id: invocationId,
    invocation: { ...invocation, items: [...items] },
    outcome: { kind: 'result', result: { content: [] } },
    attempts: [],
    workflow: { output: { cancel_orders: { results } } },
    latency_ms: 0,
  });
}
