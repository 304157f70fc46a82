import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type PlatformConfig } from '@latch/contracts';
import { readToolResult } from '@latch/outcome';
import { eventually } from '@latch/testing';
import { type Approval, ExecutorFixture } from './executor-fixture.features.ts';
import { type Domain, platformConfig, startDomain } from './sample-domain.features.ts';

jest.setTimeout(60_000);

let fixture: ExecutorFixture;
let domain: Domain;
let config: PlatformConfig;

beforeEach(async () => {
  fixture = await ExecutorFixture.create();
  domain = await startDomain();
  // The calls of these tests are held in their tool: none of them may end by itself.
  config = platformConfig({ main: domain.url, timeoutMs: 40_000 });
});

afterEach(async () => {
  domain.letGo();
  await fixture.close();
  await domain.stop();
});

/** Sends calls that stay in their tool, and waits until one has arrived there. */
async function hold(...tools: readonly string[]): Promise<readonly Approval[]> {
  const approvals = await Promise.all(tools.map((tool) => fixture.approve(tool, { args: { hold: true } })));
  await fixture.bus.publish(approvals.map(({ message }) => message));
  await eventually(() => expect(domain.running.count).toBe(1), { timeoutMs: 20_000 });
  return approvals;
}

async function ledgerOf({ approved }: Approval): Promise<unknown> {
  const { status, attempts, execution } = (await fixture.store.ledger.read(approved.invocationId)) ?? {};
  return { status, execution, outcomes: attempts?.map(({ outcome }) => outcome) };
}

const begunAndOpen = { status: 'STARTED', execution: null, outcomes: [undefined] };

describe('an executor that is stopped (invariant I19)', () => {
  it('lets the running call end and publishes what it came to', async () => {
    await fixture.startExecutor(config);
    const [approval] = await hold('cancel');
    const stopped = fixture.stopExecutors();
    expect(await Promise.race([stopped, sleep(200, 'it waits')])).toBe('it waits');
    domain.letGo();
    await stopped;
    if (approval === undefined) throw new Error('nothing was held');
    expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ ok: true, attempts: 1 });
    expect(domain.effects.count).toBe(1);
  });

  it('leaves what it has not begun to the next one, which makes each call once', async () => {
    await fixture.startExecutor(config, { env: { LATCH_MAX_RUNNING_CALLS: '1' } });
    const approvals = await hold('cancel_once', 'cancel_once', 'cancel_once');
    const stopped = fixture.stopExecutors();
    domain.letGo();
    await stopped;
    expect(domain.effects.count).toBe(1);
    await fixture.startExecutor(config);
    for (const approval of approvals)
      expect(readToolResult(await fixture.executionOf(approval))).toMatchObject({ ok: true, attempts: 1 });
    expect(domain.effects.count).toBe(3);
  });

  it.each([
    ['whose call takes longer than the drain time does not wait for it, and leaves it to the ledger', 'cancel'],
    ['gives a read up when its drain time is over, and leaves it to the ledger', 'look'],
  ])('%s', async (_, tool) => {
    await fixture.startExecutor(config, { env: { LATCH_DRAIN_MS: '50' } });
    const [approval] = await hold(tool);
    await fixture.stopExecutors();
    expect(domain.running.count).toBe(1);
    if (approval === undefined) throw new Error('nothing was held');
    expect(await ledgerOf(approval)).toEqual(begunAndOpen);
  });
});
