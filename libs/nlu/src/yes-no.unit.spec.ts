import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  agent,
  awaiting,
  cancelOrder,
  disputeCharge,
  nothingOpen,
  pending,
  read,
  retail,
  telecom,
} from './sample-agents.features.ts';
import { lexicons } from './lexicon.ts';

const open = awaiting(cancelOrder, { order_id: 'PED-1001' });
const answer = (text: string): string => read(text, retail, open).confirmation;

describe('awaiting the confirmation of a cancellation, in pt-BR', () => {
  it.each([
    'sim',
    'Sim!',
    'SIM',
    's',
    'siiim',
    'claro',
    'claro que sim',
    'com certeza',
    'isso mesmo',
    'ok',
    'tá bom',
    'pode',
    'pode cancelar',
    'sim, cancela',
    'sim, pode cancelar o pedido',
    'confirmo',
    'confirmo o cancelamento do pedido PED-1001',
    'sim, por favor',
    'oi, sim',
    'não tem problema, pode seguir',
    'sim, só isso',
    'positivo',
    'uhum',
  ])('reads %p as a yes', (text) => expect(answer(text)).toBe('yes'));

  it.each([
    'não',
    'NÃO',
    'Não.',
    'n',
    'nao',
    'nããão',
    'não, obrigado',
    'claro que não',
    'isso não',
    'não confirmo',
    'não quero',
    'de jeito nenhum',
    'não está certo',
    'negativo',
    'melhor não',
    'não cancela',
  ])('reads %p as a no', (text) => expect(answer(text)).toBe('no'));

  it.each([
    '',
    ' ',
    'xyz',
    'talvez',
    'não tenho certeza',
    'não sei',
    'por que não',
    'sim não',
    'sim e não',
    'sim?',
    'ok?',
    'certo?',
    'pode ser amanhã?',
    'sim, mas depois',
    'sim, se for grátis',
    'sim, quando eu pagar',
    'sim. Quanto custa a multa?',
    'bom dia',
    'obrigado',
    'valeu',
    'oi',
    'cancela',
    'cancelar',
    'quero cancelar',
    'acho que sim',
    'depende',
    'quero ver a fatura',
    'eu disse outra coisa',
    'sim, menos o XYZ',
    'ele disse sim',
    'tudo bem?',
    'e se eu disser sim',
    '1',
    '?',
    '...',
    'sim 🤔',
  ])('reads %p as unclear, which executes nothing', (text) => expect(answer(text)).toBe('unclear'));

  it('takes the short answers of the neighbouring languages', () => {
    expect(['yes please', 'sí', 'yes', 'no, thanks', 'no'].map(answer)).toEqual(['yes', 'yes', 'yes', 'no', 'no']);
  });

  it('reads one gesture alike under each of its code points', () => {
    expect(['👍', '👍🏽', '✅ pode', '👌', '✔️'].map(answer)).toEqual(Array(5).fill('yes'));
    expect(['👎', '❌', '🚫'].map(answer)).toEqual(['no', 'no', 'no']);
    expect(answer('👍👎')).toBe('unclear');
  });

  it.each([
    'ｓｉｍ',
    's\u200bim',
    'sіm',
    '\u202esim',
    'ѕim',
    'sim\u2060',
    '𝐬𝐢𝐦',
    'ⓢⓘⓜ',
    'ｙｅｓ',
    'ok\u200d',
    'šim',
    'sı́m',
  ])('never reads the look-alike %p as a yes', (text) => expect(answer(text)).toBe('unclear'));

  it('accepts letters whose accents come as separate characters, as macOS sends them', () => {
    expect(answer('não'.normalize('NFD'))).toBe('no');
    expect(answer('sí'.normalize('NFD'))).toBe('yes');
  });

  it('takes a complete yes with a question for information, and none with a condition', () => {
    expect(answer('Sim, pode. Qual é o protocolo?')).toBe('yes');
    expect(answer('Sim. Quanto é a taxa?')).toBe('unclear');
  });

  it('keeps a refusal with more to it apart from a plain no', () =>
    expect(answer('não, quero outra coisa')).toBe('no_with_change'));
});

describe('awaiting the confirmation of something that is no cancellation', () => {
  const dispute = awaiting(disputeCharge, { subject: 'TIM Fashion', valor: 71.99 });

  it('takes "cancela" as a refusal and never as an agreement', () => {
    expect(read('cancela', telecom, dispute)).toMatchObject({ confirmation: 'no', abandons: true });
    expect(read('sim, cancela', telecom, dispute).confirmation).toBe('unclear');
    expect(read('pode cancelar', telecom, dispute).confirmation).not.toBe('yes');
  });
});

describe('in English and Spanish', () => {
  it.each([
    ['en', 'yes'],
    ['en', 'Yes, that is correct.'],
    ['en', "that's right"],
    ['en', 'go ahead'],
    ['en', 'sounds good, thanks'],
    ['es', 'sí'],
    ['es', 'claro que sí'],
    ['es', 'de acuerdo'],
    ['es', 'adelante'],
    ['es', 'está bien'],
  ] as const)('%s: %p is a yes', (locale, text) =>
    expect(read(text, agent({ locale }), awaiting(cancelOrder, {})).confirmation).toBe('yes'),
  );

  it.each([
    ['en', 'no'],
    ['en', "that's not right"],
    ['en', "don't"],
    ['en', 'absolutely not'],
    ['en', 'no, thanks'],
    ['es', 'no'],
    ['es', 'no, gracias'],
    ['es', 'no estoy de acuerdo'],
    ['es', 'claro que no'],
    ['es', 'para nada'],
  ] as const)('%s: %p is a no', (locale, text) =>
    expect(read(text, agent({ locale }), awaiting(cancelOrder, {})).confirmation).toBe('no'),
  );

  it.each([
    ['en', 'not sure'],
    ['en', "I don't know"],
    ['en', 'yes but not now'],
    ['en', 'I think so'],
    ['en', 'yes if it is free'],
    ['en', 'why not'],
    ['en', 'good morning'],
    ['en', 'yes, what about tomorrow?'],
    ['es', 'no sé'],
    ['es', 'sí, pero mañana'],
    ['es', 'quizás'],
    ['es', 'creo que sí'],
    ['es', 'por qué no'],
    ['es', '¿sí?'],
    ['es', 'sí, si es gratis'],
  ] as const)('%s: %p is unclear', (locale, text) =>
    expect(read(text, agent({ locale }), awaiting(cancelOrder, {})).confirmation).toBe('unclear'),
  );
});

describe('whatever is typed', () => {
  const situations = [nothingOpen, open, pending(cancelOrder, ['order_id'])];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom('sim', 'não', 'ok', ',', '?', 'menos', 'cancela', 'PED-1001', '🙂', 'R$ 1,00', 'e', '\u200b'),
      )
      .map((words) => words.join(' ')),
  );

  it('never throws, and reads the same text the same way', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...situations),
        fc.constantFrom('pt-BR', 'en', 'es'),
        (said, expectation, locale) => {
          const by = agent({ locale });
          expect(read(said, by, expectation)).toEqual(read(said, by, expectation));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is a yes only where a phrase of the closed grammar stands in it', () => {
    const yesWords = new Set(
      Object.values(lexicons).flatMap((lexicon) =>
        lexicon.yes.flatMap((phrase) =>
          phrase
            .normalize('NFD')
            .replace(/[\u0300-\u036f]/g, '')
            .split(' '),
        ),
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (said) => {
        if (read(said, retail, open).confirmation !== 'yes') return;
        const words =
          said
            .normalize('NFD')
            .replace(/[\u0300-\u036f]/g, '')
            .toLowerCase()
            .match(/[a-z]+|\p{Extended_Pictographic}/gu) ?? [];
        expect(words.some((word) => yesWords.has(word))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
