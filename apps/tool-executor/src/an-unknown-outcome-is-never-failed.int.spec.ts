import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readToolResult } from '@latch/outcome';
import { type Approval, ExecutorFixture } from './executor-fixture.features.ts';
import { type Domain, platformConfig, startDomain } from './sample-domain.features.ts';

jest.setTimeout(30_000);

let fixture: ExecutorFixture;
let domain: Domain;

beforeEach(async () => {
  fixture = await ExecutorFixture.create();
  domain = await startDomain();
});

afterEach(async () => {
  await fixture.close();
  await domain.stop();
});

/** The ledger as an instance leaves it that is killed in the middle of its first attempt. */
async function crashInAttempt(tool: string): Promise<Approval> {
  const approval = await fixture.approve(tool);
  const { invocationId } = approval.approved;
  await fixture.store.ledger.claim([{ invocationId }], { owner: 'crashed', leaseMs: 1 });
  await fixture.store.ledger.startAttempt({ invocationId, number: 1, owner: 'crashed', leaseMs: 1 });
  return approval;
}

describe('a mutating call that is not declared idempotent', () => {
  it.each(['timeout_after_commit', 'drop_after_commit', 'drop_connection', 'junk', 'unavailable'] as const)(
    'is sent once, and unknown, after %s',
    async (kind) => {
      await fixture.startExecutor(platformConfig({ main: domain.url }));
      await domain.fail({ kind });
      const approval = await fixture.approve('cancel_once', { items: ['A', 'B'] });
      await fixture.bus.publish([approval.message]);
      const execution = await fixture.executionOf(approval);
      expect(readToolResult(execution)).toMatchObject({ ok: false, outcome: 'UNKNOWN', error: { isRetryable: false } });
      expect(execution.attempts).toHaveLength(1);
      expect((await domain.keys()).length).toBeLessThanOrEqual(1);
    },
  );

  it('ends within its deadline when the server hangs', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    await domain.fail({ kind: 'timeout' });
    const approval = await fixture.approve('cancel_once');
    await fixture.bus.publish([approval.message]);
    const execution = await fixture.executionOf(approval);
    expect(execution).toMatchObject({ outcome: { kind: 'timeout', sent: true } });
    expect(execution.latency_ms).toBeLessThan(2_500);
  });

  it('of which an instance was killed in the middle is lost, and not sent again', async () => {
    const approval = await crashInAttempt('cancel_once');
    await fixture.startExecutor(platformConfig({ main: domain.url }), { isDeaf: true });
    const execution = await fixture.executionOf(approval);
    expect(execution).toMatchObject({
      outcome: { kind: 'lost' },
      attempts: [{ number: 1, outcome: { kind: 'lost' } }],
    });
    expect(readToolResult(execution).outcome).toBe('UNKNOWN');
    expect(await domain.keys()).toEqual([]);
  });
});

describe('a call of which an instance was killed in the middle', () => {
  it('declared idempotent is sent again under the same key', async () => {
    const approval = await crashInAttempt('cancel');
    await fixture.startExecutor(platformConfig({ main: domain.url }), { isDeaf: true });
    const execution = await fixture.executionOf(approval);
    expect(readToolResult(execution)).toMatchObject({ ok: true, outcome: 'SUCCESS', attempts: 2 });
    expect(await domain.keys()).toEqual([approval.approved.idempotencyKey]);
  });

  it('that only reads is sent again', async () => {
    const approval = await crashInAttempt('look');
    await fixture.startExecutor(platformConfig({ main: domain.url }), { isDeaf: true });
    expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ ok: true, attempts: 2 });
  });

  it('and whose tool is switched off meanwhile is refused, and still unknown', async () => {
    const approval = await crashInAttempt('off');
    await fixture.startExecutor(platformConfig({ main: domain.url }), { isDeaf: true });
    const result = readToolResult(await fixture.executionOf(approval));
    expect(result).toMatchObject({ outcome: 'UNKNOWN', error: { code: 'tool.not_allowed' } });
  });
});

describe('a call that was claimed and never begun', () => {
  it('is begun by another instance when the lease ends', async () => {
    const approval = await fixture.approve('cancel_once');
    await fixture.store.ledger.claim([approval.approved], { owner: 'crashed', leaseMs: 300 });
    await fixture.startExecutor(platformConfig({ main: domain.url }), { isDeaf: true });
    expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ ok: true, attempts: 1 });
    expect(domain.effects.count).toBe(1);
  });

  it('stays with a living instance, however long it waits there', async () => {
    const config = platformConfig({ main: domain.url });
    await fixture.startExecutor(config, { env: { LATCH_MAX_RUNNING_CALLS: '1' } });
    const long = await fixture.approve('look', { args: { ms: 2_500 } });
    const waiting = await fixture.approve('cancel_once');
    await fixture.bus.publish([long.message]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fixture.bus.publish([waiting.message]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const owner = (await fixture.store.ledger.read(waiting.approved.invocationId))?.owner;
    await fixture.startExecutor(config, { isDeaf: true });
    await fixture.executionOf(waiting);
    expect(await fixture.store.ledger.read(waiting.approved.invocationId)).toMatchObject({ status: 'DONE', owner });
    expect(domain.effects.count).toBe(1);
  });

  it('is left alone while the lease lasts', async () => {
    const approval = await fixture.approve('cancel_once');
    await fixture.store.ledger.claim([approval.approved], { owner: 'alive', leaseMs: 60_000 });
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    await fixture.bus.publish([approval.message]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(domain.effects.count).toBe(0);
  });
});

describe('a call that waited so long that another instance has taken it over', () => {
  it('is not declared expired while the other one is calling', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }), {
      env: { LATCH_MAX_RUNNING_CALLS: '1', LATCH_LEASE_MS: '1000', LATCH_LEASE_SWEEP_MS: '60000' },
    });
    const long = await fixture.approve('look', { args: { ms: 1_800 } });
    const waiting = await fixture.approve('cancel_once', { expiresAt: new Date(Date.now() + 1_600).toISOString() });
    const { invocationId } = waiting.approved;
    await fixture.bus.publish([long.message]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fixture.bus.publish([waiting.message]);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await fixture.takeOver(waiting, 'other');
    expect(await fixture.store.ledger.startAttempt({ invocationId, number: 1, owner: 'other', leaseMs: 60_000 })).toBe(
      true,
    );
    await fixture.executionOf(long);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await fixture.store.ledger.read(invocationId)).toMatchObject({
      status: 'STARTED',
      owner: 'other',
      execution: null,
    });
  });
});
