import { describe, expect, it } from '@jest/globals';
import { alignAnswer } from './align-answer.ts';

const answer = (text: string): unknown => ({ event_id: 'e', payload: { text, locale: 'pt-BR' } });
const said = 'Status: ENTREGUE\nEndereço: rua: Azul; número: 7\n- Nota · valor: 3 · loja: Sul';
const inOtherOrder = '- Nota · loja: Sul · valor: 3\nEndereço: número: 7; rua: Azul\nStatus: ENTREGUE';

describe('an answer whose events tell all but an order', () => {
  it('is the expected one when it says the same in another order', () => {
    expect(alignAnswer(answer(inOtherOrder), answer(said), 'unordered')).toEqual(answer(said));
  });

  it.each([
    ['a word', said.replace('ENTREGUE', 'PENDENTE')],
    ['a line', said.replace('Status: ENTREGUE\n', '')],
    ['the words of a line that lists nothing', said.replace('Status: ENTREGUE', 'ENTREGUE Status:')],
    ['a number between two lines', said.replace('7', '3').replace('valor: 3', 'valor: 7')],
  ])('stays as it is stored when %s is another one', (_what, text) => {
    expect(alignAnswer(answer(text), answer(said), 'unordered')).toEqual(answer(text));
  });

  const amounts = 'Contas:\n  - Nota · valor: R$ 10,50 · multa: R$ 99,30';
  const confirmed = 'Confirma?\n- Pagamento: conta: Azul, 10; valor: R$ 10,50; multa: R$ 99,30\nResponda';
  const done = 'Feito: o pagamento (conta: Azul; valor: R$ 10,50, de: A; para: B).';
  const apart = 'Agora:\n  Valor: 10\n  Dia: 1\nDepois:\n  Valor: 20';

  it.each([
    ['fields of an entry', amounts, 'Contas:\n  - multa: R$ 99,30 · valor: R$ 10,50 · Nota'],
    [
      'members of one value',
      confirmed,
      confirmed.replace('conta: Azul, 10; valor: R$ 10,50', 'valor: R$ 10,50; conta: Azul, 10'),
    ],
    ['members of each of two values', done, 'Feito: o pagamento (valor: R$ 10,50; conta: Azul, para: B; de: A).'],
    ['lines with what is below them', apart, 'Depois:\n  Valor: 20\nAgora:\n  Dia: 1\n  Valor: 10'],
  ])('is the expected one when it has the %s in another order', (_what, expected, text) => {
    expect(alignAnswer(answer(text), answer(expected), 'unordered')).toEqual(answer(expected));
  });

  it.each([
    ['cents are in another amount', amounts, amounts.replace('10,50', '99,50').replace('99,30', '10,30')],
    ['an amount has its parts turned', amounts, amounts.replace('10,50', '50,10')],
    ['amounts are exchanged', amounts, amounts.replace('10,50', 'x').replace('99,30', '10,50').replace('x', '99,30')],
    [
      'amounts of one value are exchanged',
      confirmed,
      confirmed.replace('10,50', 'x').replace('99,30', '10,50').replace('x', '99,30'),
    ],
    ['words of a member are turned', confirmed, confirmed.replace('Azul, 10', '10, Azul')],
    ['members are in another value', done, 'Feito: o pagamento (conta: Azul; de: A, valor: R$ 10,50; para: B).'],
    ['lines are below another one', apart, apart.replace('10', 'x').replace('20', '10').replace('x', '20')],
    ['entries have another order', '- a\n- b', '- b\n- a'],
    ['entries have other fields', '- a · x: 1\n- b · x: 2', '- a · x: 2\n- b · x: 1'],
    ['a member of a list of entries is exchanged', 'X: a · x: 1; b · x: 2', 'X: a · x: 2; b · x: 1'],
    ['blocks have another order', 'a\n\nb', 'b\n\na'],
  ])('stays as it is stored when %s', (_what, expected, text) => {
    expect(alignAnswer(answer(text), answer(expected), 'unordered')).toEqual(answer(text));
  });

  it('stays as it is stored, in whatever order, when its events tell the order', () => {
    expect(alignAnswer(answer(inOtherOrder), answer(said), undefined)).toEqual(answer(inOtherOrder));
  });

  it('has a text that nobody can compare when members were cut off, and nothing else', () => {
    const stored = { event_id: 'other', payload: { text: 'x', locale: 'en' } };
    const aligned = { event_id: 'other', payload: { text: said, locale: 'en' } };
    expect(alignAnswer(stored, answer(said), 'cut')).toEqual(aligned);
  });

  it.each([null, 'text', 7, { payload: 'x' }, { unreadable: 'altered' }])(
    'stays %j where it is no answer',
    (stored) => {
      expect(alignAnswer(stored, answer(said), 'unordered')).toEqual(stored);
    },
  );
});
