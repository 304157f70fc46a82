import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readToolResult } from '@latch/outcome';
import { eventually } from '@latch/testing';
import { ExecutorFixture } from './executor-fixture.features.ts';
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

describe('a confirmed proposal (invariant I3)', () => {
  it('that goes well is called once, and its execution is published once', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    const approval = await fixture.approve('cancel', {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    await fixture.bus.publish([approval.message]);
    const execution = await fixture.executionOf(approval);
    expect(readToolResult(execution)).toMatchObject({ ok: true, outcome: 'SUCCESS', data: { protocol: 'P-1' } });
    expect(execution.attempts).toHaveLength(1);
    expect(await domain.keys()).toEqual([approval.approved.idempotencyKey]);
  });

  it('announced many times over, to two instances, has one effect', async () => {
    const config = platformConfig({ main: domain.url });
    await fixture.startExecutor(config);
    await fixture.startExecutor(config);
    const approval = await fixture.approve('cancel');
    await fixture.bus.publish(Array.from({ length: 20 }, () => approval.message));
    await fixture.executionOf(approval);
    await fixture.bus.publish([approval.message]);
    await settle();
    expect(domain.effects.count).toBe(1);
    expect(fixture.executions).toHaveLength(1);
  });

  it.each([
    ['503 and 429 with Retry-After', [{ kind: 'unavailable' }, { kind: 'unavailable', retryAfterSeconds: 0 }]],
    ['a dropped connection before the effect', [{ kind: 'drop_connection' }]],
    ['a dropped connection after the effect', [{ kind: 'drop_after_commit' }]],
    ['an answer that is lost twice', [{ kind: 'drop_after_commit' }, { kind: 'drop_connection' }]],
    ['a transient error of the tool', [{ kind: 'error_transient' }]],
  ] as const)('declared idempotent, over %s, is repeated under one key and has one effect', async (_, faults) => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    for (const fault of faults) await domain.fail(fault);
    const approval = await fixture.approve('cancel');
    await fixture.bus.publish([approval.message]);
    const execution = await fixture.executionOf(approval);
    expect(readToolResult(execution)).toMatchObject({ ok: true, outcome: 'SUCCESS' });
    expect(execution.attempts).toHaveLength(faults.length + 1);
    expect(new Set(await domain.keys())).toEqual(new Set([approval.approved.idempotencyKey]));
    expect(domain.effects.count).toBe(1);
  });

  it('waits as long as Retry-After asks', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    await domain.fail({ kind: 'unavailable', retryAfterSeconds: 1 });
    const approval = await fixture.approve('cancel');
    await fixture.bus.publish([approval.message]);
    const execution = await fixture.executionOf(approval);
    expect(execution.latency_ms).toBeGreaterThanOrEqual(1_000);
  });

  it('whose server is not there and comes back is sent when it is there: certainly not sent before', async () => {
    const port = Number(new URL(domain.url).port);
    await domain.stop();
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    const approval = await fixture.approve('cancel');
    await fixture.bus.publish([approval.message]);
    await settle(100);
    domain = await startDomain(port);
    const execution = await fixture.executionOf(approval);
    expect(readToolResult(execution)).toMatchObject({ ok: true, outcome: 'SUCCESS' });
    expect(execution.attempts.slice(0, -1)).toMatchObject(
      execution.attempts.slice(0, -1).map(() => ({ outcome: { sent: false } })),
    );
    expect(await domain.keys()).toEqual([approval.approved.idempotencyKey]);
  });

  it('leaves no row in the outbox once it is published', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    const approval = await fixture.approve('cancel');
    await fixture.bus.publish([approval.message]);
    await fixture.executionOf(approval);
    await eventually(async () => expect((await fixture.store.outbox.measure()).pending).toBe(0));
  });
});

function settle(ms = 400): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
