import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ToolExecution } from '@latch/contracts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type EventStore } from './event-store.ts';
import {
  appendBatch,
  approved,
  createStoreFixture,
  newKey,
  outgoing,
  type StoreFixture,
} from './store-fixture.features.ts';
import { type OutcomeToRecord } from './tool-ledger.ts';

let fixture: StoreFixture;
let store: EventStore;
let other: EventStore;
let engine: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  [store, other, engine] = await Promise.all([
    fixture.open('tool-executor'),
    fixture.open('tool-executor'),
    fixture.open('orchestrator'),
  ]);
});
afterAll(() => fixture.close());

const ours = { owner: 'executor-1', leaseMs: 60_000 } as const;
const theirs = { owner: 'executor-2', leaseMs: 60_000 } as const;
const ended = { ...ours, leaseMs: -1 } as const;

async function approve(): Promise<ApprovedInvocation> {
  const key = newKey();
  const call = approved(key);
  await appendBatch(engine, key, { invocations: [call] });
  return call;
}

function executionOf(call: ApprovedInvocation, text: string): ToolExecution {
  return {
    invocation_id: call.invocationId,
    invocation: call.invocation,
    outcome: { kind: 'result', result: { structuredContent: { text } } },
    attempts: [
      {
        number: 1,
        started_at: '2026-11-30T12:00:00.000Z',
        ended_at: '2026-11-30T12:00:01.000Z',
        outcome: { kind: 'result', result: { structuredContent: { text } } },
      },
    ],
    latency_ms: 12,
  };
}

/** A refusal by an executor that found these many attempts. */
function refusalOf(call: ApprovedInvocation, attempts: ToolExecution['attempts'] = []): ToolExecution {
  const error = { errorCategory: 'business', isRetryable: false, message: 'Expired.', code: 'tool.expired' } as const;
  return { ...executionOf(call, ''), outcome: { kind: 'refused', error }, attempts };
}

function outcomeOf(call: ApprovedInvocation, more: Partial<OutcomeToRecord> = {}): OutcomeToRecord {
  return {
    invocationId: call.invocationId,
    owner: ours.owner,
    execution: executionOf(call, 'done'),
    outgoing: [outgoing(newKey(), 'done')],
    ...more,
  };
}

describe('an invocation', () => {
  it('enters the ledger once, and only when the engine approved it', async () => {
    const call = await approve();
    const unknown = { invocationId: 'forged' };
    expect(await store.ledger.claim([call, unknown, call], ours)).toEqual(['claimed', 'unapproved', 'known']);
    expect(await other.ledger.claim([call], theirs)).toEqual(['known']);
    expect(await store.ledger.read('forged')).toBeUndefined();
    expect(await store.ledger.read(call.invocationId)).toMatchObject({
      approved: call,
      status: 'CLAIMED',
      owner: 'executor-1',
      attempts: [],
      execution: null,
    });
  });

  it('is claimed by one of two executors that get it at once', async () => {
    const call = await approve();
    const claims = await Promise.all([store.ledger.claim([call], ours), other.ledger.claim([call], theirs)]);
    expect(claims.flat().sort()).toEqual(['claimed', 'known']);
  });
});

describe('an attempt', () => {
  it('is started by exactly one of many that try', async () => {
    const call = await approve();
    await store.ledger.claim([call], ended);
    const starts = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? store : other).ledger.startAttempt({
          invocationId: call.invocationId,
          number: 1,
          owner: `executor-${index}`,
          leaseMs: 60_000,
        }),
      ),
    );
    expect(starts.filter(Boolean)).toHaveLength(1);
    expect((await store.ledger.read(call.invocationId))?.attempts).toHaveLength(1);
  });

  it('is not started twice by one owner either', async () => {
    const call = await approve();
    await store.ledger.claim([call], ours);
    const attempt = { invocationId: call.invocationId, number: 1, ...ours };
    const starts = await Promise.all([store.ledger.startAttempt(attempt), store.ledger.startAttempt(attempt)]);
    expect(starts.sort()).toEqual([false, true]);
  });

  it('is refused while another owner holds the lease, out of turn, and after the outcome', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ours);
    expect(await other.ledger.startAttempt({ invocationId, number: 1, ...theirs })).toBe(false);
    expect(await store.ledger.startAttempt({ invocationId, number: 2, ...ours })).toBe(false);
    expect(await store.ledger.startAttempt({ invocationId, number: 1, ...ours })).toBe(true);
    await store.ledger.recordOutcome(outcomeOf(call));
    expect(await store.ledger.startAttempt({ invocationId, number: 2, ...ours })).toBe(false);
  });

  it('that follows another records how that one ended', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ours);
    await store.ledger.startAttempt({ invocationId, number: 1, ...ours });
    const previous = {
      number: 1,
      started_at: '2026-11-30T12:00:00.000Z',
      ended_at: '2026-11-30T12:00:01.000Z',
      outcome: { kind: 'timeout', timeout_ms: 1000, sent: true },
    } as const;
    await store.ledger.startAttempt({ invocationId, number: 2, step: 'notify', ...ours, ended: [previous] });
    const attempts = (await store.ledger.read(invocationId))?.attempts;
    expect(attempts).toMatchObject([
      { number: 1, outcome: previous.outcome },
      { number: 2, step: 'notify' },
    ]);
    expect(attempts?.[0]).not.toHaveProperty('step');
    expect(attempts?.[1]).not.toHaveProperty('outcome');
  });
});

describe('an invocation whose lease ended', () => {
  it('is taken over by one of two executors, with the attempt of which nobody knows the outcome', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ours);
    await store.ledger.startAttempt({ invocationId, number: 1, ...ended });
    const resumed = await Promise.all([
      store.ledger.resumable({ ...ours, owner: 'executor-3', limit: 100 }),
      other.ledger.resumable({ ...theirs, owner: 'executor-4', limit: 100 }),
    ]);
    const mine = resumed.flat().filter((entry) => entry.invocationId === invocationId);
    expect(mine).toMatchObject([{ status: 'STARTED', attempts: [{ number: 1 }] }]);
    expect(await store.ledger.startAttempt({ invocationId, number: 2, ...ours })).toBe(false);
    const owner = mine[0]?.owner ?? '';
    expect(await store.ledger.startAttempt({ invocationId, number: 2, owner, leaseMs: 1000 })).toBe(true);
  });

  it('is left alone while the lease runs and when the outcome is known', async () => {
    const [running, done] = [await approve(), await approve()];
    await store.ledger.claim([running], ours);
    await store.ledger.claim([done], ended);
    await store.ledger.recordOutcome(outcomeOf(done, { execution: refusalOf(done) }));
    const resumed = await store.ledger.resumable({ ...theirs, limit: 100 });
    const ids = resumed.map(({ invocationId }) => invocationId);
    expect(ids).not.toContain(running.invocationId);
    expect(ids).not.toContain(done.invocationId);
  });
});

describe('a lease that is renewed', () => {
  const leaseOf = async (call: ApprovedInvocation): Promise<number> =>
    Date.parse((await store.ledger.read(call.invocationId))?.leaseUntil ?? '');

  it('lasts longer, also when it had ended and nobody came', async () => {
    const call = await approve();
    await store.ledger.claim([call], ended);
    await store.ledger.renewLeases([call.invocationId], ours);
    expect(await leaseOf(call)).toBeGreaterThan(Date.now() + 30_000);
  });

  it('is never shortened', async () => {
    const call = await approve();
    await store.ledger.claim([call], { ...ours, leaseMs: 600_000 });
    await store.ledger.renewLeases([call.invocationId], ours);
    expect(await leaseOf(call)).toBeGreaterThan(Date.now() + 500_000);
  });

  it('is only the own one, of what has no outcome', async () => {
    const [taken, done] = [await approve(), await approve()];
    await store.ledger.claim([taken, done], ended);
    await store.ledger.recordOutcome(outcomeOf(done, { execution: refusalOf(done) }));
    await store.ledger.renewLeases([taken.invocationId, done.invocationId], theirs);
    await store.ledger.renewLeases([done.invocationId], ours);
    expect(await leaseOf(taken)).toBeLessThan(Date.now() + 30_000);
    expect(await leaseOf(done)).toBeLessThan(Date.now() + 30_000);
  });
});

describe('an outcome', () => {
  it('is recorded together with the message that tells it, and the first one stays', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ours);
    await store.ledger.startAttempt({ invocationId, number: 1, ...ours });
    const [first, second] = [outgoing(newKey(), 'first'), outgoing(newKey(), 'second')];
    const recorded = await Promise.all([
      store.ledger.recordOutcome(outcomeOf(call, { execution: executionOf(call, 'first'), outgoing: [first] })),
      other.ledger.recordOutcome(outcomeOf(call, { execution: executionOf(call, 'second'), outgoing: [second] })),
    ]);
    expect(recorded.filter(Boolean)).toHaveLength(1);
    const winner = recorded[0] ? { text: 'first', message: first } : { text: 'second', message: second };
    const entry = await store.ledger.read(invocationId);
    const outcome = { kind: 'result', result: { structuredContent: { text: winner.text } } };
    expect(entry).toMatchObject({ status: 'DONE', execution: { outcome }, attempts: [{ number: 1, outcome }] });
    const pending = await store.outbox.readPending({ olderThanMs: 0, limit: 1000 });
    const told = pending.filter(({ eventId }) => [first.eventId, second.eventId].includes(eventId));
    expect(told).toEqual([winner.message]);
  });

  it('of the one who made the last attempt is taken also when the lease has passed on', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ours);
    await store.ledger.startAttempt({ invocationId, number: 1, ...ended });
    await other.ledger.resumable({ ...theirs, limit: 100 });
    expect(await store.ledger.recordOutcome(outcomeOf(call))).toBe(true);
  });

  it('that does not know of the attempt that is running is refused', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ours);
    await store.ledger.startAttempt({ invocationId, number: 1, ...ended });
    await other.ledger.startAttempt({ invocationId, number: 2, ...theirs });
    expect(await store.ledger.recordOutcome(outcomeOf(call))).toBe(false);
    expect(await store.ledger.read(invocationId)).toMatchObject({ status: 'STARTED', execution: null });
  });
});

describe('a refusal', () => {
  it('is recorded by the owner of a call that nobody has begun, also when its lease ended', async () => {
    const call = await approve();
    await store.ledger.claim([call], ended);
    expect(await store.ledger.recordOutcome(outcomeOf(call, { execution: refusalOf(call) }))).toBe(true);
  });

  it('is never recorded over the running call of another instance, however late that one began', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ended);
    expect(await other.ledger.startAttempt({ invocationId, number: 1, ...theirs })).toBe(true);
    const refusal = outcomeOf(call, { execution: refusalOf(call) });
    expect(await store.ledger.recordOutcome(refusal)).toBe(false);
    expect(await store.outbox.readPending({ olderThanMs: 0, limit: 1000 })).not.toContainEqual(refusal.outgoing[0]);
    expect(await other.ledger.recordOutcome(outcomeOf(call, { owner: theirs.owner }))).toBe(true);
  });

  it('over what a crash left is for the one who has taken the call over, and for nobody else', async () => {
    const call = await approve();
    const { invocationId } = call;
    await store.ledger.claim([call], ours);
    await store.ledger.startAttempt({ invocationId, number: 1, ...ended });
    await other.ledger.resumable({ ...theirs, limit: 100 });
    const execution = refusalOf(call, executionOf(call, 'lost').attempts);
    expect(await store.ledger.recordOutcome(outcomeOf(call, { owner: 'executor-3', execution }))).toBe(false);
    expect(await other.ledger.recordOutcome(outcomeOf(call, { owner: theirs.owner, execution }))).toBe(true);
  });
});
