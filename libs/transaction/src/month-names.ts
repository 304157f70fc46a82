import { type MonthLanguage } from '@latch/contracts';

/** A month that a text names, and its year where the text says one. */
export type NamedMonth = { readonly month: number; readonly year: number | null };

const fullNames: Readonly<Record<MonthLanguage, readonly string[]>> = {
  pt: 'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro'.split(' '),
  en: 'january february march april may june july august september october november december'.split(' '),
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
};

/** Written differently by some. */
const variants: Readonly<Record<MonthLanguage, Readonly<Record<string, number>>>> = {
  pt: {},
  en: { sept: 9 },
  es: { setiembre: 9, sept: 9 },
};

/**
 * The one month that a text names, in words or as "3", "03/2026" and "2026-03". Short forms ("mar", "dez") count only where nothing but the year stands
 * beside them: they are words of their own otherwise. Null when no month is named, or more than one.
 */
export function findMonth(text: string, language: MonthLanguage): NamedMonth | null {
  const folded = foldWords(text);
  const numeric = numericMonth(folded);
  if (numeric !== null) return numeric;
  const words = folded.match(/[a-z]+/g) ?? [];
  const named = new Set(words.map((word) => monthOf(word, language)).filter((month) => month !== null));
  const [month] = named.size === 0 ? shortMonth(words, language) : named;
  if (month === undefined || named.size > 1) return null;
  return { month, year: yearIn(folded) };
}

/** The month that a whole word names, from 1; null for any other word. */
export function monthOf(word: string, language: MonthLanguage): number | null {
  const at = fullNames[language].indexOf(word);
  if (at !== -1) return at + 1;
  return Object.hasOwn(variants[language], word) ? (variants[language][word] ?? null) : null;
}

/** Lower case without accents. */
export function foldWords(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim();
}

/** Any year from 1900 to 2099; two digits behind a slash, a dash or "de" are of this century. */
function yearIn(folded: string): number | null {
  const whole = /(?:^|\D)((?:19|20)\d{2})(?:\D|$)/.exec(folded)?.[1];
  if (whole !== undefined) return Number(whole);
  const short = /(?:[/-]\s?|\bde |\bdel )(\d{2})$/.exec(folded)?.[1];
  return short === undefined ? null : 2000 + Number(short);
}

function numericMonth(folded: string): NamedMonth | null {
  const iso = /^((?:19|20)\d{2})[-/](\d{1,2})$/.exec(folded);
  const local = /^(\d{1,2})(?:[-/]((?:19|20)?\d{2}))?$/.exec(folded);
  const month = Number(iso?.[2] ?? local?.[1] ?? 0);
  if (month < 1 || month > 12) return null;
  const year = iso?.[1] ?? local?.[2];
  if (year === undefined) return { month, year: null };
  return { month, year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

const fillers: ReadonlySet<string> = new Set(['de', 'do', 'del', 'of', 'mes', 'month']);

function shortMonth(words: readonly string[], language: MonthLanguage): readonly number[] {
  const meant = words.filter((word) => !fillers.has(word));
  const [only] = meant;
  if (meant.length !== 1 || only?.length !== 3) return [];
  const at = fullNames[language].findIndex((name) => name.startsWith(only));
  return at === -1 ? [] : [at + 1];
}
