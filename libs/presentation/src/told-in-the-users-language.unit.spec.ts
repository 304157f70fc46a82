import { describe, expect, it } from '@jest/globals';
import { defaultMessages, errorCatalogue, type Locale, type ResultItem, type StructuredError } from '@latch/contracts';
import { type ReplySlot } from '@latch/transaction';
import { composeReply } from './compose-reply.ts';
import { texts } from './texts.ts';

type Outcome = Extract<ReplySlot, { kind: 'outcome' }>;

const locales = ['pt-BR', 'en', 'es'] as const;
const say = (slot: ReplySlot, locale: Locale = 'pt-BR'): string => composeReply({ slots: [slot] }, locale);

function outcome(of: Partial<Outcome>): Outcome {
  return {
    kind: 'outcome',
    toolLabel: 'a consulta da fatura',
    outcome: 'FAILED',
    isReadOnly: true,
    isBeingChecked: true,
    canRetry: false,
    values: [],
    items: [],
    data: null,
    isEmpty: false,
    note: null,
    error: null,
    secondaryError: null,
    ...of,
  };
}

const error = (of: Partial<StructuredError>): StructuredError => ({
  errorCategory: 'business',
  isRetryable: false,
  message: 'x',
  ...of,
});

const failed = (id: string, reason: string): ResultItem => ({ id, label: id, outcome: 'failed', reason });

describe('what Latch wrote for the caller of the tool', () => {
  it('as a note is left out; the own note of the tool is told, once', () => {
    const nothing = outcome({ outcome: 'SUCCESS', isEmpty: true, note: 'consultar_fatura executed, count 0' });
    expect(say(nothing)).toBe('A consulta foi feita e não encontrou nada.');
    const note = 'Não há fatura em aberto.';
    expect(say({ ...nothing, note, data: { results: [], note } })).toContain(note);
    const found = outcome({ outcome: 'SUCCESS', note, data: { valor: 10, note } });
    expect(say(found)).toBe(`Valor: R$ 10,00\n${note}`);
  });

  const codes = Object.keys(errorCatalogue).filter((code) => code.startsWith('tool.') && code !== 'tool.error');

  it.each(locales)('has a text for each code in %s', (locale) => {
    expect(Object.keys(texts[locale].byCode).sort()).toEqual(codes.sort());
  });

  it.each(codes.filter((code) => code !== 'tool.unclassified'))('under %s is told by its code, anywhere', (code) => {
    const message = 'The wire said so.';
    const told = error({ code, message });
    const slots = [
      outcome({ error: told }),
      outcome({ error: told, items: [failed('a', message)] }),
      outcome({ outcome: 'SUCCESS', secondaryError: told }),
      { kind: 'validation_failed', toolLabel: 'x', error: told } as const,
    ];
    for (const slot of slots) {
      expect(say(slot)).not.toContain('wire');
      expect(say(slot)).toContain(texts['pt-BR'].byCode[code]);
    }
  });

  it.each(Object.values(defaultMessages))('as "%s" is told in the words of the user', (message) => {
    const text = say(outcome({ error: error({ code: 'tool.unclassified', message }) }));
    expect(text).toContain('Motivo: o sistema não disse por quê');
    expect(text).not.toContain(message);
  });

  it('is no reason to keep from the user what the tool said', () => {
    const said = error({ code: 'tool.unclassified', message: 'A fatura já foi paga.' });
    expect(say(outcome({ error: said }))).toContain('Motivo: A fatura já foi paga');
  });
});

describe('a reason', () => {
  it('made of several codes is told code by code, unknown ones as words', () => {
    const text = say(
      outcome({ error: error({ code: 'tool.error', message: 'already_cancelled; Not_Found; NAO_PERMITIDO_JA' }) }),
    );
    expect(text).toContain('Motivo: já estava cancelado; não encontrado; não permitido já');
  });

  it('that stands beside every item is not told again', () => {
    const items = [failed('a', 'already_cancelled'), failed('b', 'not_found')];
    const of = { items, error: error({ code: 'tool.error', message: 'already_cancelled; not_found' }) };
    expect(say(outcome(of)).split('\n').slice(1)).toEqual([
      '- a: não concluído (já estava cancelado)',
      '- b: não concluído (não encontrado)',
    ]);
    expect(say(outcome({ ...of, error: error({ message: 'locked' }) }))).toContain('Motivo: está bloqueado');
  });

  it('has one full stop at most', () => {
    expect(say(outcome({ items: [failed('a', 'Já foi pago.')] }))).toContain('(Já foi pago)');
    const parameter = { name: 'p', label: 'o pedido', userPrompt: 'Qual?' };
    const ask = {
      kind: 'ask_parameter',
      toolLabel: 'x',
      parameter,
      why: 'invalid',
      detail: 'formato errado.',
    } as const;
    expect(say(ask)).toBe('Formato errado. Qual?');
  });
});

describe('a field', () => {
  it.each([
    ['previsao_entrega', 'Previsão de entrega'],
    ['previsaoEntrega', 'Previsão de entrega'],
    ['último_evento', 'Último evento'],
    ['preco', 'Preço'],
    ['codigo_da_operacao', 'Código da operação'],
    ['trackingCode', 'Código de rastreio'],
  ])('%s is called "%s"', (key, label) => {
    expect(say(outcome({ outcome: 'SUCCESS', data: { [key]: 'x' } }))).toBe(`${label}: x`);
  });
});
