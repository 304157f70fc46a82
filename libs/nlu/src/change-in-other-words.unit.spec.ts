import { describe, expect, it } from '@jest/globals';
import {
  agent,
  awaiting,
  cancelOrder,
  cancelProducts,
  cancelServices,
  disputeCharge,
  nothingOpen,
  parameter,
  pending,
  read,
  retail,
  telecom,
  tool,
} from './sample-agents.features.ts';

const items = [
  { id: '1001', label: 'TIM Fashion Mensal' },
  { id: '1002', label: 'Aya Audiobooks Premium' },
  { id: '1004', label: 'Neymar Jr' },
];
const shown = awaiting(cancelProducts, { items: ['1001', '1002', '1004'] }, items);

describe('the others', () => {
  it.each([
    'não cancela o Neymar Jr, só os outros',
    'o Neymar Jr não, só o resto',
    'não o Neymar Jr, apenas os demais',
  ])('are what is left when %p names the one that stays out', (text) => {
    expect(read(text, telecom, shown).change).toEqual({ kind: 'exclude', itemIds: ['1004'] });
  });
});

describe('one more at a confirmation', () => {
  const services = awaiting(cancelServices, { subject: 'TIM Fashion Mensal, Neymar Jr' }, items);

  it.each([
    'inclui também o Pacote Esportes',
    'sim, e inclui também o Pacote Esportes',
    'adiciona o Pacote Esportes, por favor',
    'acrescente também Pacote Esportes',
    'quero incluir o Pacote Esportes também',
    'quero cancelar Pacote Esportes também',
    'cancela também o Pacote Esportes',
  ])('is added to what is shown, and replaces nothing: %p', (text) => {
    const { confirmation, change, values, intent } = read(text, telecom, services);
    expect({ confirmation, change, values }).toEqual({
      confirmation: 'yes_with_change',
      change: { kind: 'include', labels: ['Pacote Esportes'] },
      values: {},
    });
    expect(intent?.values ?? {}).toEqual({});
  });

  it.each([
    ['en', 'add the Sports Pack too'],
    ['en', 'yes, and include also the Sports Pack please'],
    ['es', 'incluye también el Sports Pack'],
    ['es', 'sí, añade el Sports Pack'],
  ] as const)('is read in %s: %p', (locale, text) => {
    const change = { kind: 'include', labels: ['Sports Pack'] };
    expect(read(text, agent({ locale }), shown)).toMatchObject({ confirmation: 'yes_with_change', change });
  });

  it('may be several, where the value is a list; a text is left to the validator', () => {
    const text = 'inclui também o Pacote Esportes e o TIM Music';
    expect(read(text, telecom, shown).change).toEqual({ kind: 'include', labels: ['Pacote Esportes', 'TIM Music'] });
    expect(read(text, telecom, services).change).toEqual({
      kind: 'include',
      labels: ['Pacote Esportes e o TIM Music'],
    });
  });

  it.each(['inclui também', 'inclui mais um', 'não inclui o Pacote Esportes', 'também quero saber o preço'])(
    'is asked again over %p, which names nothing to add',
    (text) => {
      const { confirmation, change } = read(text, telecom, services);
      expect(change).toBeNull();
      expect(confirmation).not.toBe('yes');
    },
  );

  it('is nothing new where it is what is shown: a yes to that is a yes', () => {
    const add = tool('adicionar_pacote', 'a inclusão do pacote', [parameter('pacote', { label: 'o pacote' })]);
    const open = awaiting(add, { pacote: 'Pacote Esportes' });
    expect(read('sim, pode adicionar o Pacote Esportes', telecom, open)).toMatchObject({ change: null });
    expect(read('inclui também o Neymar', telecom, shown).change).toBeNull();
  });

  it('is not taken for the whole wish where another change is asked for as well', () => {
    const said = read('inclui o Pacote Esportes e tira o Neymar', telecom, shown);
    expect(said.change).toBeNull();
    expect(said.confirmation).not.toBe('yes');
  });

  it('leaves a replacement what it is', () => {
    expect(read('adiciona o 1003 em vez do 1002', telecom, shown).change).toMatchObject({
      kind: 'replace',
      by: '1003',
    });
  });
});

describe('places in the list, by number', () => {
  it.each([
    ['pt-BR', 'só o 1 e o 3'],
    ['pt-BR', 'sim, só o 1 e o 3'],
    ['pt-BR', 'quero só os números 1 e 3'],
    ['pt-BR', 'sim, os números 1 e 3'],
    ['pt-BR', 'o primeiro e o terceiro'],
    ['en', 'only 1 and 3'],
    ['en', 'just numbers 1 and 3 please'],
    ['en', 'only #1 and #3'],
    ['es', 'los números 1 y 3'],
    ['es', 'solo el 1 y el 3'],
  ] as const)('are what is meant in %s: %p', (locale, text) => {
    expect(read(text, agent({ locale }), shown)).toMatchObject({
      confirmation: 'yes_with_change',
      change: { kind: 'only', itemIds: ['1001', '1004'] },
    });
  });

  it.each([
    ['menos o 2', { kind: 'exclude', itemIds: ['1002'] }],
    ['tira o número 2', { kind: 'exclude', itemIds: ['1002'] }],
    ['só o 2', { kind: 'only', itemIds: ['1002'] }],
    ['só os 2 primeiros', { kind: 'only', itemIds: ['1001', '1002'] }],
  ])('are read in %p', (text, change) => {
    expect(read(text, telecom, shown).change).toEqual(change);
  });

  it.each([
    ...['só 2', 'só os 2', 'só o 1 e o 9', 'só o 0 e o 3', '2', 'sim, 2 vezes', 'não, o 1 e o 3'],
    ...['só 2 e 3 de dezembro', 'só 1 e 3 reais', 'só no dia 2 e 3', 'só 1 e 3 dias', 'só o 1 e o 1005'],
  ])('are not guessed from %p', (text) => {
    const { confirmation, change } = read(text, telecom, shown);
    expect(change).toBeNull();
    expect(confirmation).not.toBe('yes');
  });

  it('are no places where the items are called by numbers themselves', () => {
    const lines = ['Linha 3', 'Linha 1', 'Linha 7'].map((label, index) => ({ id: `n${index}`, label }));
    const open = awaiting(cancelProducts, { items: lines.map(({ label }) => label) }, lines);
    expect(read('só o 1 e o 3', telecom, open).change).toBeNull();
  });
});

describe('replacing by "em vez de"', () => {
  it.each([
    ['1003 em vez de 1002', '1002', '1003'],
    ['não, 1003 em vez do 1002', '1002', '1003'],
    ['quero o 1003 no lugar do 1002', '1002', '1003'],
    ['em vez do Neymar, o TIM Music', '1004', 'TIM Music'],
  ])('reads %p as %s becoming %s', (text, itemId, by) => {
    expect(read(text, telecom, shown)).toMatchObject({
      confirmation: 'no_with_change',
      change: { kind: 'replace', itemId, by },
    });
  });

  it.each([
    ['en', '1003 instead of 1002'],
    ['es', '1003 en vez de 1002'],
  ] as const)('reads it in %s', (locale, text) => {
    const change = { kind: 'replace', itemId: '1002', by: '1003' };
    expect(read(text, agent({ locale }), shown)).toMatchObject({ change });
  });

  it.each(['em vez de 1002', 'sim, em vez de', '1003 em vez de 9999'])('changes nothing over %p', (text) => {
    expect(read(text, telecom, shown)).toMatchObject({ confirmation: 'unclear', change: null });
  });

  it('replaces a single value, and a collected one while another is pending', () => {
    const order = awaiting(cancelOrder, { order_id: 'PED-1002' });
    expect(read('PED-1003 em vez de PED-1002', retail, order).change).toEqual({
      kind: 'values',
      values: { order_id: 'PED-1003' },
    });
    const cancel = tool('cancel_order', 'o cancelamento', [parameter('order_id'), parameter('reason')]);
    const open = pending(cancel, ['reason'], { order_id: '1002' });
    expect(read('1003 em vez de 1002', retail, open)).toMatchObject({ values: { order_id: '1003' }, corrects: true });
    expect(read('recebi o azul em vez do vermelho', retail, open)).toMatchObject({
      values: { reason: 'recebi o azul em vez do vermelho' },
      corrects: false,
    });
  });
});

describe('an item with one letter wrong', () => {
  it.each([
    ['sim, menos o Neimar', { kind: 'exclude', itemIds: ['1004'] }],
    ['só o Fasion', { kind: 'only', itemIds: ['1001'] }],
    ['tira o audiobokos', { kind: 'exclude', itemIds: ['1002'] }],
  ])('is found where %p asks for a change', (text, change) => {
    expect(read(text, telecom, shown).change).toEqual(change);
  });

  it('is never guessed from a number, a short word, or a plain yes', () => {
    const near = awaiting(cancelProducts, { items: ['A', 'B'] }, [
      { id: 'A', label: 'Canela' },
      { id: 'B', label: 'Vip 20015' },
    ]);
    expect(read('sim, cancela', telecom, near)).toMatchObject({ confirmation: 'yes', change: null });
    expect(read('menos o 20016', telecom, near).change).toBeNull();
    expect(read('menos o Vap', telecom, near).change).toBeNull();
  });
});

describe('the noun of a question before the value', () => {
  const subjectOf = (text: string): unknown => read(text, telecom, pending(cancelServices, ['subject'])).values.subject;

  it('is left out before a proper name, as nobody calls the service by it', () => {
    expect(['o serviço TIM Fashion', 'é o serviço TIM Fashion'].map(subjectOf)).toEqual(['TIM Fashion', 'TIM Fashion']);
  });

  it('stays where it may be part of the name', () => {
    expect(['Serviço Premium', 'serviço premium'].map(subjectOf)).toEqual(['Serviço Premium', 'serviço premium']);
  });
});

describe('an opening sentence with an amount and a text', () => {
  it.each([
    'quero contestar R$ 71,99 de TIM Fashion',
    'quero contestar 71,99 de TIM Fashion',
    'quero contestar 71,99 reais do TIM Fashion',
    'não reconheço a cobrança de TIM Fashion de R$ 71,99',
  ])('gives both in %p', (text) => {
    expect(read(text, telecom, nothingOpen).intent).toMatchObject({
      tool: 'contestar_cobranca',
      isClear: true,
      values: { subject: 'TIM Fashion', valor: 71.99 },
    });
  });
});

describe('a question made of words that any question has', () => {
  it.each(['qual o valor?', 'qual?', 'quanto é o valor?', 'quando?'])('never interrupts: %p', (text) => {
    const said = read(text, telecom, pending(disputeCharge, ['subject', 'valor']));
    expect(said.intent?.isClear ?? false).toBe(false);
  });
});
