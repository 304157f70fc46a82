import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@latch/testing';
import { ExecutorFixture } from './executor-fixture.features.ts';
import { cancelEach, type OrderDomain, startOrderDomain, workflowPlatform } from './run-workflow-domain.features.ts';

jest.setTimeout(30_000);

let fixture: ExecutorFixture;
let domain: OrderDomain;

beforeEach(async () => {
  fixture = await ExecutorFixture.create();
  domain = await startOrderDomain();
});

afterEach(async () => {
  await fixture.close();
  await domain.stop();
});

const orders = ['P-1', 'P-2', 'P-3'];

describe('attempts that end while another of their invocation runs', () => {
  it('stand in the ledger with their outcomes before that one ends: a crash in between makes nothing unknown', async () => {
    await domain.fail({ tool: 'cancel_one_once', kind: 'hang' });
    const steps = [{ ...cancelEach, tool: 'cancel_one_once' }];
    await fixture.startExecutor(workflowPlatform(domain.url, { steps }));
    const approval = await fixture.approve('cancel_orders', { args: { orders }, items: orders });
    await fixture.bus.publish([approval.message]);
    const { ledger } = fixture.store;
    await eventually(
      async () => {
        const entry = await ledger.read(approval.approved.invocationId);
        const ended = entry?.attempts.filter(({ outcome }) => outcome?.kind === 'result');
        expect({ status: entry?.status, attempts: entry?.attempts.length, ended: ended?.length }).toEqual({
          ...{ status: 'STARTED', attempts: 3, ended: 2 },
        });
      },
      { everyMs: 20 },
    );
    const execution = await fixture.executionOf(approval);
    expect(execution.attempts.map(({ outcome }) => outcome?.kind).sort()).toEqual(['result', 'result', 'timeout']);
  });
});

describe('an end that is saved', () => {
  const ended = {
    ...{ number: 1, started_at: '2026-11-30T12:00:00.000Z', ended_at: '2026-11-30T12:00:01.000Z' },
    outcome: { kind: 'timeout', timeout_ms: 1_000, sent: true },
  } as const;
  const [ours, theirs] = [
    { owner: 'ours', leaseMs: 1 },
    { owner: 'theirs', leaseMs: 60_000 },
  ];

  it('is that of the executor that has the invocation, once, and before its outcome', async () => {
    const { approved } = await fixture.approve('cancel_orders', { args: { orders }, items: orders });
    const { invocationId } = approved;
    const { ledger } = fixture.store;
    const outcomes = async (): Promise<unknown> =>
      (await ledger.read(invocationId))?.attempts.map((one) => one.outcome);
    await ledger.claim([approved], ours);
    await ledger.startAttempt({ invocationId, number: 1, ...ours });
    await ledger.saveEnded({ invocationId, owner: 'theirs', ended: [ended] });
    expect(await outcomes()).toEqual([undefined]);
    await ledger.saveEnded({ invocationId, owner: 'ours', ended: [ended] });
    await ledger.saveEnded({
      invocationId,
      owner: 'ours',
      ended: [{ ...ended, outcome: { kind: 'lost', reason: 'x' } }],
    });
    expect(await outcomes()).toEqual([ended.outcome]);
    await ledger.startAttempt({ invocationId, number: 2, ...theirs });
    await ledger.saveEnded({ invocationId, owner: 'ours', ended: [{ ...ended, number: 2 }] });
    expect(await outcomes()).toEqual([ended.outcome, undefined]);
  });
});
