import { describe, expect, it } from '@jest/globals';
import {
  agent,
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

const transfer = tool('transfer', 'a transferência', [
  parameter('origin_number', { label: 'o número de origem' }),
  parameter('target_number', { label: 'o número de destino' }),
]);
const stay = tool('reserve', 'a reserva', [
  parameter('check_in_date', { label: 'a entrada', format: 'date' }),
  parameter('check_out_date', { label: 'a saída', format: 'date' }),
]);
const both = pending(transfer, ['origin_number', 'target_number']);
const dates = pending(stay, ['check_in_date', 'check_out_date']);

describe('two pending parameters that take the same values', () => {
  it.each([
    ['origem 1234, destino 4567', { origin_number: '1234', target_number: '4567' }],
    ['destino 4567 e origem 1234', { origin_number: '1234', target_number: '4567' }],
    ['1234 é a origem e 4567 o destino', { origin_number: '1234', target_number: '4567' }],
    ['o destino é 4567', { target_number: '4567' }],
    ['1234 e 4567', { origin_number: '1234', target_number: '4567' }],
    ['1234', { origin_number: '1234' }],
    ['1234 ou 4567', {}],
    ['1234, 4567, 8901', {}],
  ])('reads %p as %j', (text, values) => {
    expect(read(text, retail, both).values).toEqual(values);
  });

  it.each([
    ['de 10/12/2026 a 15/12/2026', { check_in_date: '2026-12-10', check_out_date: '2026-12-15' }],
    ['a saída é dia 15/12/2026', { check_out_date: '2026-12-15' }],
  ])('reads %p as %j', (text, values) => {
    expect(read(text, retail, dates).values).toEqual(values);
  });

  it('says for which other parameter the same words would have done', () => {
    const [reading] = read('1234', retail, both).readings.filter(({ rule }) => rule === 'extract.code');
    expect(reading).toMatchObject({ text: '1234', runnerUp: 'target_number' });
  });
});

const refund = tool('refund', 'o reembolso', [
  parameter('order_id', { label: 'o pedido' }),
  parameter('amount', { type: 'number', format: 'money', label: 'o valor' }),
  parameter('quantity', { type: 'integer', label: 'a quantidade' }),
]);

describe('a number when several parameters could take it', () => {
  it.each([
    [['order_id', 'amount'], '1001', { order_id: '1001' }],
    [['order_id', 'amount'], 'é um pedido 1001', { order_id: '1001' }],
    [['order_id', 'quantity'], '1001', { order_id: '1001' }],
    [['quantity', 'amount'], '2', { quantity: 2 }],
    [['amount', 'order_id'], '50', { amount: 50 }],
    [['order_id', 'amount'], 'valor 50', { amount: 50 }],
    [['order_id', 'amount'], '1001, R$ 50', { order_id: '1001', amount: 50 }],
    [['order_id', 'amount'], 'é o pedido 1001 de 50 reais', { order_id: '1001', amount: 50 }],
    [['order_id', 'amount'], '1001 e 50', {}],
    [['amount'], 'quero um reembolso', {}],
    [['amount'], 'um', { amount: 1 }],
    [['quantity'], 'só um', { quantity: 1 }],
    [['quantity'], 'uma unidade', { quantity: 1 }],
  ] as const)('asked for %j, reads %p as %j', (missing, text, values) => {
    expect(read(text, retail, pending(refund, missing)).values).toEqual(values);
  });

  it('takes the article of an opening sentence for no amount', () => {
    const shop = agent({
      tools: { refund },
      intents: [intent('refund', 'refund', { examples: ['quero um reembolso'] })],
    });
    expect(read('quero um reembolso', shop, nothingOpen).intent).toMatchObject({ tool: 'refund', values: {} });
    expect(read('quero um reembolso de 50 reais', shop, nothingOpen).intent?.values).toEqual({ amount: 50 });
  });

  it('leaves a number that belongs to a name where it is', () => {
    const open = pending(disputeCharge, ['subject', 'valor']);
    expect(read('TIM CTRL Redes Sociais 8.0', telecom, open).values).toEqual({ subject: 'TIM CTRL Redes Sociais 8.0' });
    expect(read('TIM CTRL Redes Sociais 8.0, R$ 71,99', telecom, open).values).toEqual({
      subject: 'TIM CTRL Redes Sociais 8.0',
      valor: 71.99,
    });
    expect(read('TIM Fashion, 71,99', telecom, open).values).toEqual({ subject: 'TIM Fashion', valor: 71.99 });
  });
});
