import { numberAt, numberOpeners } from './find-numbers.ts';
import { markAt, type Token, wordAt } from './fold-text.ts';
import { type Lexicon } from './lexicon.ts';
import { addDays, type Day, formatDay, isBefore, isRealDay, weekdayOf } from './local-date.ts';
import { compileList, compilePhrases, lookUp, mayOpen, phraseAt, type PhraseTable } from './phrases.ts';

/** A date found in an utterance, as token positions `[from, to)`. `value` is `YYYY-MM-DD`; null when the calendar has no such day. */
export type DateMatch = { readonly value: string | null; readonly from: number; readonly to: number };

/**
 * Every date of an utterance: numeric (day first, or month first in English), ISO, with the month's name, a weekday (the next one), a bare day of the month after
 * its word, and relative ones ("amanhã", "daqui a 3 dias"). A date without its year is the next such day from `today` on.
 */
export function findDates(tokens: readonly Token[], today: Day, lexicon: Lexicon): readonly DateMatch[] {
  const words = wordsOf(lexicon);
  const setting = { today, lexicon, words };
  const found: DateMatch[] = [];
  for (let at = 0; at < tokens.length;) {
    const match = mayOpen(words.openers, tokens[at]) ? dateAt(tokens, at, setting) : null;
    if (match !== null) found.push(match);
    at = match === null ? at + 1 : match.to;
  }
  return found;
}

type DateWords = {
  readonly relative: PhraseTable<number>;
  readonly weekdays: PhraseTable<number>;
  readonly ahead: PhraseTable<string>;
  readonly ago: PhraseTable<string>;
  readonly dayWords: PhraseTable<string>;
  /** The words that a date may begin with. */
  readonly openers: ReadonlySet<string>;
};
type Setting = { readonly today: Day; readonly lexicon: Lexicon; readonly words: DateWords };

const compiled = new WeakMap<Lexicon, DateWords>();

function wordsOf(lexicon: Lexicon): DateWords {
  const known = compiled.get(lexicon);
  if (known !== undefined) return known;
  const weekdays = lexicon.weekdays.flatMap((names, index) => names.map((name) => [name, index] as const));
  const tables = {
    relative: compilePhrases(Object.entries(lexicon.relativeDays)),
    weekdays: compilePhrases(weekdays),
    ahead: compileList(lexicon.daysAhead),
    ago: compileList(lexicon.daysAgo),
    dayWords: compileList(lexicon.dayWords),
  };
  const firstWords = Object.values(tables).flatMap((table) => [...table.keys()]);
  const words = { ...tables, openers: new Set([...firstWords, ...lexicon.months, ...numberOpeners(lexicon)]) };
  compiled.set(lexicon, words);
  return words;
}

function dateAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  return (
    dottedAt(tokens, at, setting) ??
    numericAt(tokens, at, setting) ??
    namedAt(tokens, at, setting) ??
    relativeAt(tokens, at, setting) ??
    weekdayAt(tokens, at, setting) ??
    bareDayAt(tokens, at, setting)
  );
}

/** `06.02.2027` is one numeral token. */
function dottedAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  const word = wordAt(tokens, at);
  if (!word.includes('.')) return null;
  const parts = word.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^\d{1,4}$/.test(part)) || parts[2]?.length !== 4) return null;
  return ofParts(parts, { from: at, to: at + 1 }, setting);
}

/** `06/02/2027`, `6-2-27`, `2027-02-06`, `06/02`. */
function numericAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  const separator = markAt(tokens, at + 1);
  if (separator !== '/' && separator !== '-') return null;
  if (!isPart(tokens[at]) || !isJoined(tokens[at + 1], separator) || isTailOfCode(tokens, at)) return null;
  const hasThird = isJoined(tokens[at + 2], separator);
  if (!hasThird && separator === '-') return null;
  const parts = tokens.slice(at, at + (hasThird ? 3 : 2)).map((token) => token.text);
  return ofParts(parts, { from: at, to: at + parts.length }, setting);
}

function isPart(token: Token | undefined): boolean {
  return token?.kind === 'number' && /^\d{1,4}$/.test(token.text);
}

function isJoined(token: Token | undefined, mark: string): boolean {
  return token !== undefined && token.isGlued && token.mark === mark && isPart(token);
}

function isTailOfCode(tokens: readonly Token[], at: number): boolean {
  return at > 0 && tokens[at]?.isGlued === true && /[-/]/.test(markAt(tokens, at));
}

type Span = { readonly from: number; readonly to: number };

function ofParts(parts: readonly string[], span: Span, setting: Setting): DateMatch | null {
  const [first = '', second = '', third = ''] = parts;
  if (first.length === 4) return third === '' ? null : make(dayOf(first, second, third), span);
  if (first.length > 2 || second.length > 2 || ![0, 2, 4].includes(third.length)) return null;
  const [month, day] = isMonthFirst(first, second, setting) ? [first, second] : [second, first];
  if (third === '') return withoutYear({ month: Number(month), day: Number(day) }, span, setting);
  return make(dayOf(third.length === 2 ? `20${third}` : third, month, day), span);
}

/** The language's order, unless only the other one gives a month. */
function isMonthFirst(first: string, second: string, setting: Setting): boolean {
  return (setting.lexicon.isMonthFirst && Number(first) <= 12) || Number(second) > 12;
}

function dayOf(year: string, month: string, day: string): Day {
  return { year: Number(year), month: Number(month), day: Number(day) };
}

function make(day: Day, span: Span): DateMatch {
  return { ...span, value: isRealDay(day) ? formatDay(day) : null };
}

function withoutYear(of: { month: number; day: number }, span: Span, setting: Setting): DateMatch {
  const thisYear = { ...of, year: setting.today.year };
  const isPast = isRealDay(thisYear) && isBefore(thisYear, setting.today);
  return make(isPast ? { ...of, year: setting.today.year + 1 } : thisYear, span);
}

/** "10 de dezembro de 2026", "December 10th, 2026", "the 10th of December". */
function namedAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  const named = monthThenDay(tokens, at, setting) ?? dayThenMonth(tokens, at, setting);
  if (named === null) return null;
  const { month, day, to } = named;
  const yearAt = skipWords(tokens, to);
  const year = wordAt(tokens, yearAt);
  if (!/^\d{4}$/.test(year)) return withoutYear({ month, day }, { from: at, to }, setting);
  return make({ year: Number(year), month, day }, { from: at, to: yearAt + 1 });
}

type NamedDay = { readonly month: number; readonly day: number; readonly to: number };

function monthThenDay(tokens: readonly Token[], at: number, setting: Setting): NamedDay | null {
  const month = setting.lexicon.months.indexOf(wordAt(tokens, at)) + 1;
  const day = dayNumber(tokens[at + 1]);
  return month === 0 || day === null ? null : { month, day, to: dayEnd(tokens, at + 1) };
}

function dayThenMonth(tokens: readonly Token[], at: number, setting: Setting): NamedDay | null {
  const day = dayNumber(tokens[at]);
  if (day === null) return null;
  const monthAt = skipWords(tokens, dayEnd(tokens, at));
  const month = setting.lexicon.months.indexOf(wordAt(tokens, monthAt)) + 1;
  return month === 0 ? null : { month, day, to: monthAt + 1 };
}

const connectors = new Set(['de', 'del', 'do', 'of']);
const ordinalEndings = new Set(['st', 'nd', 'rd', 'th', 'o', 'a']);

function skipWords(tokens: readonly Token[], at: number): number {
  return connectors.has(tokens[at]?.text ?? '') ? at + 1 : at;
}

/** The position after a day's number and its ordinal ending. */
function dayEnd(tokens: readonly Token[], at: number): number {
  const next = tokens[at + 1];
  return next?.isGlued && ordinalEndings.has(next.text) ? at + 2 : at + 1;
}

function dayNumber(token: Token | undefined): number | null {
  if (token?.kind !== 'number' || !/^\d{1,2}$/.test(token.text)) return null;
  return Number(token.text);
}

/** "amanhã", "daqui a 3 dias", "in two weeks", "há 3 dias", "3 days ago". */
function relativeAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  const named = phraseAt(setting.words.relative, tokens, at);
  if (named !== null && !isDayPart(tokens, at)) return make(addDays(setting.today, named.value), named);
  return countedAt(tokens, at, setting);
}

function countedAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  const { words, today } = setting;
  const ahead = phraseAt(words.ahead, tokens, at);
  const before = ahead ?? phraseAt(words.ago, tokens, at);
  const counted = daysAt(tokens, before === null ? at : before.to, setting);
  if (counted === null) return null;
  const after = phraseAt(words.ago, tokens, counted.to);
  if (before === null && after === null) return null;
  const isAhead = ahead !== null && after === null;
  const to = after === null ? counted.to : after.to;
  return make(addDays(today, isAhead ? counted.days : -counted.days), { from: at, to });
}

/** Spanish "por la mañana" is a part of the day, not tomorrow. */
function isDayPart(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === 'manana' && ['la', 'de'].includes(tokens[at - 1]?.text ?? '');
}

function daysAt(tokens: readonly Token[], at: number, setting: Setting): { days: number; to: number } | null {
  const count = numberAt(tokens, at, setting.lexicon);
  if (count === null || !Number.isInteger(count.value) || count.value > 3660) return null;
  const unit = lookUp(setting.lexicon.dayUnits, tokens[count.to]?.text);
  return unit === undefined ? null : { days: count.value * unit, to: count.to + 1 };
}

/** A weekday is the next one; today's own name means a week from now. */
function weekdayAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  const match = phraseAt(setting.words.weekdays, tokens, at);
  if (match === null) return null;
  const distance = (match.value - weekdayOf(setting.today) + 7) % 7;
  return make(addDays(setting.today, distance === 0 ? 7 : distance), match);
}

/** "dia 10", "the 10th": the next such day of a month. */
function bareDayAt(tokens: readonly Token[], at: number, setting: Setting): DateMatch | null {
  const word = phraseAt(setting.words.dayWords, tokens, at);
  const day = dayNumber(tokens[word?.to ?? at]);
  if (word === null || day === null || day < 1 || day > 31) return null;
  const to = dayEnd(tokens, word.to);
  if (setting.lexicon.isMonthFirst && to !== word.to + 2) return null;
  const next = nextWithDay(setting.today, day);
  return next === null ? null : make(next, { from: at, to });
}

function nextWithDay(today: Day, day: number): Day | null {
  for (let ahead = 0; ahead < 12; ahead += 1) {
    const month = ((today.month - 1 + ahead) % 12) + 1;
    const candidate = { year: today.year + Math.floor((today.month - 1 + ahead) / 12), month, day };
    if (isRealDay(candidate) && !isBefore(candidate, today)) return candidate;
  }
  return null;
}
