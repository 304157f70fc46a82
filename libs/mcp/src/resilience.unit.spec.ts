import { describe, expect, it } from '@jest/globals';
import { type RawOutcome } from '@latch/contracts';
import fc from 'fast-check';
import { Bulkhead } from './bulkhead.ts';
import { CircuitBreaker, type CircuitState } from './circuit-breaker.ts';
import { isServerFailure } from './is-server-failure.ts';
import { retryDelay } from './retry-delay.ts';

describe('CircuitBreaker', () => {
  function breakerWith(failures = 3): { breaker: CircuitBreaker; clock: { now: number }; states: CircuitState[] } {
    const clock = { now: 0 };
    const states: CircuitState[] = [];
    const breaker = new CircuitBreaker({
      failures,
      openMs: 100,
      now: () => clock.now,
      onChange: (state) => states.push(state),
    });
    return { breaker, clock, states };
  }

  function pass(breaker: CircuitBreaker, how: 'succeed' | 'fail' | 'release'): boolean {
    const entry = breaker.enter();
    if (!('passage' in entry)) return false;
    entry.passage[how]();
    return true;
  }

  it('opens after the given failures in a row and lets nothing through', () => {
    const { breaker } = breakerWith();
    for (let at = 0; at < 3; at += 1) pass(breaker, 'fail');
    expect(breaker.enter()).toEqual({ retryAfterMs: 100 });
    expect(breaker.current).toBe('open');
  });

  it('starts counting again after a success', () => {
    const { breaker } = breakerWith();
    for (const how of ['fail', 'fail', 'succeed', 'fail', 'fail'] as const) pass(breaker, how);
    expect(breaker.current).toBe('closed');
  });

  it('lets one probe through when its time is over, and only one', () => {
    const { breaker, clock } = breakerWith();
    for (let at = 0; at < 3; at += 1) pass(breaker, 'fail');
    clock.now = 100;
    expect('passage' in breaker.enter()).toBe(true);
    expect('passage' in breaker.enter()).toBe(false);
    expect(breaker.current).toBe('half_open');
  });

  it('closes when the probe succeeds, and opens for as long again when it fails', () => {
    const { breaker, clock, states } = breakerWith();
    for (let at = 0; at < 3; at += 1) pass(breaker, 'fail');
    clock.now = 100;
    pass(breaker, 'fail');
    expect(breaker.enter()).toEqual({ retryAfterMs: 100 });
    clock.now = 200;
    pass(breaker, 'succeed');
    expect(states).toEqual(['open', 'half_open', 'open', 'half_open', 'closed']);
  });

  it('gives the place of a probe that learned nothing to the next call', () => {
    const { breaker, clock } = breakerWith();
    for (let at = 0; at < 3; at += 1) pass(breaker, 'fail');
    clock.now = 100;
    pass(breaker, 'release');
    expect(pass(breaker, 'succeed')).toBe(true);
    expect(breaker.current).toBe('closed');
  });

  it('is not closed by a late success of a call from before', () => {
    const { breaker } = breakerWith(1);
    const early = breaker.enter();
    pass(breaker, 'fail');
    if ('passage' in early) early.passage.succeed();
    expect(breaker.current).toBe('open');
  });

  it('counts each call once', () => {
    const { breaker } = breakerWith(2);
    const entry = breaker.enter();
    if ('passage' in entry) {
      entry.passage.fail();
      entry.passage.fail();
    }
    expect(breaker.current).toBe('closed');
  });
});

describe('what speaks against a server', () => {
  const http = (status: number): RawOutcome => ({ kind: 'http_error', status, body: '' });
  const broken = (code: string): RawOutcome => ({ kind: 'transport_error', code, message: '', sent: true });

  it.each<[string, RawOutcome, boolean]>([
    ['no answer in time', { kind: 'timeout', timeout_ms: 1, sent: true }, true],
    ['a refused connection', broken('ECONNREFUSED'), true],
    ['an unreadable answer', broken('result_unreadable'), true],
    ['HTTP 500', http(500), true],
    ['HTTP 400', http(400), false],
    ['HTTP 422', http(422), false],
    ['HTTP 404', http(404), false],
    ['HTTP 429', http(429), false],
    ['a call that we gave up', broken('aborted'), false],
    ['an answer over the limit', broken('result_too_large'), false],
    ['a JSON-RPC error', { kind: 'protocol_error', code: -32602, message: '' }, false],
    ['a result', { kind: 'result', result: { isError: true } }, false],
  ])('%s: %s', (_, outcome, speaksAgainst) => {
    expect(isServerFailure(outcome)).toBe(speaksAgainst);
  });
});

describe('Bulkhead', () => {
  it('lets in as many as allowed, the others wait in order', async () => {
    const bulkhead = new Bulkhead({ maxConcurrent: 1, maxWaiting: 5 });
    const order: number[] = [];
    const leave = await bulkhead.enter(1_000);
    const waiting = [1, 2, 3].map(async (at) => {
      const go = await bulkhead.enter(1_000);
      order.push(at);
      go?.();
    });
    leave?.();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
    expect(bulkhead.inside).toBe(0);
  });

  it('hands a place over: who comes while it changes hands waits behind those who waited', async () => {
    const bulkhead = new Bulkhead({ maxConcurrent: 1, maxWaiting: 5 });
    const order: string[] = [];
    const enter = async (name: string): Promise<(() => void) | null> => {
      const leave = await bulkhead.enter(1_000);
      order.push(name);
      return leave;
    };
    const leaveFirst = await enter('first');
    const second = enter('second');
    leaveFirst?.();
    const third = enter('third');
    const leaveSecond = await second;
    expect(order).toEqual(['first', 'second']);
    expect(bulkhead.inside).toBe(1);
    leaveSecond?.();
    (await third)?.();
    expect(order).toEqual(['first', 'second', 'third']);
    expect(bulkhead.inside).toBe(0);
  });

  it('refuses at once when too many wait, and after the time when no place comes', async () => {
    const bulkhead = new Bulkhead({ maxConcurrent: 1, maxWaiting: 1 });
    await bulkhead.enter(10);
    const late = bulkhead.enter(30);
    expect(await bulkhead.enter(1_000)).toBeNull();
    expect(await late).toBeNull();
  });

  it('frees a place once, however often it is left', async () => {
    const bulkhead = new Bulkhead({ maxConcurrent: 1, maxWaiting: 1 });
    const leave = await bulkhead.enter(10);
    leave?.();
    leave?.();
    expect(bulkhead.inside).toBe(0);
  });
});

describe('retryDelay', () => {
  it('is between nothing and a ceiling that doubles, and is capped', () => {
    expect(retryDelay({ attempt: 1, random: 0 })).toBe(0);
    expect(retryDelay({ attempt: 1, random: 1 })).toBe(200);
    expect(retryDelay({ attempt: 3, random: 1 })).toBe(800);
    expect(retryDelay({ attempt: 60, random: 1 })).toBe(10_000);
  });

  it('never shortens the wait that the server asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(1e7),
        (attempt, random, retryAfterMs) => {
          const pause = retryDelay({ attempt, random, retryAfterMs });
          expect(pause).toBeGreaterThanOrEqual(retryAfterMs);
          expect(pause).toBeLessThanOrEqual(retryAfterMs + 10_000);
        },
      ),
    );
  });
});
