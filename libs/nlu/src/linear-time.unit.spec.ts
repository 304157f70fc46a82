import { describe, expect, it } from '@jest/globals';
import { processorMs } from '@latch/testing';
import { awaiting, cancelOrder, disputeCharge, nothingOpen, pending, read, retail } from './sample-agents.features.ts';
import { longestUtterance } from './understand.ts';

const items = Array.from({ length: 50 }, (_, at) => ({ id: `i-${at}`, label: `Serviço número ${at}` }));
const situations = [
  nothingOpen,
  pending(cancelOrder, ['order_id']),
  pending(disputeCharge, ['subject', 'valor']),
  awaiting(cancelOrder, { order_id: 'PED-1001' }, items),
];
const hostile = [
  'sim ',
  'não, ',
  'PED-1001 ',
  'a',
  'mil ',
  'um ',
  '1.',
  '1,',
  'cancela o ',
  '😀',
  '\u0301',
  '20 20 ',
  'e e ',
  ', não',
  '"',
  'R$ ',
  'quero ',
  '\n',
  '\u200b',
  '(((',
  'menos ',
  '10/',
  'porque ',
];

describe('the longest utterance that is read', () => {
  /** On an idle core each takes a few milliseconds; a quadratic reading would take minutes. */
  it.each(hostile)('takes no time to speak of when it repeats %j', (unit) => {
    const text = unit.repeat(Math.floor(longestUtterance / unit.length));
    for (const expectation of situations) {
      expect(processorMs(() => read(text, retail, expectation), 1)).toBeLessThan(1_000);
    }
  });

  it('is far below the megabyte that is refused at once', () => {
    const text = 'sim, '.repeat(200_000);
    const awaited = awaiting(cancelOrder, {}, items);
    expect(read(text, retail, awaited).confirmation).toBe('unclear');
    expect(processorMs(() => read(text, retail, awaited))).toBeLessThan(50);
  });
});
