import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(90_000);

const { ingress, retail, talkTo } = systemUnderTest();

beforeEach(() => retail.reset());

async function cancelThree(): Promise<ReturnType<typeof talkTo>> {
  const talk = talkTo('retail_orders');
  await talk.ask('quero cancelar vários pedidos');
  const proposed = await talk.ask('PED-1001, PED-1002 e PED-1003');
  expect(proposed.metadata).toMatchObject({ transaction_status: 'AWAITING_CONFIRMATION' });
  for (const order of ['PED-1001', 'PED-1002', 'PED-1003']) expect(proposed.text).toContain(order);
  return talk;
}

describe('cancelling several orders, where the server cancels one at a time', () => {
  it('asks once, calls once per order under its own key, and names each with its true outcome', async () => {
    const talk = await cancelThree();
    expect((await retail.calls()).totalEffects).toBe(0);

    const done = await talk.ask('sim');
    expect(done.metadata).toMatchObject({ transaction_status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS' });
    for (const order of ['PED-1001', 'PED-1002', 'PED-1003']) expect(done.text.split(`- ${order}:`)).toHaveLength(2);
    expect(done.text).toMatch(/PED-1002.*já foi enviado/);
    expect(done.text.match(/protocolo CAN-[0-9A-F]{8}/g)).toHaveLength(2);

    const { calls, totalEffects } = await retail.calls();
    expect(totalEffects).toBe(2);
    const cancellations = calls.filter(({ tool }) => tool === 'retail_order_cancel');
    expect(cancellations.map(({ key }) => key?.replace(/^[\w-]{43}:/, '')).sort()).toEqual([
      'PED-1001',
      'PED-1002',
      'PED-1003',
    ]);
    expect(calls.filter(({ tool }) => tool === 'consultar_pedido')).toHaveLength(3);
  });

  it('keeps what was done when the step that looks afterwards fails', async () => {
    const talk = await cancelThree();
    await retail.orderFault({ tool: 'consultar_pedido', kind: 'error_business', times: 3 });
    const done = await talk.ask('sim');
    expect(done.metadata).toMatchObject({ outcome: 'PARTIAL_SUCCESS', error: null });
    const events = await ingress.events(talk.conversationKey);
    expect(JSON.stringify(events)).toContain('secondary_error');
    expect((await retail.calls()).totalEffects).toBe(2);
  });

  it('repeats a cancellation whose answer was lost under its own key, and has one effect', async () => {
    const talk = await cancelThree();
    await retail.orderFault({ tool: 'retail_order_cancel', kind: 'drop_after_commit', times: 1 });
    const done = await talk.ask('sim');
    expect(done.metadata).toMatchObject({ outcome: 'PARTIAL_SUCCESS' });
    expect((await retail.calls()).totalEffects).toBe(2);
  });
});
