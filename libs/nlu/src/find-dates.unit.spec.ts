import { describe, expect, it } from '@jest/globals';
import { findDates } from './find-dates.ts';
import { foldText } from './fold-text.ts';
import { dayIn } from './local-date.ts';
import { lexicons } from './lexicon.ts';

/** A Monday. */
const today = { year: 2026, month: 11, day: 30 };
const datesIn = (text: string, locale: 'pt-BR' | 'en' | 'es'): readonly (string | null)[] =>
  findDates(foldText(text).tokens, today, lexicons[locale]).map(({ value }) => value);

describe('dates in an utterance', () => {
  it.each([
    ['06/02/2027', '2027-02-06'],
    ['6/2/27', '2027-02-06'],
    ['06-02-2027', '2027-02-06'],
    ['06.02.2027', '2027-02-06'],
    ['2027-02-06', '2027-02-06'],
    ['10/12', '2026-12-10'],
    ['10/02', '2027-02-10'],
    ['10 de dezembro de 2026', '2026-12-10'],
    ['dia 10', '2026-12-10'],
    ['1º de março', '2027-03-01'],
    ['hoje', '2026-11-30'],
    ['amanhã', '2026-12-01'],
    ['depois de amanhã', '2026-12-02'],
    ['ontem', '2026-11-29'],
    ['daqui a 3 dias', '2026-12-03'],
    ['em duas semanas', '2026-12-14'],
    ['há 3 dias', '2026-11-27'],
    ['sexta-feira', '2026-12-04'],
    ['na próxima segunda', '2026-12-07'],
    ['29/02/2028', '2028-02-29'],
  ])('pt-BR: %p is %p', (text, day) => expect(datesIn(text, 'pt-BR')).toEqual([day]));

  it.each([
    ['02/06/2027', '2027-02-06'],
    ['25/12/2026', '2026-12-25'],
    ['December 10th, 2026', '2026-12-10'],
    ['the 10th of December', '2026-12-10'],
    ['tomorrow', '2026-12-01'],
    ['in 3 days', '2026-12-03'],
    ['3 days ago', '2026-11-27'],
    ['next Friday', '2026-12-04'],
    ['the day after tomorrow', '2026-12-02'],
  ])('en: %p is %p', (text, day) => expect(datesIn(text, 'en')).toEqual([day]));

  it.each([
    ['06/02/2027', '2027-02-06'],
    ['10 de diciembre', '2026-12-10'],
    ['mañana', '2026-12-01'],
    ['pasado mañana', '2026-12-02'],
    ['dentro de 3 días', '2026-12-03'],
    ['hace dos semanas', '2026-11-16'],
    ['el viernes', '2026-12-04'],
  ])('es: %p is %p', (text, day) => expect(datesIn(text, 'es')).toEqual([day]));

  it('says of a day that the calendar does not have that it is none', () =>
    expect(datesIn('31/02/2027', 'pt-BR')).toEqual([null]));

  it('takes the morning for no date, and identifiers and amounts neither', () => {
    expect(datesIn('por la mañana', 'es')).toEqual([]);
    expect(datesIn('PED-10/12, 71.99, constructor', 'pt-BR')).toEqual([]);
  });

  it('knows the day where the user is', () => {
    expect(dayIn('2026-12-01T01:00:00Z', 'America/Sao_Paulo')).toEqual(today);
    expect(dayIn('2026-11-30T12:00:00Z', 'No/Such_Zone')).toEqual(today);
  });
});
