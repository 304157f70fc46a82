import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findMoney } from './find-money.ts';
import { findNumbers, parseNumeral } from './find-numbers.ts';
import { foldText } from './fold-text.ts';
import { lexicons } from './lexicon.ts';
import { rows } from './sample-agents.features.ts';

type Expected = { readonly value: string; readonly iso: string | null };

function cases(
  file: string,
): readonly { text: string; locale: 'pt-BR' | 'en' | 'es'; expected: readonly Expected[] }[] {
  return rows(file, (row) => ({
    text: String(row.text),
    locale: row.language === 'es' || row.language === 'en' ? row.language : ('pt-BR' as const),
    expected: (Array.isArray(row.expected) ? row.expected : []).map((each: { value: unknown; iso?: unknown }) => ({
      value: Number(each.value).toPrecision(12),
      iso: typeof each.iso === 'string' ? each.iso : null,
    })),
  }));
}

describe('numbers in words and digits', () => {
  it.each(cases('numbers.jsonl'))('reads "$text" exactly', ({ text, locale, expected }) => {
    const found = findNumbers(foldText(text).tokens, lexicons[locale]);
    expect(found.map(({ value }) => value.toPrecision(12))).toEqual(expected.map(({ value }) => value));
  });

  it('reads a number between digits and words', () => {
    const valueOf = (text: string): number | undefined =>
      findNumbers(foldText(text).tokens, lexicons['pt-BR'])[0]?.value;
    expect([valueOf('2 mil e quinhentos'), valueOf('1,5 milhão'), valueOf('vinte e três')]).toEqual([
      2500, 1500000, 23,
    ]);
  });

  it.each([
    ['1.234,56', '.', 1234.56],
    ['1.234,56', ',', 1234.56],
    ['71.99', '.', 71.99],
    ['71,99', ',', 71.99],
    ['1.234', '.', 1234],
    ['1.234', ',', 1.234],
    ['12,345', ',', 12345],
    ['94.000', '.', 94000],
    ['12,34,567.89', ',', 1234567.89],
    ['0.123', '.', 0.123],
    ['1.23.4', '.', null],
    ['1,234.567,8', '.', null],
  ] as const)('parses %p with %p as the grouping character to %p', (text, grouping, value) =>
    expect(parseNumeral(text, grouping)).toBe(value),
  );

  it('gives back every amount that is written in the way of its language', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (cents) => {
        const amount = cents / 100;
        const grouped = amount.toLocaleString('en-US', { minimumFractionDigits: 2 });
        const swapped = grouped.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
        expect(parseNumeral(grouped, ',')).toBe(amount);
        expect(parseNumeral(swapped, '.')).toBe(amount);
      }),
    );
  });
});

describe('amounts of money', () => {
  it.each(cases('amounts.jsonl'))('reads "$text" exactly', ({ text, locale, expected }) => {
    const found = findMoney(foldText(text).tokens, lexicons[locale]);
    expect(found.map(({ value }) => value.toPrecision(12))).toEqual(expected.map(({ value }) => value));
    expected.forEach(({ iso }, index) => expect(iso === null || found[index]?.currency === iso).toBe(true));
  });

  it.each([
    ['R$ 71,99', 71.99, 'BRL'],
    ['r$71,99', 71.99, 'BRL'],
    ['R$ 1.234,56', 1234.56, 'BRL'],
    ['US$ 1,234.56', 1234.56, 'USD'],
    ['71 reais e 99 centavos', 71.99, 'BRL'],
    ['71 reais e 5 centavos', 71.05, 'BRL'],
    ['setenta e um reais', 71, 'BRL'],
    ['R$\u00a071,99', 71.99, 'BRL'],
  ] as const)('reads %p as %p %s', (text, value, currency) => {
    expect(findMoney(foldText(text).tokens, lexicons['pt-BR'])).toMatchObject([{ value, currency }]);
  });
});
