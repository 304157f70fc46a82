import { describe, expect, it } from '@jest/globals';
import { sideBySide, wrap } from './side-by-side.ts';

describe('two columns of text', () => {
  it('stand beside each other, the left one wrapped at blanks', () => {
    expect(sideBySide(['user>  quero cancelar pedido'], ['1  A', '2  B', '3  C'], 20)).toEqual([
      'user>  quero          │ 1  A',
      '       cancelar       │ 2  B',
      '       pedido         │ 3  C',
    ]);
  });

  it('keep a word that is longer than the column, and the line breaks of the text', () => {
    expect(wrap('a\nbbbbbbbbbb c', 5)).toEqual(['a', 'bbbbbbbbbb', 'c']);
  });
});
