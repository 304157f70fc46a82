import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readToolResult } from '@latch/outcome';
import { eventually } from '@latch/testing';
import { type Approval, ExecutorFixture } from './executor-fixture.features.ts';
import { type Domain, platformConfig, startDomain } from './sample-domain.features.ts';

jest.setTimeout(60_000);

let fixture: ExecutorFixture;
let domain: Domain;
let other: Domain;

beforeEach(async () => {
  fixture = await ExecutorFixture.create();
  [domain, other] = await Promise.all([startDomain(), startDomain()]);
});

afterEach(async () => {
  await fixture.close();
  await Promise.all([domain.stop(), other.stop()]);
});

describe('a server that is down (invariant I17)', () => {
  it('is left alone after its failures, costs only its own tools, and is used again when it answers', async () => {
    const port = Number(new URL(domain.url).port);
    await fixture.startExecutor(platformConfig({ main: domain.url, other: other.url }));
    await domain.stop();
    const dead = await Promise.all([1, 2, 3].map(() => fixture.approve('look')));
    await fixture.bus.publish(dead.map(({ message }) => message));
    for (const approval of dead) expect(readToolResult(await fixture.executionOf(approval)).ok).toBe(false);
    await eventually(() => expect(alarms('NOC.MCP_SERVER_DOWN')).toHaveLength(1));
    domain = await startDomain(port);
    await eventually(async () => {
      const again = await fixture.approve('look');
      await fixture.bus.publish([again.message]);
      expect(readToolResult(await fixture.executionOf(again)).ok).toBe(true);
    });
    await eventually(() => expect(alarms('NOC.MCP_SERVER_UP')).toHaveLength(1));
    const [down, up] = [alarms('NOC.MCP_SERVER_DOWN')[0], alarms('NOC.MCP_SERVER_UP')[0]];
    expect(down).toMatchObject({
      perceived_severity: 'major',
      probable_cause: 'underlying_resource_unavailable',
      cleared_at: null,
    });
    expect(up).toMatchObject({ alarm_id: down?.alarm_id, perceived_severity: 'cleared', raised_at: down?.raised_at });
  });

  it('that times out raises one alarm and clears it with the next answer', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    await domain.fail({ kind: 'timeout', times: 2 });
    for (const tool of ['cancel_once', 'cancel_once', 'look']) {
      const approval = await fixture.approve(tool);
      await fixture.bus.publish([approval.message]);
      await fixture.executionOf(approval);
    }
    await eventually(() => expect(alarms('NOC.MCP_TIMEOUT')).toHaveLength(2));
    const [raised, cleared] = alarms('NOC.MCP_TIMEOUT');
    expect(cleared).toMatchObject({ alarm_id: raised?.alarm_id, perceived_severity: 'cleared' });
  });

  it('that is slow does not hold up the calls to another one', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url, other: other.url, timeoutMs: 40_000 }));
    const slow: Approval[] = [];
    while (slow.length < 32) slow.push(await fixture.approve('look', { args: { hold: true } }));
    await fixture.bus.publish(slow.map(({ message }) => message));
    await eventually(() => expect(domain.running.count).toBe(16), { timeoutMs: 20_000 });
    const fast = await fixture.approve('cancel_elsewhere');
    await fixture.bus.publish([fast.message]);
    // The other server has no such tool and says so: what counts here is that it is asked while nobody has let the slow ones go.
    await fixture.executionOf(fast);
    expect(domain.running.count).toBe(16);
    domain.letGo();
    for (const approval of slow) expect(readToolResult(await fixture.executionOf(approval)).ok).toBe(true);
  });
});

describe('calls of one conversation', () => {
  it('are made in order, one after the other', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }));
    const conversationKey = 'default:agent:one';
    const first = await fixture.approve('look', { conversationKey, args: { ms: 300 } });
    const second = await fixture.approve('look', { conversationKey });
    await fixture.bus.publish([first.message, second.message]);
    await fixture.executionOf(second);
    expect(fixture.executions.map(({ invocation_id }) => invocation_id)).toEqual([
      first.approved.invocationId,
      second.approved.invocationId,
    ]);
  });
});

function alarms(type: string): Record<string, unknown>[] {
  return fixture.signals.filter(({ event_type }) => event_type === type).map(({ payload }) => alarmOf(payload));
}

function alarmOf({ alarm }: Record<string, unknown>): Record<string, unknown> {
  return typeof alarm === 'object' && alarm !== null ? { ...alarm } : {};
}
