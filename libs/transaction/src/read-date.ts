import { type MonthLanguage } from '@latch/contracts';
import { foldWords, monthOf } from './month-names.ts';

const languages: readonly MonthLanguage[] = ['pt', 'en', 'es'];

/**
 * The one calendar date that a text is, as YYYY-MM-DD: ISO, in numbers ("05/03/2026"), or with the month in words of three languages. The year must be
 * there: which one is meant would be a guess. Null for anything else, and for days that do not exist.
 */
export function readDate(text: string, order: 'day_first' | 'month_first'): string | null {
  const folded = foldWords(text);
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:t.{0,40})?$/.exec(folded);
  if (iso !== null) return written({ year: iso[1], month: iso[2], day: iso[3] });
  const numeric = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(folded);
  if (numeric !== null) {
    const [, first, second, year] = numeric;
    return order === 'day_first'
      ? written({ year, month: second, day: first })
      : written({ year, month: first, day: second });
  }
  return inWords(folded);
}

function inWords(folded: string): string | null {
  const parts =
    /^(?:dia |day )?(?<day>\d{1,2})(?:o|a|º|st|nd|rd|th)?,? (?:de |of )?(?<name>[a-z]{3,12}),? (?:de |del )?(?<year>\d{4})$/.exec(
      folded,
    ) ?? /^(?<name>[a-z]{3,12}) (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/.exec(folded);
  const name = parts?.groups?.['name'] ?? '';
  const months = languages.map((language) => monthOf(name, language)).filter((month) => month !== null);
  const [month] = months;
  return month === undefined
    ? null
    : written({ year: parts?.groups?.['year'], month: String(month), day: parts?.groups?.['day'] });
}

type DateParts = {
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string | undefined;
};

function written({ year, month, day }: DateParts): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m))) return null;
  return `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
