import { describe, expect, it } from '@jest/globals';
import { sideBySide, wrap } from './side-by-side.ts';

describe('two columns of text', () => {
  it('stand beside each other, the left one wrapped, the right one cut where the line is full', () => {
    const left = ['user>  quero cancelar pedido'];
    expect(sideBySide(left, ['1  A', '2  B', '3  far too long'], { left: 20, total: 31 })).toEqual([
      'user>  quero          │ 1  A',
      '       cancelar       │ 2  B',
      '       pedido         │ 3  far…',
    ]);
  });

  it('keep the indent of a line and of a list, and a word that is longer than the column', () => {
    expect(wrap('       aaa bbb', 10)).toEqual(['       aaa', '       bbb']);
    expect(wrap('  - aaa bbb', 8)).toEqual(['  - aaa', '    bbb']);
    expect(wrap('bbbbbbbbbb c', 5)).toEqual(['bbbbbbbbbb', 'c']);
  });
});
