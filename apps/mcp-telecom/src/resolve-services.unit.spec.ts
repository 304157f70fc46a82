import { describe, expect, it } from '@jest/globals';
import { processorMs } from '@latch/testing';
import { readCents, writeReais } from './money.ts';
import { resolveExpression, resolveName } from './resolve-services.ts';

function namesIn(expression: string): string[] {
  return resolveExpression(expression).map((entry) =>
    entry.kind === 'found' ? entry.service.name : `${entry.kind}: ${entry.said}`,
  );
}

describe('an expression with several services', () => {
  it.each([
    ['TIM Fashion', ['TIM Fashion Mensal']],
    ['tim fashion mensal e neymar', ['TIM Fashion Mensal', 'Neymar Jr']],
    ['o TIM Fashion, a Aya Audiobooks e o Neymar Jr', ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr']],
    ['Neymar Jr; Clube de Leitura', ['Neymar Jr', 'Clube de Leitura']],
    ['filmes e séries', ['TIM Filmes e Séries']],
    ['Neymar Jr e Filmes e Séries', ['Neymar Jr', 'TIM Filmes e Séries']],
    ['FILMES E SERIES e antivirus plus', ['TIM Filmes e Séries', 'Antivírus Plus']],
    ['Neymar Jr, neymar jr, 1003', ['Neymar Jr']],
    ['TIM Fashion, Clube do Vinho', ['TIM Fashion Mensal', 'unknown: Clube do Vinho']],
    ['tim', ['ambiguous: tim']],
    ['', []],
    [' , e ', []],
  ])('%p', (expression, names) => {
    expect(namesIn(expression)).toEqual(names);
  });

  it('takes linear time on a long one', () => {
    expect(processorMs(() => resolveExpression('x e '.repeat(500)))).toBeLessThan(500);
  });

  it('names the alternatives of an ambiguous name', () => {
    expect(resolveName('TIM')).toMatchObject({
      kind: 'ambiguous',
      alternatives: ['TIM Fashion Mensal', 'TIM CTRL Redes Sociais 8.0', 'TIM Filmes e Séries'],
    });
  });
});

describe('an amount', () => {
  it.each([
    [71.99, 7199],
    ['71,9', 7190],
    ['R$ 1.071,99', 107_199],
    ['1071.99', 107_199],
    ['setenta', null],
    ['', null],
    [Number.NaN, null],
  ])('%p is %p cents', (amount, cents) => {
    expect(readCents(amount)).toBe(cents);
  });

  it('is written as in Brazil', () => {
    expect([7199, 5, 123_456_789].map(writeReais)).toEqual(['R$ 71,99', 'R$ 0,05', 'R$ 1.234.567,89']);
  });
});
