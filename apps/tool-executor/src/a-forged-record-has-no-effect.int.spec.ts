import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ToolInvocation } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { announce } from './approved-call.features.ts';
import { ExecutorFixture } from './executor-fixture.features.ts';
import { type Domain, platformConfig, startDomain } from './sample-domain.features.ts';

jest.setTimeout(30_000);

let fixture: ExecutorFixture;
let domain: Domain;

beforeAll(async () => {
  fixture = await ExecutorFixture.create();
  domain = await startDomain();
  await fixture.startExecutor(platformConfig({ main: domain.url }));
});

beforeEach(() => {
  fixture.executions.length = 0;
  fixture.signals.length = 0;
  domain.effects.count = 0;
});

afterAll(async () => {
  await fixture.close();
  await domain.stop();
});

async function refusal(): Promise<unknown> {
  return eventually(() => {
    const found = fixture.signals.find(({ event_type }) => event_type === 'NOC.INVOCATION_REFUSED');
    if (found === undefined) throw new Error('no refusal yet');
    return found.payload;
  });
}

describe('a record on the invocation topic', () => {
  it('of a call that nobody approved causes no call and is told to the NOC', async () => {
    const { approved } = await fixture.approve('cancel');
    await fixture.bus.publish([announce(approved, { ...approved.invocation, invocation_id: 'made-up' })]);
    expect(await refusal()).toMatchObject({
      code: 'tool.unknown_invocation',
      invocation_id: 'made-up',
      source: { partition: expect.any(Number) },
    });
    expect(domain.effects.count).toBe(0);
    expect(fixture.executions).toHaveLength(0);
  });

  it('without an id of a call is refused alike', async () => {
    const { approved } = await fixture.approve('cancel');
    const { invocation_id: _id, ...anonymous } = approved.invocation;
    await fixture.bus.publish([announce(approved, anonymous)]);
    expect(await refusal()).toMatchObject({ code: 'tool.unknown_invocation' });
  });

  it.each<[string, Partial<ToolInvocation>]>([
    ['other arguments', { arguments: { ms: 1 } }],
    [
      'one item more',
      {
        items: [
          { id: 'A', label: 'A' },
          { id: 'B', label: 'B' },
        ],
      },
    ],
    ['another tool', { tool_name: 'cancel_once' }],
    ['another tenant', { tenant_id: 'rival' }],
    ['another agent', { agent_id: 'rival' }],
    ['another revision', { rev: 2 }],
    ['another transaction', { transaction_id: 'tx-other' }],
    ['another purpose', { purpose: 'reconcile' }],
    ['another proposal', { proposal_id: 'proposal-2' }],
    ['another key', { idempotency_key: 'key-2' }],
  ])('with %s than approved causes no call, and the genuine one still runs', async (_, forged) => {
    const approval = await fixture.approve('cancel', { items: ['A'] });
    await fixture.bus.publish([announce(approval.approved, { ...approval.approved.invocation, ...forged })]);
    expect(await refusal()).toMatchObject({ code: 'tool.capsule_mismatch' });
    expect(domain.effects.count).toBe(0);
    expect(await fixture.store.ledger.read(approval.approved.invocationId)).toBeUndefined();
    await fixture.bus.publish([approval.message]);
    await fixture.executionOf(approval);
    expect(domain.effects.count).toBe(1);
  });

  it('that is replayed after its call ended changes nothing', async () => {
    const approval = await fixture.approve('cancel');
    await fixture.bus.publish([approval.message]);
    await fixture.executionOf(approval);
    await fixture.bus.publish([approval.message, announce(approval.approved, approval.approved.invocation)]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(domain.effects.count).toBe(1);
    expect(fixture.executions).toHaveLength(1);
  });
});

describe('an approval', () => {
  it('that has expired by the database clock is refused, and the conversation is told', async () => {
    const approval = await fixture.approve('cancel', { expiresAt: new Date(Date.now() - 1_000).toISOString() });
    await fixture.bus.publish([approval.message]);
    expect(await fixture.executionOf(approval)).toMatchObject({
      outcome: { kind: 'refused', error: { code: 'tool.expired' } },
      attempts: [],
    });
    expect(await refusal()).toMatchObject({ code: 'tool.expired', invocation_id: approval.approved.invocationId });
    expect(domain.effects.count).toBe(0);
  });

  it.each([
    ['a tool that is switched off', { tool: 'off' }],
    ['a tool that the agent does not have', { tool: 'nothing' }],
    ['an agent that is not configured', { tool: 'cancel', agentId: 'ghost' }],
    ['a tenant that the agent does not serve', { tool: 'cancel', tenantId: 'rival' }],
    ['a tool that needs a confirmation and has none', { tool: 'cancel', proposalId: null }],
    ['a tool with an effect, as a validator', { tool: 'cancel', purpose: 'pre_validation' as const }],
  ])('of %s is refused, and the conversation is told', async (_, { tool, ...fields }) => {
    const approval = await fixture.approve(tool, fields);
    await fixture.bus.publish([approval.message]);
    expect(await fixture.executionOf(approval)).toMatchObject({
      outcome: { kind: 'refused', error: { code: 'tool.not_allowed' } },
    });
    expect(domain.effects.count).toBe(0);
  });
});
