import { describe, expect, it } from '@jest/globals';
import { type ExtractRule, type ExtractStrategy } from '@latch/contracts';
import fc from 'fast-check';
import { processorMs } from '@latch/testing';
import { extractValue } from './extract-value.ts';

function read(value: unknown, ...strategies: readonly ExtractStrategy[]): unknown {
  const result = extractValue({ from: null, strategies }, value);
  return result.ok ? result.value : `! ${result.error}`;
}

const month = (language: 'pt' | 'en' | 'es', output: 'number' | 'year_month' = 'number'): ExtractStrategy => ({
  strategy: 'month_name',
  language,
  output,
});

describe('a month name', () => {
  it.each([
    ['pt', 'março', 3],
    ['pt', 'a fatura de Março', 3],
    ['pt', 'MARCO', 3],
    ['pt', 'dezembro de 2026', 12],
    ['pt', 'dez', 12],
    ['pt', 'fev/26', 2],
    ['pt', '3', 3],
    ['pt', 3, 3],
    ['pt', '03/2026', 3],
    ['pt', '2026-03', 3],
    ['en', 'March', 3],
    ['en', 'Sept 2026', 9],
    ['en', 'the month of may', 5],
    ['es', 'septiembre', 9],
    ['es', 'setiembre de 2026', 9],
    ['es', 'ene', 1],
  ] as const)('in %s is read: %s', (language, text, expected) => {
    expect(read(text, month(language))).toBe(expected);
  });

  it.each([
    ['pt', 'março ou abril'],
    ['pt', 'mês passado'],
    ['pt', 'tem dez faturas'],
    ['pt', 'quero dar um set de presente'],
    ['pt', '13'],
    ['pt', '0'],
    ['pt', ''],
    ['pt', 'march'],
    ['en', 'março'],
  ] as const)('in %s is not guessed: %s', (language, text) => {
    expect(read(text, month(language))).toBe('! must name one month');
  });

  it('gives year and month only where the text says the year', () => {
    expect(read('março de 2026', month('pt', 'year_month'))).toBe('2026-03');
    expect(read('out/26', month('pt', 'year_month'))).toBe('2026-10');
    expect(read('2026-10', month('pt', 'year_month'))).toBe('2026-10');
    expect(read('march 2026', month('en', 'year_month'))).toBe('2026-03');
    expect(read('marzo del 26', month('es', 'year_month'))).toBe('2026-03');
    expect(read('março', month('pt', 'year_month'))).toBe('! must name a month and its year');
  });
});

describe('digits, a date, money', () => {
  it.each([
    ['(11) 99999-9999', '11999999999'],
    ['PED-1001', '1001'],
    [1001, '1001'],
    ['nenhum', '! must contain digits'],
    [null, '! must be text'],
    [['1'], '! must be text'],
  ])('digits of %j', (text, expected) => {
    expect(read(text, { strategy: 'digits' })).toBe(expected);
  });

  it.each([
    ['2026-03-05', '2026-03-05'],
    ['2026-03-05T10:00:00Z', '2026-03-05'],
    ['05/03/2026', '2026-03-05'],
    ['5.3.2026', '2026-03-05'],
    ['5 de março de 2026', '2026-03-05'],
    ['1º de maio de 2026', '2026-05-01'],
    ['5 de marzo del 2026', '2026-03-05'],
    ['March 5, 2026', '2026-03-05'],
    ['5th of March 2026', '2026-03-05'],
    ['29/02/2024', '2024-02-29'],
    ['29/02/2026', '! must be a date with its year'],
    ['31/04/2026', '! must be a date with its year'],
    ['5 de março', '! must be a date with its year'],
    ['amanhã', '! must be a date with its year'],
  ])('the date %s', (text, expected) => {
    expect(read(text, { strategy: 'date', order: 'day_first' })).toBe(expected);
  });

  it('has the month first only where the file says so', () => {
    expect(read('03/05/2026', { strategy: 'date', order: 'month_first' })).toBe('2026-03-05');
    expect(read('13/05/2026', { strategy: 'date', order: 'month_first' })).toBe('! must be a date with its year');
  });

  it.each([
    ['R$ 71,99', 71.99],
    ['R$ 1.234,56', 1234.56],
    ['1,234.56 USD', 1234.56],
    ['$1,234', 1234],
    ['1.234', 1234],
    ['71.99', 71.99],
    [71.99, 71.99],
    ['71 reais', 71],
    ['-5,00', -5],
    ['R$ 71,99 ou R$ 72,99', '! must be one amount of money'],
    ['1,23,45', '! must be one amount of money'],
    ['muito', '! must be one amount of money'],
    ['99999999999999999999', '! must be one amount of money'],
  ])('the amount %j', (text, expected) => {
    expect(read(text, { strategy: 'money', output: 'number' })).toBe(expected);
  });

  it('in minor units is exact', () => {
    expect(read('R$ 1.234,56', { strategy: 'money', output: 'cents' })).toBe(123_456);
    expect(read('0,29', { strategy: 'money', output: 'cents' })).toBe(29);
  });
});

describe('a regular expression, entries, and letters', () => {
  it('takes a group by number or by name, and the whole match as group 0', () => {
    const pattern = String.raw`PED-(?<number>\d{4,})`;
    expect(read('o pedido PED-1001', { strategy: 'regex', pattern, group: 1 })).toBe('1001');
    expect(read('o pedido PED-1001', { strategy: 'regex', pattern, group: 'number' })).toBe('1001');
    expect(read('o pedido PED-1001', { strategy: 'regex', pattern, group: 0 })).toBe('PED-1001');
    expect(read('o pedido 1001', { strategy: 'regex', pattern, group: 1 })).toBe(`! must match ${pattern}`);
    expect(read('PED-1001', { strategy: 'regex', pattern, group: 7 })).toBe(`! must match ${pattern}`);
    expect(read('x'.repeat(2_001), { strategy: 'regex', pattern, group: 1 })).toBe(
      '! must be at most 2000 characters long',
    );
  });

  it('takes the first or last entry of a list or of a text', () => {
    expect(read(['A', 'B'], { strategy: 'first', separator: ',' })).toBe('A');
    expect(read(['A', 'B'], { strategy: 'last', separator: ',' })).toBe('B');
    expect(read('A, B ,', { strategy: 'last', separator: ',' })).toBe('B');
    expect(read('A B', { strategy: 'first', separator: ' ' })).toBe('A');
    expect(read([], { strategy: 'first', separator: ',' })).toBe('! must not be empty');
    expect(read(' , ', { strategy: 'first', separator: ',' })).toBe('! must not be empty');
  });

  it('changes letters, and applies strategies one after the other', () => {
    expect(read(' ped-1 ', { strategy: 'trim' }, { strategy: 'upper' })).toBe('PED-1');
    expect(read('SIM', { strategy: 'lower' })).toBe('sim');
    expect(read('a/b/PED-9', { strategy: 'last', separator: '/' }, { strategy: 'digits' })).toBe('9');
  });

  it('gives a constant whatever is said', () => {
    expect(read('anything', { strategy: 'constant', value: { channel: 'chat' } })).toEqual({ channel: 'chat' });
    expect(read(null, { strategy: 'constant', value: 0 })).toBe(0);
  });
});

const anyStrategy: fc.Arbitrary<ExtractStrategy> = fc.oneof(
  fc.constantFrom<ExtractStrategy>(
    { strategy: 'digits' },
    { strategy: 'trim' },
    { strategy: 'lower' },
    { strategy: 'upper' },
    { strategy: 'date', order: 'day_first' },
    { strategy: 'date', order: 'month_first' },
    { strategy: 'money', output: 'number' },
    { strategy: 'money', output: 'cents' },
    { strategy: 'first', separator: ',' },
    { strategy: 'last', separator: ' ' },
    { strategy: 'regex', pattern: '(a+)(b?)', group: 2 },
    { strategy: 'constant', value: 1 },
  ),
  fc.record({
    strategy: fc.constant('month_name' as const),
    language: fc.constantFrom('pt' as const, 'en' as const, 'es' as const),
    output: fc.constantFrom('number' as const, 'year_month' as const),
  }),
);
const anyRule: fc.Arbitrary<ExtractRule> = fc.record({
  from: fc.constant(null),
  strategies: fc.array(anyStrategy, { minLength: 1, maxLength: 4 }),
});
const words = fc.array(
  fc.constantFrom('março', 'may', 'R$', '71,99', '1.234', 'de', '2026', '05/03', '/26', '-', 'ç', '١٢', '\u0000', ' '),
  { maxLength: 8 },
);

describe('any rule over any value', () => {
  it('never throws, gives the same twice, and never gives nothing', () => {
    fc.assert(
      fc.property(
        anyRule,
        fc.oneof(
          fc.jsonValue(),
          words.map((parts) => parts.join(' ')),
        ),
        (rule, value) => {
          const first = extractValue(rule, value);
          expect(extractValue(rule, value)).toEqual(first);
          if (first.ok) expect([undefined, null, '']).not.toContain(first.value);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('reads what it wrote to the same: months, dates, amounts and digits are settled after one reading', () => {
    fc.assert(
      fc.property(anyStrategy, words, (strategy, parts) => {
        if (['first', 'last', 'regex'].includes(strategy.strategy)) return;
        if (strategy.strategy === 'money' && strategy.output === 'cents') return;
        const rule = { from: null, strategies: [strategy] };
        const once = extractValue(rule, parts.join(' '));
        if (once.ok) expect(extractValue(rule, once.value)).toEqual(once);
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes time linear in a long text', () => {
    const texts = [
      '1'.repeat(100_000),
      '1.'.repeat(900),
      'março '.repeat(300),
      ' '.repeat(1_999),
      `${'1 '.repeat(999)}x`,
    ];
    const rules = (['digits', 'money', 'date', 'month_name'] as const).map((name) => ({
      from: null,
      strategies: [strategyOf(name)],
    }));
    expect(processorMs(() => rules.map((rule) => texts.map((text) => extractValue(rule, text))))).toBeLessThan(500);
  });
});

function strategyOf(name: 'digits' | 'money' | 'date' | 'month_name'): ExtractStrategy {
  if (name === 'digits') return { strategy: 'digits' };
  if (name === 'money') return { strategy: 'money', output: 'number' };
  return name === 'date' ? { strategy: 'date', order: 'day_first' } : month('pt');
}
