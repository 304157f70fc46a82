import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type LoggedCall } from '@latch/cli';
import { ChannelResponse } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { sendUntilAnswered } from './send-until-answered.ts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(120_000);

const { control, ingress, retail, talkTo } = systemUnderTest();

beforeEach(() => retail.reset());

/** Three orders to cancel one at a time, of which the second can't be cancelled, and then to be looked at; up to the yes, which is under way. */
async function confirmedThree(): Promise<{ readonly key: string; readonly answering: Promise<string> }> {
  const talk = talkTo('retail_orders');
  await talk.ask('quero cancelar vários pedidos');
  const proposed = await talk.ask('PED-1001, PED-1002 e PED-1003');
  expect(proposed.metadata).toMatchObject({ transaction_status: 'AWAITING_CONFIRMATION' });
  return { key: talk.conversationKey, answering: sendUntilAnswered(ingress, talk.requestFor('sim')) };
}

async function callsOf(tool: string): Promise<readonly LoggedCall[]> {
  return (await retail.calls()).calls.filter((call) => call.tool === tool);
}

const isOf =
  (order: string) =>
  ({ key }: LoggedCall): boolean =>
    key?.endsWith(`:${order}`) === true;

function expectTheTruth(answer: string): void {
  const { metadata, text } = ChannelResponse.parse(JSON.parse(answer));
  expect(metadata).toMatchObject({ transaction_status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS', error: null });
  expect(text).toMatch(/PED-1001.*protocolo CAN-/);
  expect(text).toMatch(/PED-1002.*já foi enviado/);
  expect(text).toMatch(/PED-1003.*protocolo CAN-/);
}

async function expectOneExecution(conversationKey: string): Promise<void> {
  const events = await ingress.events(conversationKey);
  expect(events.filter(({ event_type }) => event_type === 'IC.EXECUTION_STARTED')).toHaveLength(1);
  expect(events.filter(({ event_type }) => event_type === 'IC.TRANSACTION_ENDED')).toHaveLength(1);
}

describe('the tool executor, killed with -9 in the middle of a workflow', () => {
  it('while one of its items is done and not yet answered: it is sent again under its key, and nothing has a second effect', async () => {
    await retail.orderFault({ tool: 'retail_order_cancel', kind: 'timeout_after_commit', times: 1, delayMs: 60_000 });
    const { key, answering } = await confirmedThree();
    await eventually(async () => expect((await retail.calls()).totalEffects).toBe(2), { timeoutMs: 30_000 });
    const before = await callsOf('retail_order_cancel');
    const hanging = before.filter(({ fault }) => fault !== null);
    expect([before.length, hanging.length]).toEqual([3, 1]);

    await control.kill('tool-executor', { waitUntilReady: true });
    expectTheTruth(await answering);
    // What was answered is kept with the next call that begins (see AttemptJournal): the last ones may be sent again too, once, under their own keys.
    const again = (await callsOf('retail_order_cancel')).slice(before.length).map((call) => call.key);
    expect(again).toContain(hanging[0]?.key);
    expect(before.map((call) => call.key)).toEqual(expect.arrayContaining(again));
    expect(new Set(again).size).toBe(again.length);
    expect((await retail.calls()).totalEffects).toBe(2);
    await expectOneExecution(key);
  });

  it('while it looks at what was done: what was done is not done again', async () => {
    await retail.orderFault({ tool: 'consultar_pedido', kind: 'timeout', times: 1, delayMs: 60_000 });
    const { key, answering } = await confirmedThree();
    await eventually(async () => expect((await callsOf('consultar_pedido')).length).toBeGreaterThanOrEqual(1), {
      timeoutMs: 30_000,
    });

    await control.kill('tool-executor', { waitUntilReady: true });
    expectTheTruth(await answering);
    const cancellations = await callsOf('retail_order_cancel');
    for (const order of ['PED-1001', 'PED-1002', 'PED-1003']) expect(cancellations.filter(isOf(order))).toHaveLength(1);
    expect((await retail.calls()).totalEffects).toBe(2);
    await expectOneExecution(key);
  });
});
