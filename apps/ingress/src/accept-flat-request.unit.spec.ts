import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayRequest, Problem } from '@latch/contracts';
import { openTestIngress, type TestIngress } from './test-ingress.features.ts';

/** A message as the ancestor's channels send it. */
const flat = {
  channel: 'web',
  agent_id: 'retail_orders',
  text: 'quero cancelar pedido',
  session_id: 's-1',
  message_id: 'm-1',
  user_id: 'u-1',
  customer_key: '11999999999',
  business_context: { contract_key: '3000131180' },
  metadata: { request_id: 'req-001' },
  x_unknown: { kept: true },
};

const nested = {
  channel: 'web',
  agent_id: 'retail_orders',
  payload: {
    message: 'quero cancelar pedido',
    session_id: 's-1',
    message_id: 'm-1',
    user_id: 'u-1',
    business_context: { customer_key: '11999999999', contract_key: '3000131180' },
    metadata: { request_id: 'req-001' },
    x_unknown: { kept: true },
  },
};

describe('a flat request of the ancestor platform', () => {
  let ingress: TestIngress;
  beforeAll(async () => {
    ingress = await openTestIngress();
  });
  afterAll(() => ingress.close());

  it('is the same turn as the nested one, and nested on the bus, with its unknown fields', async () => {
    const answers = [await ingress.send(flat, { prefer: 'wait=0' }), await ingress.send(nested, { prefer: 'wait=0' })];
    const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(first).toEqual(second);
    const turns = await ingress.untilTurns(2);
    expect(turns[0]?.payload).toEqual(turns[1]?.payload);
    expect(GatewayRequest.parse(turns[0]?.payload)).toMatchObject({ tenant_id: 'default', ...nested });
  });

  it.each([
    ['message in place of text', { text: undefined, message: 'quero cancelar pedido' }],
    ['both, where the current spelling wins', { text: 'outra coisa', message: 'quero cancelar pedido' }],
  ])('may say %s', async (_, change) => {
    const before = ingress.turns.length;
    const body = { ...flat, business_context: undefined, ...change, message_id: `m-${before}` };
    expect((await ingress.send(body, { prefer: 'wait=0' })).status).toBe(202);
    const turns = await ingress.untilTurns(before + 1);
    expect(turns.at(-1)?.payload).toMatchObject({ payload: { message: 'quero cancelar pedido' } });
  });

  it('is one conversation with a session id that carries its prefix', async () => {
    const before = ingress.turns.length;
    const prefixed = { ...flat, session_id: 'default:retail_orders:s-1', message_id: 'm-prefixed' };
    expect((await ingress.send(prefixed, { prefer: 'wait=0' })).status).toBe(202);
    const turns = await ingress.untilTurns(before + 1);
    expect(turns.at(-1)?.conversation_key).toBe('default:retail_orders:s-1');
  });

  it.each([
    ['without message id', { message_id: undefined }, ['$.message_id']],
    ['without text', { text: undefined }, ['$.message']],
    ['with a number as text', { text: 7 }, ['$.text']],
    ['with an empty text', { text: '  ' }, ['$.text']],
    ['with text as business context', { business_context: 'x', customer_key: undefined }, ['$.business_context']],
    ['with another major', { metadata: { contract_version: 'gateway-request-v9' } }, ['$.metadata.contract_version']],
  ])('%s is refused, with paths as its sender wrote them', async (_, change, paths) => {
    const answer = await ingress.send({ ...flat, ...change });
    expect(answer.status).toBe(422);
    expect(Problem.parse(await answer.json()).errors?.map(({ path }) => path)).toEqual(paths);
  });
});
