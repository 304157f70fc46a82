import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { requiredEnvelopeFields } from '@latch/contracts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(60_000);

const { ingress, retail, talkTo } = systemUnderTest();

beforeEach(() => retail.reset());

describe('cancelling an order', () => {
  it('asks for the number, shows what it would do, does it once on a yes, and keeps the evidence', async () => {
    const talk = talkTo('retail_orders');

    const asked = await talk.ask('quero cancelar pedido');
    expect(asked.metadata).toMatchObject({
      transaction_status: 'COLLECTING_PARAMETERS',
      intent: 'retail_order_cancel',
      missing_parameters: ['order_id'],
    });

    const proposed = await talk.ask('o pedido é o PED-1001');
    expect(proposed.metadata).toMatchObject({ transaction_status: 'AWAITING_CONFIRMATION', missing_parameters: [] });
    expect(proposed.metadata.proposal_id).toEqual(expect.any(String));
    expect(proposed.text).toContain('PED-1001');
    expect((await retail.calls()).totalEffects).toBe(0);

    const done = await talk.ask('sim');
    expect(done.metadata).toMatchObject({ transaction_status: 'COMPLETED', outcome: 'SUCCESS', error: null });
    expect(done.text).toContain('PED-1001');
    expect(done.text).toMatch(/Protocolo CAN-[0-9A-F]{8}/);

    const { calls, totalEffects } = await retail.calls();
    expect(calls.map(({ tool }) => tool)).toEqual(['validar_cancelamento_pedido', 'retail_order_cancel']);
    expect(calls[1]).toMatchObject({ arguments: { order_id: 'PED-1001' }, key: expect.stringMatching(/^[\w-]{43}$/) });
    expect(totalEffects).toBe(1);
  });

  it('stays the cancellation when the answer holds a word that also names another intent', async () => {
    const talk = talkTo('retail_orders');
    await talk.ask('quero cancelar pedido');
    await talk.ask('o pedido é o PED-1001');
    const state = await ingress.state(talk.conversationKey);
    expect(state?.active_transaction).toMatchObject({ tool: 'retail_order_cancel' });
    expect(state?.parked_transactions).toEqual([]);
  });

  it('leaves events that are numbered without a gap and carry the seven required fields', async () => {
    const talk = talkTo('retail_orders');
    for (const text of ['quero cancelar pedido', 'PED-1001', 'sim']) await talk.ask(text);
    const events = await ingress.events(talk.conversationKey);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    for (const event of events) for (const field of requiredEnvelopeFields) expect(event).toHaveProperty(field);
    expect(events.at(-1)?.event_type).toBe('IC.TURN_ANSWERED');
  });
});
