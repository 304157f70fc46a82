import { type FoldedText, type Token } from './fold-text.ts';
import { type Language } from './language.ts';
import { type Day, dayIn } from './local-date.ts';

/** The part of an utterance that is being read, and how it is read. Token positions count within `tokens`. */
export type Scope = {
  readonly text: FoldedText;
  readonly tokens: readonly Token[];
  readonly language: Language;
  /** The instant of the turn (ISO-8601) and the zone in which "tomorrow" is meant. */
  readonly now: string;
  readonly timeZone: string;
};

/** The same utterance from token `at` on. */
export function scopeFrom(scope: Scope, at: number): Scope {
  return at === 0 ? scope : { ...scope, tokens: scope.tokens.slice(at) };
}

/** The user's day at the moment of the turn. */
export function todayOf(scope: Scope): Day {
  return dayIn(scope.now, scope.timeZone);
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '”': '“', '"': '"' };

/** The text of tokens `[from, to)` as it was written, with a closing bracket, `+` or `%` that belongs to its last word. */
export function textOf(scope: Scope, from: number, to: number): string {
  const span = spanOf(scope, from, to);
  return span === null ? '' : scope.text.original.slice(span[0], span[1]);
}

/** UTF-16 offsets of tokens `[from, to)` in the original text; null when there are none. */
export function spanOf(scope: Scope, from: number, to: number): readonly [number, number] | null {
  const first = scope.tokens[from];
  const last = scope.tokens[to - 1];
  if (first === undefined || last === undefined || to <= from) return null;
  return [first.from, endOf(scope.text.original, first.from, last.to)];
}

function endOf(original: string, from: number, to: number): number {
  const next = original[to];
  if (next === '+' || next === '%' || next === '®' || next === '™') return to + 1;
  const opener = next === undefined ? undefined : closers[next];
  if (opener === undefined) return to;
  const body = original.slice(from, to);
  const opened = body.split(opener).length - 1;
  const closed = next === opener ? 0 : body.split(next ?? '').length - 1;
  return next === opener ? to + (opened % 2) : to + (opened > closed ? 1 : 0);
}

const ascii = /^[\x20-\x7e]*$/;

/** Whether a text is made of printable ASCII only. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** A text as it should be stored: compatibility forms and dashes made plain, invisible characters dropped. */
export function plainText(text: string): string {
  if (isAscii(text)) return text.trim();
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .trim();
}
