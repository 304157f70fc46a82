import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ToolExecution } from '@latch/contracts';
import { type EventStore, openEventStore, type ProvenCall } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { eventually, testKeyRing } from '@latch/testing';
import pg from 'pg';
import { type Approval, ExecutorFixture, silent } from './executor-fixture.features.ts';
import { type Domain, platformConfig, startDomain } from './sample-domain.features.ts';

jest.setTimeout(120_000);

let fixture: ExecutorFixture;
let domain: Domain;
let operator: EventStore;
let owner: pg.Client;

beforeAll(async () => {
  fixture = await ExecutorFixture.create();
  domain = await startDomain();
  await fixture.startExecutor(platformConfig({ main: domain.url }));
  const { databaseUrl } = fixture;
  const role = 'latch_maintenance';
  const personalData = testKeyRing;
  operator = await openEventStore({ databaseUrl, producer: 'operator', logger: silent, role, personalData });
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
});
beforeEach(() => {
  domain.effects.count = 0;
});
afterAll(async () => {
  await Promise.all([operator.close(), owner.end()]);
  await fixture.close();
  await domain.stop();
});

async function executed(): Promise<{ readonly approval: Approval; readonly execution: ToolExecution }> {
  const approval = await fixture.approve('cancel_once');
  await fixture.bus.publish([approval.message]);
  return { approval, execution: await fixture.executionOf(approval) };
}

/** How often the server was asked, as it counts itself. */
async function requestsOf({ approved }: Approval): Promise<number> {
  return (await domain.keys()).filter((key) => key === approved.idempotencyKey).length;
}

/** What a restore from an older backup, or a DELETE, takes away. */
async function loses({ approved }: Approval, tables = ['tool_ledger', 'tool_attempts']): Promise<void> {
  for (const table of tables)
    await owner.query(`DELETE FROM ${table} WHERE invocation_id = $1`, [approved.invocationId]);
  fixture.executions.length = 0;
}

/** Rebuilds from events that say of this call alone what a test says. */
async function rebuilt(
  { approved }: Approval,
  proven: Omit<ProvenCall, 'invocationId'>,
): Promise<Awaited<ReturnType<EventStore['rebuildProjections']>>> {
  const calls = [{ invocationId: approved.invocationId, ...proven }];
  return operator.rebuildProjections({
    read: readToolResult,
    project: ({ conversation: { conversationKey } }) =>
      conversationKey === approved.conversationKey ? { transactions: [], invocations: [approved], calls } : null,
  });
}

const isExpired = { expiresAt: new Date(Date.now() - 1_000).toISOString() };

/** The record comes again, and enough time passes for a lease to be swept. */
async function redelivered({ message }: Approval): Promise<void> {
  await fixture.bus.publish([message]);
  await new Promise((resolve) => setTimeout(resolve, 500));
}

describe('a call whose row in the ledger was lost', () => {
  it('is made a second time, under the same key, when its record comes again while it may begin', async () => {
    const { approval } = await executed();
    await loses(approval);
    await redelivered(approval);
    await fixture.executionOf(approval);
    // This server honors the key; one that does not has the effect twice.
    expect([await requestsOf(approval), domain.effects.count]).toEqual([2, 1]);
  });

  it('is said to have done nothing, which nobody knows, when its record comes again later', async () => {
    const approval = await fixture.approve('cancel_once', isExpired);
    await redelivered(approval);
    expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ outcome: 'FAILED' });
  });
});

describe('a ledger that was rebuilt from the events', () => {
  it('makes no call again that has a recorded result', async () => {
    const { approval, execution } = await executed();
    await loses(approval);
    const result = readToolResult(execution);
    const done = await rebuilt(approval, { outcome: { result, sequence: 7 }, isAwaited: false });
    expect(done).toMatchObject({ changed: 1, left: 0, mayBegin: 0 });
    await redelivered(approval);
    expect([await requestsOf(approval), fixture.executions]).toEqual([1, []]);
    const entry = await fixture.store.ledger.read(approval.approved.invocationId);
    expect(entry).toMatchObject({ status: 'DONE', owner: 'rebuilt', attempts: [] });
    expect(entry?.execution).toMatchObject({
      outcome: { kind: 'lost' },
      rebuilt: { sequence: 7 },
      latency_ms: result.latency_ms,
    });
    expect(await rebuilt(approval, { outcome: { result, sequence: 7 }, isAwaited: false })).toMatchObject({
      changed: 0,
    });
  });

  it('lets nobody take over a call that has a recorded result and stands as begun', async () => {
    const { approval, execution } = await executed();
    const { invocationId } = approval.approved;
    await owner.query(
      `UPDATE tool_ledger SET status = 'CLAIMED', attempts = 0, sealed_execution = NULL, execution = NULL, lease_until = now() + interval '1 second' WHERE invocation_id = $1`,
      [invocationId],
    );
    await owner.query('DELETE FROM tool_attempts WHERE invocation_id = $1', [invocationId]);
    await rebuilt(approval, { outcome: { result: readToolResult(execution), sequence: 7 }, isAwaited: false });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await requestsOf(approval)).toBe(1);
    expect(await fixture.store.ledger.read(invocationId)).toMatchObject({ status: 'DONE' });
  });

  it('leaves a row that is there as it is, byte for byte', async () => {
    const { approval, execution } = await executed();
    const rows = async (): Promise<unknown> => {
      const of = [approval.approved.invocationId];
      const ledger = await owner.query('SELECT * FROM tool_ledger WHERE invocation_id = $1', of);
      return [ledger.rows, (await owner.query('SELECT * FROM tool_attempts WHERE invocation_id = $1', of)).rows];
    };
    const before = await rows();
    const result = readToolResult(execution);
    expect(await rebuilt(approval, { outcome: { result, sequence: 7 }, isAwaited: false })).toMatchObject({
      changed: 0,
    });
    expect(await rows()).toEqual(before);
  });

  it('calls the outcome unknown of a call that may have begun, has no result and may not begin any more', async () => {
    const approval = await fixture.approve('cancel_once', isExpired);
    expect(await rebuilt(approval, { outcome: null, isAwaited: true })).toMatchObject({ changed: 2, mayBegin: 0 });
    await redelivered(approval);
    const execution = await fixture.executionOf(approval);
    expect(execution).toMatchObject({ outcome: { kind: 'lost' }, attempts: [{ number: 1 }] });
    expect(readToolResult(execution)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await requestsOf(approval)).toBe(0);
  });

  it('keeps no call from beginning that may still begin, and says that there are such', async () => {
    const approval = await fixture.approve('cancel_once');
    expect(await rebuilt(approval, { outcome: null, isAwaited: true })).toMatchObject({ changed: 0, mayBegin: 1 });
    await fixture.bus.publish([approval.message]);
    expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ outcome: 'SUCCESS' });
    expect(await requestsOf(approval)).toBe(1);
  });

  it('goes on from the attempts that are still there', async () => {
    const approval = await fixture.approve('cancel_once');
    const { invocationId } = approval.approved;
    const lease = { owner: 'gone', leaseMs: 60_000 };
    await fixture.store.ledger.claim([approval.approved], lease);
    await fixture.store.ledger.startAttempt({ ...lease, invocationId, number: 1 });
    await loses(approval, ['tool_ledger']);
    expect(await rebuilt(approval, { outcome: null, isAwaited: true })).toMatchObject({ changed: 1, mayBegin: 0 });
    await redelivered(approval);
    expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ outcome: 'UNKNOWN', attempts: 1 });
    expect(await requestsOf(approval)).toBe(0);
  });

  it('has nothing to say of a call that nobody waits for', async () => {
    const approval = await fixture.approve('cancel_once', isExpired);
    expect(await rebuilt(approval, { outcome: null, isAwaited: false })).toMatchObject({ changed: 0, mayBegin: 0 });
    await eventually(async () =>
      expect(await fixture.store.ledger.read(approval.approved.invocationId)).toBeUndefined(),
    );
  });
});
