import { describe, expect, it } from '@jest/globals';
import { type Locale } from '@latch/contracts';
import { agent, awaiting, parameter, read, rows, tool } from './sample-agents.features.ts';

const booking = {
  ...tool('reserve', 'the reservation', [
    parameter('city', { label: 'the city' }),
    parameter('date', { label: 'the date', format: 'date' }),
    parameter('people', { label: 'the number of people', type: 'integer' }),
  ]),
  description: 'Reserves a table at a restaurant or plays a song.',
};
const open = awaiting(booking, { city: 'Oakland', date: '2019-01-05', people: 9 });
function localeOf(language: unknown): Locale {
  return language === 'pt-BR' || language === 'es' ? language : 'en';
}

const decisions = rows('decisions.jsonl', (row) => ({
  text: String(row.text),
  locale: localeOf(row.language),
  expected: String(row.expected),
  isContradictory: row.contradictory === true,
}));
const readings = decisions.map((row) => ({
  ...row,
  understanding: read(row.text, agent({ locale: row.locale }), open),
}));

describe('625 recorded answers to a confirmation', () => {
  it('holds no wrong yes at all', () => {
    const wrong = readings.filter(
      ({ expected, understanding }) => expected !== 'yes' && understanding.confirmation === 'yes',
    );
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  it('never reads a yes that contradicts itself as a yes', () => {
    const contradictory = readings.filter(({ isContradictory }) => isContradictory);
    expect(contradictory.map(({ understanding }) => understanding.confirmation)).toEqual(['unclear', 'unclear']);
  });

  it('never reads a yes as a no', () => {
    const lost = readings.filter(
      ({ expected, understanding }) => expected === 'yes' && understanding.confirmation === 'no',
    );
    expect(lost.map(({ text }) => text)).toEqual([]);
  });

  /** The rest is unclear and asked again: answers that agree only between the lines. */
  it.each([
    ['en', 'yes', 0.8],
    ['es', 'yes', 1],
    ['pt-BR', 'yes', 0.5],
    ['en', 'no', 0.85],
    ['es', 'no', 0.5],
    ['pt-BR', 'cancel', 1],
    ['es', 'cancel', 1],
  ] as const)('recalls in %s of the answers that mean %p at least %p', (locale, meaning, least) => {
    const those = readings.filter((row) => row.locale === locale && row.expected === meaning);
    const recalled = those.filter(({ understanding }) => {
      if (meaning === 'cancel') return understanding.abandons;
      const { confirmation } = understanding;
      return meaning === 'yes' ? confirmation === 'yes' : confirmation !== 'unclear' && confirmation !== 'yes';
    });
    expect(recalled.length / those.length).toBeGreaterThanOrEqual(least);
  });
});
