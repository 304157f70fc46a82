import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Problem } from '@latch/contracts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(60_000);

const { ingress, retail, talkTo } = systemUnderTest();

beforeEach(() => retail.reset());

describe('a message that is sent twice', () => {
  it('gets the same answer, byte for byte, and leaves no second trace', async () => {
    const talk = talkTo('retail_orders');
    const request = talk.requestFor('quero cancelar pedido');
    const first = await ingress.post(request);
    const events = await ingress.events(talk.conversationKey);
    const second = await ingress.post(request);
    expect(first.status).toBe(200);
    expect(second).toEqual(first);
    expect(await ingress.events(talk.conversationKey)).toEqual(events);
  });

  it('is one turn when both are under way at the same time', async () => {
    const talk = talkTo('retail_orders');
    const request = talk.requestFor('quero cancelar pedido');
    const [first, second] = await Promise.all([ingress.post(request), ingress.post(request)]);
    expect(second).toEqual(first);
    const events = await ingress.events(talk.conversationKey);
    expect(events.filter(({ event_type }) => event_type === 'IC.TURN_RECEIVED')).toHaveLength(1);
  });

  it('is refused when its body is another one', async () => {
    const talk = talkTo('retail_orders');
    const request = talk.requestFor('quero cancelar pedido');
    await ingress.post(request);
    const other = { ...request, payload: { ...request.payload, message: 'quero rastrear pedido' } };
    const answer = await ingress.post(other);
    expect(answer.status).toBe(409);
    expect(Problem.parse(JSON.parse(answer.body)).code).toBe('turn.conflict');
  });

  it('confirms once: the tool runs once when the same yes comes twice', async () => {
    const talk = talkTo('retail_orders');
    await talk.ask('quero cancelar o pedido PED-1001');
    const yes = talk.requestFor('sim');
    const answers = await Promise.all([ingress.post(yes), ingress.post(yes), ingress.post(yes)]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect((await retail.calls()).totalEffects).toBe(1);
  });
});

describe('two people who say yes at the same moment', () => {
  it('cause one effect, and both get an answer', async () => {
    const talk = talkTo('retail_orders');
    await talk.ask('quero cancelar o pedido PED-1001');
    const answers = await Promise.all([talk.ask('sim'), talk.ask('sim')]);
    expect(answers).toHaveLength(2);
    const { calls, totalEffects } = await retail.calls();
    expect(calls.filter(({ tool }) => tool === 'retail_order_cancel')).toHaveLength(1);
    expect(totalEffects).toBe(1);
  });

  it('cause one effect when both press the button of the same proposal', async () => {
    const talk = talkTo('retail_orders');
    const proposed = await talk.ask('quero cancelar o pedido PED-1001');
    const proposal_id = proposed.metadata.proposal_id ?? undefined;
    const press = { confirmation: 'yes' as const, proposal_id };
    await Promise.all([talk.ask('', press), talk.ask('', press)]);
    expect((await retail.calls()).totalEffects).toBe(1);
  });
});
