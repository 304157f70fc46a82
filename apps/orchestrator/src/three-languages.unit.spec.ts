import { describe, expect, it } from '@jest/globals';
import { configuredAgent } from './configured-agent.features.ts';
import { kindsOf, SpokenConversation } from './spoken-conversation.features.ts';

/** One shop in three languages: what people say there, in the same order of events. */
type Shop = {
  readonly locale: string;
  readonly refund: {
    readonly label: string;
    readonly example: string;
    readonly order: string;
    readonly amount: string;
  };
  readonly track: { readonly label: string; readonly example: string };
  readonly domain: string;
  readonly says: {
    readonly refund: string;
    readonly order: string;
    readonly amount: string;
    readonly changedAmount: string;
    readonly doubt: string;
    readonly yes: string;
    readonly no: string;
    readonly forget: string;
    readonly generic: string;
    readonly track: string;
  };
};

const shops: readonly Shop[] = [
  {
    locale: 'pt-BR',
    refund: { label: 'o reembolso', example: 'quero um reembolso', order: 'o pedido', amount: 'o valor' },
    track: { label: 'o rastreamento', example: 'quero rastrear pedido' },
    domain: 'pedido',
    says: {
      refund: 'quero um reembolso',
      order: 'o pedido é o ped-1001, tá?',
      amount: 'R$ 1.234,56',
      changedAmount: 'na verdade são 80 reais',
      doubt: 'não tenho certeza',
      yes: 'sim, pode confirmar',
      no: 'não, obrigado',
      forget: 'esquece, quero rastrear pedido',
      generic: 'e o pedido?',
      track: 'quero rastrear pedido',
    },
  },
  {
    locale: 'en',
    refund: { label: 'the refund', example: 'I want a refund', order: 'the order', amount: 'the amount' },
    track: { label: 'the tracking', example: 'I want to track an order' },
    domain: 'order',
    says: {
      refund: 'I want a refund',
      order: "it's ped-1001, please",
      amount: '$1,234.56',
      changedAmount: 'actually it is 80 dollars',
      doubt: "I'm not sure",
      yes: 'yes, go ahead',
      no: 'no, thanks',
      forget: 'forget it, I want to track an order',
      generic: 'and the order?',
      track: 'I want to track an order',
    },
  },
  {
    locale: 'es',
    refund: { label: 'el reembolso', example: 'quiero un reembolso', order: 'el pedido', amount: 'el importe' },
    track: { label: 'el rastreo', example: 'quiero rastrear un pedido' },
    domain: 'pedido',
    says: {
      refund: 'quiero un reembolso',
      order: 'el pedido es ped-1001, por favor',
      amount: '1.234,56 euros',
      changedAmount: 'en realidad son 80 euros',
      doubt: 'no estoy seguro',
      yes: 'sí, adelante',
      no: 'no, gracias',
      forget: 'olvídalo, quiero rastrear un pedido',
      generic: '¿y el pedido?',
      track: 'quiero rastrear un pedido',
    },
  },
];

async function talkIn({ locale, refund, track, domain }: Shop): Promise<SpokenConversation> {
  const order = `{ label: ${refund.order}, pattern: "^PED-[0-9]{4}$" }`;
  const agent = await configuredAgent({
    agents: `    locale: ${locale}\n    domain_words: [${domain}]\n`,
    routing: `intents:
  - { name: refund, tool: fazer, examples: ['${refund.example}'] }
  - { name: track, tool: track, examples: ['${track.example}'] }
`,
    tools: `    label: ${refund.label}
    tool_type: action
    requires: [order_id, amount]
    args_schema:
      order_id: ${order}
      amount: { type: money, label: ${refund.amount} }
  track:
    mcp_server: s
    label: ${track.label}
    requires: [order_id]
    args_schema:
      order_id: ${order}
`,
  });
  return new SpokenConversation(agent);
}

describe.each(shops.map((shop) => [shop.locale, shop] as const))('a refund in %s', (_, shop) => {
  const { says } = shop;

  it('is collected, corrected, confirmed once and run once', async () => {
    const talk = await talkIn(shop);
    [says.refund, says.order, says.amount].forEach((text) => talk.says(text));
    expect(talk.view().active_transaction).toMatchObject({ arguments: { order_id: 'PED-1001', amount: 1234.56 } });
    expect(kindsOf(talk.says(says.doubt))).toEqual(['ask_confirmation']);
    expect(kindsOf(talk.says(says.changedAmount))).toEqual(['ask_confirmation']);
    expect(talk.executions()).toEqual([]);
    talk.says(says.yes);
    expect(talk.executions()).toEqual([{ tool_name: 'fazer', arguments: { order_id: 'PED-1001', amount: 80 } }]);
  });

  it('is declined by a polite no', async () => {
    const talk = await talkIn(shop);
    [says.refund, says.order, says.amount, says.no].forEach((text) => talk.says(text));
    expect(talk.view().transaction_status).toBe('CANCELLED');
    expect(talk.executions()).toEqual([]);
  });

  it('is not interrupted by a generic word, nor filled by a yes', async () => {
    const talk = await talkIn(shop);
    [says.refund, says.generic, says.yes].forEach((text) => talk.says(text));
    expect(talk.view()).toMatchObject({
      active_transaction: { tool: 'fazer', arguments: {} },
      missing_parameters: ['order_id', 'amount'],
    });
  });

  it('is given up, and the rest of the sentence is done', async () => {
    const talk = await talkIn(shop);
    talk.says(says.refund);
    expect(kindsOf(talk.says(says.forget))).toEqual(['cancelled', 'ask_parameter']);
    expect(talk.view().active_transaction).toMatchObject({ tool: 'track' });
  });

  it('is parked by an unmistakable wish, offered again, and taken up by a plain yes', async () => {
    const talk = await talkIn(shop);
    [says.refund, says.order].forEach((text) => talk.says(text));
    expect(kindsOf(talk.says(says.track))).toEqual(['parked', 'ask_parameter']);
    expect(kindsOf(talk.says('PED-2002'))).toEqual(['outcome', 'offer_resume']);
    expect(kindsOf(talk.says(says.yes))).toEqual(['resumed', 'ask_parameter']);
    expect(talk.view()).toMatchObject({
      active_transaction: { arguments: { order_id: 'PED-1001' } },
      missing_parameters: ['amount'],
    });
  });
});
