import { describe, expect, it } from '@jest/globals';
import { type EventEnvelope } from '@latch/contracts';
import { checkCalls, checkEvents } from './check-evidence.ts';
import { type LoggedCall } from './domain-server-client.ts';

const call = (more: Partial<LoggedCall>): LoggedCall => ({
  tool: 'retail_order_cancel',
  key: 'key-1',
  arguments: { order_id: 'PED-1001' },
  effects: 1,
  outcome: 'answered',
  fault: null,
  ...more,
});
const expected = { calls: [{ tool: 'retail_order_cancel', arguments: { order_id: 'PED-1001' } }], effects: 1 };

describe('checking what the domain server saw', () => {
  it('finds nothing wrong with one effect under one key, however many attempts it took', () => {
    const attempts = [call({ outcome: 'not_run', effects: 0, fault: 'unavailable' }), call({})];
    expect(checkCalls({ calls: attempts, totalEffects: 1 }, expected)).toEqual([]);
  });

  it('sees a call too many, and its effect', () => {
    const problems = checkCalls({ calls: [call({}), call({})], totalEffects: 2 }, expected);
    expect(problems).toHaveLength(2);
    expect(problems[1]).toBe('2 things were changed, not 1');
  });

  it('sees other arguments than expected', () => {
    const problems = checkCalls({ calls: [call({ arguments: { order_id: 'PED-1002' } })], totalEffects: 1 }, expected);
    expect(problems[0]).toContain('retail_order_cancel {"order_id":"PED-1002"}');
  });

  it('sees two keys for one operation', () => {
    const attempts = [call({ key: 'key-0', outcome: 'not_run', effects: 0 }), call({})];
    expect(checkCalls({ calls: attempts, totalEffects: 1 }, expected)).toEqual([
      'retail_order_cancel was called under 2 different idempotency keys',
    ]);
  });
});

describe('checking the stored events', () => {
  const events = (...types: string[]): EventEnvelope[] =>
    types.map((type, index) => ({
      event_type: type,
      timestamp: '2026-11-30T12:00:00Z',
      tenant_id: 't',
      agent_id: 'a',
      session_id: 's',
      trace_id: 'x',
      payload: {},
      sequence: index + 1,
    }));

  it('finds the expected types in order, with others between them', () => {
    expect(checkEvents(events('IC.A', 'IC.X', 'IC.B'), ['IC.A', 'IC.B'])).toEqual([]);
    expect(checkEvents(events('IC.B', 'IC.A'), ['IC.A', 'IC.B'])).toEqual(['the evidence lacks IC.B in this order']);
  });

  it('sees a gap in the numbers', () => {
    const stream = events('IC.A', 'IC.B', 'IC.C').filter(({ event_type }) => event_type !== 'IC.B');
    expect(checkEvents(stream, [])).toEqual(['event 2 of the evidence has number 3']);
  });
});
