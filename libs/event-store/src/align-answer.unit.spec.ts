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
