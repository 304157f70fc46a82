import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readToolResult } from '@latch/outcome';
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

describe('an executor that is stopped (invariant I19)', () => {
  it('lets the running call end and publishes what it came to', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    const approval = await fixture.approve('cancel', { args: { ms: 500 } });
    await fixture.bus.publish([approval.message]);
    await new Promise((resolve) => setTimeout(resolve, 250));
    await fixture.stopExecutors();
    expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ ok: true, attempts: 1 });
    expect(domain.effects.count).toBe(1);
  });

  it('leaves what it has not begun to the next one, which makes each call once', async () => {
    const config = platformConfig({ main: domain.url });
    await fixture.startExecutor(config, { env: { LATCH_MAX_RUNNING_CALLS: '1' } });
    const approvals = await Promise.all([1, 2, 3].map(() => fixture.approve('cancel_once', { args: { ms: 300 } })));
    await fixture.bus.publish(approvals.map(({ message }) => message));
    await new Promise((resolve) => setTimeout(resolve, 150));
    await fixture.stopExecutors();
    await fixture.startExecutor(config);
    for (const approval of approvals)
      expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ ok: true, attempts: 1 });
    expect(domain.effects.count).toBe(3);
  });

  it('whose call takes longer than the drain time does not wait for it, and leaves it to the ledger', async () => {
    const config = platformConfig({ main: domain.url });
    await fixture.startExecutor(config, { env: { LATCH_DRAIN_MS: '50' } });
    const approval = await fixture.approve('cancel', { args: { ms: 600 } });
    await fixture.bus.publish([approval.message]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const from = performance.now();
    await fixture.stopExecutors();
    expect(performance.now() - from).toBeLessThan(550);
    expect(await fixture.store.ledger.read(approval.approved.invocationId)).toMatchObject({
      status: 'STARTED',
      execution: null,
    });
  });

  it('gives a read up when its drain time is over, and leaves it to the ledger', async () => {
    const config = platformConfig({ main: domain.url });
    await fixture.startExecutor(config, { env: { LATCH_DRAIN_MS: '50', LATCH_LEASE_MS: '1000' } });
    const approval = await fixture.approve('look', { args: { ms: 900 } });
    await fixture.bus.publish([approval.message]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const from = performance.now();
    await fixture.stopExecutors();
    expect(performance.now() - from).toBeLessThan(550);
    const { status, attempts, execution } = (await fixture.store.ledger.read(approval.approved.invocationId)) ?? {};
    expect({ status, execution, outcomes: attempts?.map(({ outcome }) => outcome) }).toEqual({
      ...{ status: 'STARTED', execution: null, outcomes: [undefined] },
    });
  });
});
