import { describe, expect, it } from '@jest/globals';
import { type RawOutcome, type ToolConfig, type ToolExecution } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import fc from 'fast-check';
import { approvedCall } from './approved-call.features.ts';
import { type CacheableCall, ResultCache } from './result-cache.ts';

const look: CacheableCall['tool'] = {
  name: 'look',
  operationType: 'read_only',
  requiresConfirmation: false,
  cacheTtlSeconds: 60,
};

type Whose = { tenantId?: string; agentId?: string; customer?: string | null; conversationKey?: string };

function call(whose: Whose, args: Record<string, unknown> = {}, schemaHash: string | null = 'h1'): CacheableCall {
  const { customer = 'c-1', ...fields } = whose;
  const approved = approvedCall('look', { args, items: [], fields });
  const context = customer === null ? {} : { customer_key: customer };
  return {
    approved: { ...approved, invocation: { ...approved.invocation, business_context: context } },
    tool: look,
    schemaHash,
  };
}

function answer(text: string, more: Record<string, unknown> = {}): RawOutcome {
  return { kind: 'result', result: { content: [], structuredContent: { found: text }, ...more } };
}

function execution({ approved }: { approved: ApprovedInvocation }, outcome: RawOutcome): ToolExecution {
  const { invocationId: invocation_id, invocation } = approved;
  return { invocation_id, invocation, outcome, attempts: [], latency_ms: 1 };
}

function keep(cache: ResultCache, of: CacheableCall, text: string): void {
  cache.keep(of, execution(of, answer(text)));
}

describe('an answer that is kept', () => {
  it('is given again to the same customer for the same arguments, and says for how long', () => {
    const cache = new ResultCache();
    keep(cache, call({}, { id: 1 }), 'mine');
    expect(cache.find(call({}, { id: 1 }))).toEqual({ outcome: answer('mine'), ttlSeconds: 60 });
  });

  it('is never given to another tenant, agent or customer, nor for another tool schema or arguments (invariant I12)', () => {
    const word = fc.constantFrom('a', 'b', 'a:b', 'a","b', '');
    const whose = fc.record({
      tenantId: word,
      agentId: word,
      customer: fc.option(word),
      conversationKey: word,
      args: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom<unknown>(1, '1', null, [1])),
      schema: word,
    });
    fc.assert(
      fc.property(fc.array(whose, { minLength: 2, maxLength: 30 }), (callers) => {
        const cache = new ResultCache();
        const told = new Map<unknown, string>();
        for (const { args, schema, ...of } of callers) {
          const asked = call(of, args, schema);
          const isNamed = (of.customer ?? '').trim() !== '';
          const owner = JSON.stringify([of.tenantId, of.agentId, isNamed ? of.customer : { in: of.conversationKey }]);
          const found = cache.find(asked)?.outcome;
          const sorted = Object.entries(args).sort(([a], [b]) => a.localeCompare(b));
          const key = JSON.stringify([owner, schema, sorted]);
          expect(found).toEqual(told.has(key) ? answer(told.get(key) ?? '') : undefined);
          keep(cache, asked, key);
          told.set(key, key);
        }
      }),
    );
  });

  it('cannot be changed by who reads it', () => {
    const cache = new ResultCache();
    keep(cache, call({}), 'mine');
    const found = cache.find(call({}))?.outcome;
    if (found?.kind === 'result') found.result.content = ['changed'];
    expect(cache.find(call({}))?.outcome).toEqual(answer('mine'));
  });

  it('is over when its time is', () => {
    let now = 0;
    const cache = new ResultCache(undefined, () => now);
    keep(cache, call({}), 'mine');
    now = 59_001;
    expect(cache.find(call({}))?.ttlSeconds).toBe(1);
    now = 60_000;
    expect(cache.find(call({}))).toBeUndefined();
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });
});

describe('what is kept', () => {
  it.each<[string, RawOutcome]>([
    ['an error of the tool', answer('no', { isError: true })],
    ['an answer that says in words that it failed', { kind: 'result', result: { structuredContent: { ok: false } } }],
    ['a time-out', { kind: 'timeout', timeout_ms: 1, sent: true }],
    ['an answer that breaks its output schema', { kind: 'result', result: {}, schema_problems: ['must be object'] }],
  ])('is not %s', (_, outcome) => {
    const cache = new ResultCache();
    cache.keep(call({}), execution(call({}), outcome));
    expect(cache.size.entries).toBe(0);
  });

  it.each<[string, Partial<ToolConfig>, Partial<ApprovedInvocation>]>([
    ['a tool with an effect', { operationType: 'transactional' }, {}],
    ['a tool that asks for a confirmation', { requiresConfirmation: true }, {}],
    ['a tool without a time to live', { cacheTtlSeconds: undefined }, {}],
    ['a call that was approved as one with an effect', {}, { operationType: 'transactional' }],
    ['a reconciliation', {}, { purpose: 'reconcile' }],
    ['a pre-validation', {}, { purpose: 'pre_validation' }],
  ])('is nothing of %s', (_, tool, fields) => {
    const cache = new ResultCache();
    const of = { ...call({}), tool: { ...look, ...tool } };
    const asked = { ...of, approved: { ...of.approved, ...fields } };
    keep(cache, asked, 'mine');
    expect([cache.size.entries, cache.find(asked)]).toEqual([0, undefined]);
  });

  it('is nothing while the schema of the tool is not known', () => {
    const cache = new ResultCache();
    keep(cache, call({}, {}, null), 'mine');
    expect(cache.size.entries).toBe(0);
  });

  it('stays within both bounds, whatever comes; what was used last stays', () => {
    const cache = new ResultCache({ maxEntries: 10, maxBytes: 4_000, maxEntryBytes: 2_000 });
    keep(cache, call({ customer: 'first' }), 'x');
    for (let customer = 0; customer < 100; customer += 1) {
      keep(cache, call({ customer: `c-${customer}` }), 'x'.repeat(customer * 5));
      cache.find(call({ customer: 'first' }));
      expect(cache.size.entries).toBeLessThanOrEqual(10);
      expect(cache.size.bytes).toBeLessThanOrEqual(4_000);
    }
    expect(cache.find(call({ customer: 'first' }))).toBeDefined();
    keep(cache, call({ customer: 'large' }), 'x'.repeat(2_000));
    expect(cache.find(call({ customer: 'large' }))).toBeUndefined();
  });
});
