import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readToolResult } from '@latch/outcome';
import { eventually } from '@latch/testing';
import { type Approval, ExecutorFixture } from './executor-fixture.features.ts';
import { type Domain, platformConfig, startDomain } from './sample-domain.features.ts';

jest.setTimeout(60_000);

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

/** A call that an executor which makes one call at a time has claimed and cannot begin: the one before it is held in its tool. */
async function waitsBehindAHeldCall(more: { readonly expiresAt?: string } = {}): Promise<Approval> {
  const held = await fixture.approve('look', { args: { hold: true } });
  await fixture.bus.publish([held.message]);
  await eventually(() => expect(domain.running.count).toBe(1));
  const waiting = await fixture.approve('cancel_once', more);
  await fixture.bus.publish([waiting.message]);
  await eventually(async () =>
    expect(await fixture.store.ledger.read(waiting.approved.invocationId)).toMatchObject({ owner: expect.any(String) }),
  );
  return waiting;
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
    expect(execution.attempts).toHaveLength(1);
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
    const config = platformConfig({ main: domain.url, timeoutMs: 40_000 });
    const leaseMs = 4_000;
    const env = { LATCH_MAX_RUNNING_CALLS: '1', LATCH_LEASE_MS: String(leaseMs) };
    await fixture.startExecutor(config, { env });
    const waiting = await waitsBehindAHeldCall();
    const owner = (await fixture.store.ledger.read(waiting.approved.invocationId))?.owner;
    await fixture.startExecutor(config, { isDeaf: true });
    await new Promise((resolve) => setTimeout(resolve, leaseMs + 500));
    domain.letGo();
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
    await fixture.startExecutor(platformConfig({ main: domain.url, timeoutMs: 40_000 }), {
      env: { LATCH_MAX_RUNNING_CALLS: '1', LATCH_LEASE_SWEEP_MS: '60000' },
    });
    const expiresAtMs = Date.now() + 3_000;
    const waiting = await waitsBehindAHeldCall({ expiresAt: new Date(expiresAtMs).toISOString() });
    const { invocationId } = waiting.approved;
    await fixture.takeOver(waiting, 'other');
    expect(await fixture.store.ledger.startAttempt({ invocationId, number: 1, owner: 'other', leaseMs: 60_000 })).toBe(
      true,
    );
    await new Promise((resolve) => setTimeout(resolve, expiresAtMs - Date.now() + 50));
    domain.letGo();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await fixture.store.ledger.read(invocationId)).toMatchObject({
      status: 'STARTED',
      owner: 'other',
      execution: null,
    });
  });
});
