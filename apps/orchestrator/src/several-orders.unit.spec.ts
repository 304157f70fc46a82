import { describe, expect, it } from '@jest/globals';
import { sampleAgent } from './sample-platform.features.ts';
import { SpokenConversation } from './spoken-conversation.features.ts';

describe('the sample tool that is run as a workflow', () => {
  it.each([
    ['PED-1001, PED-1002 e PED-1003', ['PED-1001', 'PED-1002', 'PED-1003']],
    ['os pedidos PED-1001 e PED-1003', ['PED-1001', 'PED-1003']],
    ['o PED-1001', ['PED-1001']],
  ])('collects the orders out of "%s", shows each, and is one call to the engine', async (words, orders) => {
    const talk = new SpokenConversation(await sampleAgent('retail_orders'));
    talk.says('quero cancelar vários pedidos');
    const shown = talk.says(words);
    for (const order of orders) expect(shown?.text).toContain(order);
    talk.says('sim');
    expect(talk.calls).toMatchObject([
      { tool_name: 'cancelar_pedidos', arguments: { order_ids: orders }, items: orders.map((id) => ({ id })) },
    ]);
  });
});
