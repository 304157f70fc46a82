import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type PlatformConfig, type RawOutcome, type ToolResult } from '@latch/contracts';
import { readToolResult } from '@latch/outcome';
import { type Approval, ExecutorFixture } from './executor-fixture.features.ts';
import {
  cancelEach,
  type OrderDomain,
  startOrderDomain,
  step,
  workflowPlatform,
} from './run-workflow-domain.features.ts';

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
const tell = step('tell', 'tell_customer', { arguments: { text: 'done', results: '$.steps.cancel.results' } });

async function play(config: PlatformConfig, of: Parameters<ExecutorFixture['approve']>[1] = {}): Promise<ToolResult> {
  await fixture.startExecutor(config);
  const approval = await fixture.approve('cancel_orders', { args: { orders }, items: orders, ...of });
  await fixture.bus.publish([approval.message]);
  return readToolResult(await fixture.executionOf(approval));
}

function flags(result: ToolResult): readonly (readonly [string, string])[] {
  return (result.items ?? []).map(({ id, outcome }) => [id, outcome] as const);
}

describe('a workflow that fans out over the confirmed items', () => {
  it('calls each once under its item key, and tells one failure as PARTIAL_SUCCESS in workflow.output[tool]', async () => {
    await fixture.startExecutor(workflowPlatform(domain.url, { steps: [cancelEach, tell] }));
    const approval = await fixture.approve('cancel_orders', { args: { orders }, items: orders });
    await fixture.bus.publish([approval.message]);
    const execution = await fixture.executionOf(approval);
    const key = approval.approved.idempotencyKey;
    expect(execution.workflow?.output['cancel_orders']).toMatchObject({
      results: [
        { id: 'P-1', success: true, protocol: 'CAN-P-1' },
        { id: 'P-2', success: false, reason: 'already_shipped', isRetryable: false },
        { id: 'P-3', success: true, protocol: 'CAN-P-3' },
      ],
    });
    expect(readToolResult(execution)).toMatchObject({
      outcome: 'PARTIAL_SUCCESS',
      multi_item_status: 'PARTIAL_SUCCESS',
      secondary_error: null,
      metadata: { multi_item: { items_count: 3, items_succeeded_count: 2, items_failed_count: 1 } },
    });
    expect(
      domain.effects
        .filter(({ tool }) => tool === 'cancel_one')
        .map((effect) => effect.key)
        .sort(),
    ).toEqual([`${key}:P-1`, `${key}:P-3`]);
    expect(domain.effects.at(-1)).toMatchObject({ tool: 'tell_customer', key: `${key}:tell` });
    expect(execution.attempts.map((attempt) => attempt.step).sort()).toEqual([
      'cancel:P-1',
      'cancel:P-2',
      'cancel:P-3',
      'tell',
    ]);
  });

  it('has no more calls at the same time than the step allows', async () => {
    const many = Array.from({ length: 9 }, (_, at) => `Q-${at}`);
    const steps = [{ ...cancelEach, maxParallel: 3 }];
    domain.gather(3);
    const result = await play(workflowPlatform(domain.url, { steps }), { args: { orders: many }, items: many });
    expect(result).toMatchObject({ outcome: 'SUCCESS', metadata: { multi_item: { items_succeeded_count: 9 } } });
    expect(domain.busiest.count).toBe(3);
  });

  it('repeats the call of one item under its own key, and has one effect', async () => {
    await domain.fail({ tool: 'cancel_one', kind: 'drop_after_commit' });
    const result = await play(workflowPlatform(domain.url, { steps: [cancelEach] }));
    expect(result.outcome).toBe('PARTIAL_SUCCESS');
    expect(domain.effects.map(({ order }) => order).sort()).toEqual(['P-1', 'P-3']);
  });

  it('leaves an item unknown whose answer was lost, and never says that it failed', async () => {
    await domain.fail({ tool: 'cancel_one_once', kind: 'drop_after_commit' });
    const steps = [{ ...cancelEach, tool: 'cancel_one_once', maxParallel: 1 }];
    const result = await play(workflowPlatform(domain.url, { steps }));
    expect(flags(result)).toEqual([
      ['P-1', 'unknown'],
      ['P-2', 'failed'],
      ['P-3', 'succeeded'],
    ]);
    expect(result).toMatchObject({ outcome: 'PARTIAL_SUCCESS' });
  });

  it('calls nothing that was not among the confirmed items, and says of a confirmed one that is not there that nothing was done', async () => {
    const found = { ...cancelEach, forEach: '$.steps.find.orders', arguments: { order_id: '$.item.id' } };
    const steps = [step('find', 'find_orders', { arguments: { customer: '$.arguments.customer' } }), found];
    const result = await play(workflowPlatform(domain.url, { steps }), {
      args: { customer: 'c' },
      items: ['P-1', 'P-9'],
    });
    expect(domain.effects.map(({ order }) => order)).toEqual(['P-1']);
    expect(flags(result)).toEqual([
      ['P-1', 'succeeded'],
      ['P-9', 'failed'],
    ]);
    expect(result.unrequested_items).toMatchObject([
      { id: 'P-2', outcome: 'failed', reason: 'not_confirmed' },
      { id: 'P-3', outcome: 'failed', reason: 'not_confirmed' },
    ]);
  });

  it('over what an earlier step found takes the found for the items where none were confirmed one by one', async () => {
    const found = { ...cancelEach, forEach: '$.steps.find.orders', arguments: { order_id: '$.item.id' } };
    const steps = [step('find', 'find_orders', { arguments: { customer: '$.arguments.customer' } }), found];
    const result = await play(workflowPlatform(domain.url, { steps }), { args: { customer: 'c' }, items: [] });
    expect(flags(result)).toEqual([
      ['P-1', 'succeeded'],
      ['P-2', 'failed'],
      ['P-3', 'succeeded'],
    ]);
  });
});

describe('a step that fails', () => {
  it('after the primary is secondary: the items stay what they are', async () => {
    await domain.fail({ tool: 'tell_customer', kind: 'error_business' });
    const result = await play(workflowPlatform(domain.url, { steps: [cancelEach, tell] }));
    expect(result).toMatchObject({
      ok: true,
      outcome: 'PARTIAL_SUCCESS',
      error: null,
      secondary_error: { errorCategory: 'business' },
    });
  });

  it('before the primary keeps it from running, and nothing was done', async () => {
    await domain.fail({ tool: 'find_orders', kind: 'error_business' });
    const steps = [step('find', 'find_orders', { arguments: { customer: 'c' } }), cancelEach];
    const result = await play(workflowPlatform(domain.url, { steps }));
    expect(result).toMatchObject({ ok: false, outcome: 'FAILED', error: { errorCategory: 'business' } });
    expect(flags(result).map(([, outcome]) => outcome)).toEqual(['failed', 'failed', 'failed']);
    expect(domain.effects).toEqual([]);
  });

  it('before the primary with an effect of which nobody knows leaves the whole unknown', async () => {
    await domain.fail({ tool: 'cancel_one_once', kind: 'timeout_after_commit', delayMs: 1_500 });
    const steps = [step('lock', 'cancel_one_once', { arguments: { order_id: 'P-1' } }), cancelEach];
    const result = await play(workflowPlatform(domain.url, { steps }));
    expect(result).toMatchObject({ ok: false, outcome: 'UNKNOWN', error: { isRetryable: false } });
    expect(flags(result).map(([, outcome]) => outcome)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(domain.effects.filter(({ tool }) => tool === 'cancel_one')).toEqual([]);
  });

  it('before the primary is passed over where it says so', async () => {
    await domain.fail({ tool: 'find_orders', kind: 'error_business' });
    const steps = [step('find', 'find_orders', { arguments: { customer: 'c' }, onError: 'continue' }), cancelEach];
    const result = await play(workflowPlatform(domain.url, { steps }));
    expect(result).toMatchObject({ outcome: 'PARTIAL_SUCCESS', secondary_error: { errorCategory: 'business' } });
  });

  it('as the primary ends the workflow: what would follow is not told of', async () => {
    const steps = [step('cancel', 'cancel_one', { arguments: { order_id: 'P-2' } }), tell];
    const result = await play(workflowPlatform(domain.url, { steps }), { args: {}, items: [] });
    expect(result).toMatchObject({
      outcome: 'FAILED',
      error: { errorCategory: 'business', message: 'already_shipped' },
    });
    expect(domain.effects).toEqual([]);
  });
});

describe('the arguments of a step', () => {
  it('come from the approved call, from earlier answers and from the file', async () => {
    const steps = [
      step('find', 'find_orders', { arguments: { customer: '$.arguments.customer' } }),
      step('cancel', 'cancel_one', { arguments: { order_id: '$.steps.find.orders.2.id', reason: '$$.literal' } }),
      tell,
    ];
    const result = await play(workflowPlatform(domain.url, { steps }), { args: { customer: 'c' }, items: [] });
    expect(result).toMatchObject({ outcome: 'SUCCESS', data: { order_id: 'P-3', protocol: 'CAN-P-3' } });
  });

  it('that are missing refuse the step before anything is called, and name the argument to ask for', async () => {
    const steps = [step('cancel', 'cancel_one', { arguments: { order_id: '$.arguments.order' } })];
    const result = await play(workflowPlatform(domain.url, { steps }), { args: {}, items: [] });
    expect(result).toMatchObject({
      outcome: 'FAILED',
      error: { errorCategory: 'validation', code: 'tool.arguments_invalid', parameter: 'order' },
    });
    expect(domain.effects).toEqual([]);
  });

  it('without a list to fan out over refuse it', async () => {
    const result = await play(workflowPlatform(domain.url, { steps: [cancelEach] }), {
      args: { orders: 'P-1' },
      items: [],
    });
    expect(result).toMatchObject({ error: { code: 'tool.arguments_invalid', parameter: 'orders' }, outcome: 'FAILED' });
  });
});

describe('a step that calls the server tool of the name of the workflow tool', () => {
  it('calls it plainly', async () => {
    const steps = [step('cancel', 'cancel_one', { arguments: { order_id: '$.arguments.order_id' } }), tell];
    const config = workflowPlatform(domain.url, { steps, tool: { name: 'cancel_one', requires: ['order_id'] } });
    await fixture.startExecutor(config);
    const approval = await fixture.approve('cancel_one', { args: { order_id: 'P-1' } });
    await fixture.bus.publish([approval.message]);
    const execution = await fixture.executionOf(approval);
    expect(execution.workflow?.output).toMatchObject({ cancel_one: { protocol: 'CAN-P-1' } });
    expect(readToolResult(execution).outcome).toBe('SUCCESS');
  });
});

describe('what a workflow may not do', () => {
  it('have an effect behind an approved read', async () => {
    const config = workflowPlatform(domain.url, {
      steps: [step('cancel', 'cancel_one', { arguments: { order_id: 'P-1' } })],
      tool: { operationType: 'read_only', requiresConfirmation: false },
    });
    const result = await play(config, { operationType: 'read_only', items: [], args: {} });
    expect(result).toMatchObject({ ok: false, error: { code: 'tool.not_allowed' } });
    expect(domain.effects).toEqual([]);
  });

  it('reach a tool that the agent does not have', async () => {
    const config = workflowPlatform(domain.url, { steps: [step('cancel', 'drop_database')] });
    expect(await play(config, { items: [], args: {} })).toMatchObject({
      ok: false,
      error: { code: 'tool.not_allowed' },
    });
  });

  it('give two calls one key', async () => {
    const steps = [step('P-1', 'tell_customer', { arguments: { text: 'first' } }), cancelEach];
    const result = await play(workflowPlatform(domain.url, { steps }));
    expect(flags(result)).toEqual([
      ['P-1', 'failed'],
      ['P-2', 'failed'],
      ['P-3', 'succeeded'],
    ]);
    expect(domain.effects.map(({ order }) => order)).toEqual(['first', 'P-3']);
  });
});

describe('a workflow of which an instance was killed in the middle', () => {
  const answered: RawOutcome = {
    kind: 'result',
    result: { structuredContent: { order_id: 'P-1', protocol: 'CAN-P-1' }, content: [] },
  };

  /** The dead instance finished P-1, began P-3, and never came to P-2. */
  async function crashed(more: Parameters<ExecutorFixture['approve']>[1] = {}): Promise<Approval> {
    const approval = await fixture.approve('cancel_orders', { args: { orders }, items: orders, ...more });
    const { invocationId } = approval.approved;
    const { ledger } = fixture.store;
    const dead = { owner: 'dead', leaseMs: 300 };
    await ledger.claim([approval.approved], dead);
    await ledger.startAttempt({ invocationId, number: 1, step: 'cancel:P-1', ...dead });
    const ended = {
      number: 1,
      started_at: new Date().toISOString(),
      ended_at: new Date().toISOString(),
      outcome: answered,
    };
    await ledger.startAttempt({ invocationId, number: 2, step: 'cancel:P-3', ...dead, ended: [ended] });
    return approval;
  }

  it('goes on where it stopped: nothing that ended is called again, what was begun is repeated under its key', async () => {
    const approval = await crashed();
    await fixture.startExecutor(workflowPlatform(domain.url, { steps: [cancelEach, tell] }), { isDeaf: true });
    const execution = await fixture.executionOf(approval);
    const key = approval.approved.idempotencyKey;
    expect(domain.effects.map((effect) => effect.key)).toEqual([`${key}:P-3`, `${key}:tell`]);
    expect(flags(readToolResult(execution))).toEqual([
      ['P-1', 'succeeded'],
      ['P-2', 'failed'],
      ['P-3', 'succeeded'],
    ]);
  });

  it('leaves unknown what was begun and may not be repeated, and does the rest', async () => {
    const approval = await crashed();
    const steps = [{ ...cancelEach, tool: 'cancel_one_once' }];
    await fixture.startExecutor(workflowPlatform(domain.url, { steps }), { isDeaf: true });
    const result = readToolResult(await fixture.executionOf(approval));
    expect(domain.effects).toEqual([]);
    expect(flags(result)).toEqual([
      ['P-1', 'succeeded'],
      ['P-2', 'failed'],
      ['P-3', 'unknown'],
    ]);
  });

  it('begins nothing more once the approval has expired, and keeps what was done', async () => {
    const approval = await crashed({ expiresAt: new Date(Date.now() + 200).toISOString() });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await fixture.startExecutor(workflowPlatform(domain.url, { steps: [cancelEach, tell] }), { isDeaf: true });
    const result = readToolResult(await fixture.executionOf(approval));
    expect(flags(result)).toEqual([
      ['P-1', 'succeeded'],
      ['P-2', 'failed'],
      ['P-3', 'succeeded'],
    ]);
    expect(domain.effects.map(({ tool, order }) => [tool, order])).toEqual([['cancel_one', 'P-3']]);
    expect(result.secondary_error).toMatchObject({ code: 'tool.expired' });
  });

  it('and may not be run any more is unknown, because something of it was done', async () => {
    const approval = await crashed();
    const config = workflowPlatform(domain.url, { steps: [cancelEach], tool: { enabled: false } });
    await fixture.startExecutor(config, { isDeaf: true });
    expect(readToolResult(await fixture.executionOf(approval)).outcome).toBe('UNKNOWN');
  });
});

describe('a retry of items that failed before', () => {
  it('has the keys of their first calls', async () => {
    const items = [{ id: 'P-1', label: 'P-1', item_key: 'first-key:P-1' }];
    await play(workflowPlatform(domain.url, { steps: [cancelEach] }), { args: { orders: ['P-1'] }, items });
    expect(domain.effects.map(({ key }) => key)).toEqual(['first-key:P-1']);
  });
});

describe('the question what became of a workflow', () => {
  const reads = { purpose: 'reconcile', operationType: 'read_only' } as const;

  async function ask(idempotencyKey: string): Promise<ToolResult> {
    const approval = await fixture.approve('ask_operation', { ...reads, items: orders, idempotencyKey });
    await fixture.bus.publish([approval.message]);
    return readToolResult(await fixture.executionOf(approval));
  }

  it('is put item by item, because each had a call of its own: what is found is known, the others stay unknown', async () => {
    await fixture.startExecutor(workflowPlatform(domain.url, { steps: [cancelEach] }));
    const approval = await fixture.approve('cancel_orders', { args: { orders }, items: orders });
    await fixture.bus.publish([approval.message]);
    await fixture.executionOf(approval);
    const result = await ask(approval.approved.idempotencyKey);
    expect(result).toMatchObject({ outcome: 'PARTIAL_SUCCESS', metadata: { multi_item: { items_unknown_count: 1 } } });
    expect(flags(result)).toEqual([
      ['P-1', 'succeeded'],
      ['P-2', 'unknown'],
      ['P-3', 'succeeded'],
    ]);
    expect(result.items?.[0]).toMatchObject({ protocol: 'CAN-P-1' });
  });

  it('is answered as a whole where nothing is known under any key', async () => {
    await fixture.startExecutor(workflowPlatform(domain.url, { steps: [cancelEach] }));
    const result = await ask('never-used');
    expect(result).toMatchObject({ ok: true, empty: true, outcome: 'SUCCESS' });
    expect(result.items ?? []).toEqual([]);
  });
});
