import { describe, expect, it } from '@jest/globals';
import { mayBegin, patternDemand } from './pattern-demand.ts';
import { compilePattern } from './parameter-shape.ts';

function compiled(pattern: string): RegExp {
  return compilePattern(pattern) ?? /(?!)/;
}

describe('what a pattern demands', () => {
  it.each([
    ['^PED-[0-9]{4,}$', { hasDigit: true, head: 'ped-' }],
    ['^ord_\\d+$', { hasDigit: true, head: 'ord_' }],
    ['^Nota$', { hasDigit: false, head: 'nota' }],
    ['^PED?-[0-9]+$', { hasDigit: true, head: '' }],
    ['^PED-*[0-9]+$', { hasDigit: true, head: '' }],
    ['^PED{2}[0-9]+$', { hasDigit: true, head: '' }],
    ['^PED-[0-9]+$|^none$', { hasDigit: false, head: '' }],
    ['PED-[0-9]+', { hasDigit: true, head: '' }],
    ['^[0-9]{5}-?[0-9]{3}$', { hasDigit: true, head: '' }],
    ['^[A-Z]{2}[0-9]?$', { hasDigit: false, head: '' }],
  ])('of %s is no more than is certain', (pattern, demand) => {
    expect(patternDemand(compiled(pattern))).toEqual(demand);
  });

  it.each([
    ['^PED-[0-9]{4,}$', ['PED-1001', 'ped-1001', 'Ped-1001', 'PED', 'p', '']],
    ['^ss-[0-9]+$', ['ß-1', 'SS-1', 's']],
    ['^file-[0-9]+$', ['ﬁle-1', 'FILE-1']],
  ])('never passes over a text that %s could accept in some case, nor the beginning of one', (pattern, texts) => {
    const demand = patternDemand(compiled(pattern));
    expect(texts.filter((text) => !mayBegin(text, demand))).toEqual([]);
  });

  it('passes over what begins with something else', () => {
    const demand = patternDemand(compiled('^PED-[0-9]{4,}$'));
    expect(['VIS-1001', 'pedido', '1001', '-'].filter((text) => mayBegin(text, demand))).toEqual([]);
  });
});
