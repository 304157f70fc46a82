import { describe, expect, it } from '@jest/globals';
import { parameter, pending, read, retail, tool } from './sample-agents.features.ts';

const transfer = tool('transfer', 'a transferência', [
  parameter('origin_number', { label: 'o número de origem' }),
  parameter('target_number', { label: 'o número de destino' }),
]);
const stay = tool('reserve', 'a reserva', [
  parameter('check_in_date', { label: 'a entrada', format: 'date' }),
  parameter('check_out_date', { label: 'a saída', format: 'date' }),
]);
const both = pending(transfer, ['origin_number', 'target_number']);
const dates = pending(stay, ['check_in_date', 'check_out_date']);

describe('two pending parameters that take the same values', () => {
  it.each([
    ['origem 1234, destino 4567', { origin_number: '1234', target_number: '4567' }],
    ['destino 4567 e origem 1234', { origin_number: '1234', target_number: '4567' }],
    ['1234 é a origem e 4567 o destino', { origin_number: '1234', target_number: '4567' }],
    ['o destino é 4567', { target_number: '4567' }],
    ['1234 e 4567', { origin_number: '1234', target_number: '4567' }],
    ['1234', { origin_number: '1234' }],
    ['1234 ou 4567', {}],
    ['1234, 4567, 8901', {}],
  ])('reads %p as %j', (text, values) => {
    expect(read(text, retail, both).values).toEqual(values);
  });

  it.each([
    ['de 10/12/2026 a 15/12/2026', { check_in_date: '2026-12-10', check_out_date: '2026-12-15' }],
    ['a saída é dia 15/12/2026', { check_out_date: '2026-12-15' }],
  ])('reads %p as %j', (text, values) => {
    expect(read(text, retail, dates).values).toEqual(values);
  });

  it('says for which other parameter the same words would have done', () => {
    const [reading] = read('1234', retail, both).readings.filter(({ rule }) => rule === 'extract.code');
    expect(reading).toMatchObject({ text: '1234', runnerUp: 'target_number' });
  });
});
