import { describe, expect, it } from '@jest/globals';
import {
  agent,
  awaiting,
  cancelOrder,
  cancelProducts,
  cancelServices,
  disputeCharge,
  intent,
  nothingOpen,
  parameter,
  pending,
  read,
  retail,
  telecom,
  tool,
} from './sample-agents.features.ts';
import { longestUtterance } from './understand.ts';

describe('the conversations of the seeds', () => {
  it('A: opens the cancellation, stays with it when the order is named, and confirms it', () => {
    expect(read('quero cancelar pedido', retail, nothingOpen).intent).toMatchObject({
      tool: 'retail_order_cancel',
      isClear: true,
      values: {},
    });
    const order = read('o pedido é o PED-1001', retail, pending(cancelOrder, ['order_id']));
    expect(order).toMatchObject({ values: { order_id: 'PED-1001' }, abandons: false });
    expect(order.intent?.isClear ?? false).toBe(false);
    expect(read('sim', retail, awaiting(cancelOrder, { order_id: 'PED-1001' })).confirmation).toBe('yes');
  });

  it('B: takes the subject out of the opening sentence, and then the amount', () => {
    const opening = read('não contratei TIM CTRL Redes Sociais 8.0', telecom, nothingOpen).intent;
    expect(opening).toMatchObject({ tool: 'contestar_cobranca', isClear: true });
    expect(opening?.values).toEqual({ subject: 'TIM CTRL Redes Sociais 8.0' });
    expect(read('R$ 71,99', telecom, pending(disputeCharge, ['valor'], opening?.values)).values).toEqual({
      valor: 71.99,
    });
  });

  it('B: writes the amount as a decimal text where the tool declares a text', () => {
    const asText = tool('dispute', 'a contestação', [parameter('valor', { format: 'money' })]);
    expect(read('R$ 1.071,90', telecom, pending(asText, ['valor'])).values).toEqual({ valor: '1071.90' });
  });

  it('C: gives up and names the new wish in one sentence', () => {
    const said = read('esquece, quero ver minha fatura', telecom, pending(disputeCharge, ['valor'], { subject: 'X' }));
    expect(said).toMatchObject({ abandons: true, values: {}, intent: { tool: 'consultar_fatura', isClear: true } });
  });

  it('lets an unequivocal wish for tracking interrupt, without a value', () => {
    expect(read('quero rastrear pedido', retail, pending(cancelOrder, ['order_id']))).toMatchObject({
      values: {},
      abandons: false,
      intent: { tool: 'retail_order_tracking', isClear: true },
    });
  });

  it.each(['pedido', 'o pedido', 'meu pedido', 'é um pedido'])('never interrupts for the generic %p', (text) => {
    const said = read(text, retail, pending(cancelOrder, ['order_id']));
    expect(said.hasDomainWord).toBe(true);
    expect(said.intent?.isClear ?? false).toBe(false);
  });

  it('E: keeps a scalar that stands for several services as it was written', () => {
    expect(read('cancela TIM Fashion, Aya Audiobooks e Neymar Jr', telecom, nothingOpen).intent).toMatchObject({
      tool: 'cancelar_vas_avulso',
      isClear: true,
      values: { subject: 'TIM Fashion, Aya Audiobooks e Neymar Jr' },
    });
  });

  it('F: splits a list where the tool declares one; the longest literal match wins', () => {
    expect(read('cancela os produtos TIM Fashion e Neymar Jr', telecom, nothingOpen).intent).toMatchObject({
      tool: 'cancelar_produtos',
      isClear: true,
      values: { items: ['TIM Fashion', 'Neymar Jr'] },
      runnerUp: { intent: 'cancelar_vas' },
    });
    expect(read('1. TIM Fashion\n2. Neymar Jr', telecom, pending(cancelProducts, ['items'])).values).toEqual({
      items: ['TIM Fashion', 'Neymar Jr'],
    });
  });
});

describe('awaiting the confirmation of three services', () => {
  const items = [
    { id: '1001', label: 'TIM Fashion Mensal' },
    { id: '1002', label: 'Aya Audiobooks Premium' },
    { id: '1004', label: 'Neymar Jr' },
  ];
  const open = awaiting(cancelServices, { subject: 'TIM Fashion, Aya, Neymar' }, items);

  it.each([
    ['sim, menos o Neymar Jr', 'yes_with_change', { kind: 'exclude', itemIds: ['1004'] }],
    ['exceto o primeiro', 'yes_with_change', { kind: 'exclude', itemIds: ['1001'] }],
    ['o Neymar não', 'yes_with_change', { kind: 'exclude', itemIds: ['1004'] }],
    ['não cancela o Neymar', 'no_with_change', { kind: 'exclude', itemIds: ['1004'] }],
    ['só os dois primeiros', 'yes_with_change', { kind: 'only', itemIds: ['1001', '1002'] }],
    ['sim, só o TIM Fashion', 'yes_with_change', { kind: 'only', itemIds: ['1001'] }],
    ['apenas o último', 'yes_with_change', { kind: 'only', itemIds: ['1004'] }],
    ['sim, o Aya', 'yes_with_change', { kind: 'only', itemIds: ['1002'] }],
    ['troca o 1002 por 1003', 'no_with_change', { kind: 'replace', itemId: '1002', by: '1003' }],
  ] as const)('reads %p as %s', (text, confirmation, change) =>
    expect(read(text, telecom, open)).toMatchObject({ confirmation, change }),
  );

  it.each(['sim', 'sim, todos', 'sim, cancela os três', 'sim, TIM Fashion, Aya e Neymar'])(
    'reads %p as a yes to all of them',
    (text) => {
      expect(read(text, telecom, open)).toMatchObject({ confirmation: 'yes', change: null });
    },
  );

  it.each(['sim, menos o XYZ', 'menos', 'só', 'sim, cancela os dois'])('asks again when %p names nothing', (text) => {
    expect(read(text, telecom, open)).toMatchObject({ confirmation: 'unclear', change: null });
  });

  it('does not drop everything over "não, o Neymar"', () => {
    expect(read('não, o Neymar', telecom, open)).toMatchObject({ confirmation: 'no_with_change', change: null });
  });

  it('changes nothing for look-alike letters', () =>
    expect(read('ｓó os dois primeiros', telecom, open)).toMatchObject({ confirmation: 'unclear', change: null }));
});

describe('awaiting the confirmation of values', () => {
  const order = awaiting(cancelOrder, { order_id: 'PED-1001' });
  const dispute = awaiting(disputeCharge, { subject: 'TIM Fashion', valor: 71.99 });

  it.each([
    ['não, é o PED-1002', order, 'no_with_change', { order_id: 'PED-1002' }],
    ['sim, mas o PED-1002', order, 'yes_with_change', { order_id: 'PED-1002' }],
    ['na verdade o valor é 80 reais', dispute, 'no_with_change', { valor: 80 }],
    ['não, é o TIM Music', dispute, 'no_with_change', { subject: 'TIM Music' }],
  ] as const)('reads %p as other values', (text, open, confirmation, values) => {
    expect(read(text, telecom, open)).toMatchObject({ confirmation, values, change: { kind: 'values', values } });
  });

  it('takes the same value said again for part of the yes', () => {
    expect(read('sim, o PED-1001', retail, order)).toMatchObject({ confirmation: 'yes', change: null, values: {} });
  });
});

describe('giving up', () => {
  const open = pending(cancelServices, ['subject']);

  it.each([
    'esquece',
    'deixa pra lá',
    'deixa pra lá, não quero mais',
    'cancela',
    'desisto',
    'não, esquece',
    'ah, deixa quieto',
    'never mind',
    'olvídalo',
    'cancela tudo',
    'esquece, por favor',
  ])('hears it in %p', (text) => expect(read(text, telecom, open)).toMatchObject({ abandons: true, values: {} }));

  it.each([
    'não esquece',
    'cancela o TIM Fashion',
    'pode cancelar o TIM Fashion',
    'esquece?',
    'ｅｓｑｕｅｃｅ',
    'para amanhã',
    'cancelar',
  ])('does not hear it in %p', (text) => {
    expect(read(text, telecom, open).abandons).toBe(false);
  });

  it('tries the bare "cancelar" as a value for free text, unless it only repeats what is being done', () => {
    const ticket = tool('open_ticket', 'a abertura do chamado', [parameter('reason', { label: 'o motivo' })]);
    expect(read('cancelar', telecom, pending(ticket, ['reason']))).toMatchObject({
      values: { reason: 'cancelar' },
      abandons: false,
    });
    expect(read('cancela', telecom, pending(ticket, ['reason']))).toMatchObject({ values: {}, abandons: true });
    expect(read('cancelar', telecom, open)).toMatchObject({ values: {}, abandons: false });
  });

  it('goes on when the same sentence gives the value', () => {
    expect(read('esquece, é o PED-1001', retail, pending(cancelOrder, ['order_id']))).toMatchObject({
      abandons: false,
      values: { order_id: 'PED-1001' },
    });
  });
});

describe('values for pending parameters', () => {
  it.each(['sim', 'não', 'não sei', 'oi', 'obrigado', 'bom dia', '👍', 'o serviço'])(
    'takes %p for no service',
    (text) => {
      expect(read(text, telecom, pending(cancelServices, ['subject'])).values).toEqual({});
    },
  );

  it('takes the service without what stands around it', () => {
    const valueOf = (text: string): unknown => read(text, telecom, pending(cancelServices, ['subject'])).values.subject;
    expect(
      ['TIM Fashion', 'é o TIM Fashion, por favor', 'pode cancelar o TIM Fashion', 'TIM Fashion.'].map(valueOf),
    ).toEqual(Array(4).fill('TIM Fashion'));
  });

  it('tells apart two values of one answer', () => {
    expect(read('TIM Fashion, R$ 71,99', telecom, pending(disputeCharge, ['subject', 'valor'])).values).toEqual({
      subject: 'TIM Fashion',
      valor: 71.99,
    });
  });

  it('says what is wrong with a value that breaks its declaration', () => {
    expect(read('meu pedido é PED-12', retail, pending(cancelOrder, ['order_id'])).invalid).toEqual({
      order_id: 'o número do pedido não está no formato esperado',
    });
    expect(read('R$ 0,00', telecom, pending(disputeCharge, ['valor'])).invalid).toEqual({
      valor: 'o valor mínimo é 0.01',
    });
    const plan = tool('plan', 'a troca de plano', [
      parameter('plano', { enum: ['básico', 'família'], label: 'o plano' }),
    ]);
    expect(read('o familia', telecom, pending(plan, ['plano'])).values).toEqual({ plano: 'família' });
    expect(read('o ouro', telecom, pending(plan, ['plano'])).invalid).toEqual({
      plano: 'as opções são: básico, família',
    });
  });

  it('chooses none of two different candidates, and the last one after a correction', () => {
    const open = pending(cancelOrder, ['order_id']);
    expect(read('PED-1001 ou PED-1002', retail, open).values).toEqual({});
    expect(read('PED-1001, ops, me enganei, PED-1002', retail, open).values).toEqual({ order_id: 'PED-1002' });
  });
});

describe('the conversation itself', () => {
  it('hears a wish to try again and to go on', () => {
    expect(read('tenta de novo os que falharam', telecom, nothingOpen).retriesFailed).toBe(true);
    expect(read('não tenta de novo', telecom, nothingOpen).retriesFailed).toBe(false);
    expect(read('retoma o cancelamento', telecom, nothingOpen).resumes).toBe(true);
    expect(read('continua', telecom, nothingOpen).resumes).toBe(true);
    expect(read('PED-1001', retail, nothingOpen).resumes).toBe(false);
  });

  it.each(['oi', 'obrigado', 'que calor hoje', 'kkkk', 'quero falar com um atendente'])(
    'makes nothing of %p',
    (text) => {
      expect(read(text, telecom, nothingOpen)).toMatchObject({
        confirmation: 'unclear',
        abandons: false,
        intent: null,
        values: {},
      });
    },
  );

  it('does not route for two intents that are equally likely', () => {
    const twins = agent({
      intents: [intent('a', null, { keywords: ['plano novo'] }), intent('b', null, { keywords: ['plano novo'] })],
    });
    expect(read('quero um plano novo', twins, nothingOpen).intent).toMatchObject({
      isClear: false,
      runnerUp: { intent: 'b' },
    });
  });

  it('tells the rule, the span and the text of each reading', () => {
    const { readings } = read('o pedido é o ped-1001, tá?', retail, pending(cancelOrder, ['order_id']));
    expect(readings).toContainEqual({ rule: 'extract.pattern', span: [13, 21], text: 'ped-1001', runnerUp: null });
  });

  it('does not read what no person writes', () => {
    expect(read('sim '.repeat(longestUtterance), retail, awaiting(cancelOrder, {}))).toMatchObject({
      confirmation: 'unclear',
      readings: [{ rule: 'text.too-long' }],
    });
  });

  it('does not meet the prototype of a word list', () => {
    for (const word of [
      'constructor',
      '__proto__',
      'toString',
      '3 constructor',
      'há constructor',
      'hasOwnProperty reais',
    ]) {
      expect(read(word, retail, pending(cancelOrder, ['order_id'])).values).toEqual({});
    }
  });
});
