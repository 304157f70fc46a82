import { type Locale } from '@latch/contracts';
import { asSentence, cleanText } from './format-value.ts';
import { texts } from './texts.ts';

/**
 * What is wrong with a given value, as a sentence. The engine's checks say it in English for whoever calls them; the user hears it in their language. What the
 * language reader says is in the user's language already.
 */
export function describeProblem(detail: string, locale: Locale): string {
  const { wrongValue } = texts[locale];
  for (const { pattern, tell } of problems) {
    const match = pattern.exec(detail);
    if (match !== null) return asSentence(tell(wrongValue, cleanText(match[1] ?? '', locale)));
  }
  const own = cleanText(detail, locale);
  return asSentence(own.charAt(0).toUpperCase() + own.slice(1));
}

/** What may be wrong with a value, in the words of one language. */
export type WrongValue = {
  readonly kind: Readonly<Record<'integer' | 'number' | 'boolean' | 'array' | 'object' | 'string', string>>;
  readonly choices: (choices: string) => string;
  readonly amount: string;
  readonly date: string;
  readonly dateWithYear: string;
  readonly month: string;
  readonly monthWithYear: string;
  readonly digits: string;
  readonly tooLong: (limit: string) => string;
  readonly minimum: (bound: string) => string;
  readonly maximum: (bound: string) => string;
  readonly shape: string;
  readonly empty: string;
};

type Problem = { readonly pattern: RegExp; readonly tell: (words: WrongValue, part: string) => string };

/** The sentences of `canonicalize` and `extractValue` in libs/transaction. */
const problems: readonly Problem[] = [
  { pattern: /^must be an amount such as/, tell: (words) => words.amount },
  { pattern: /^must be one amount of money$/, tell: (words) => words.amount },
  { pattern: /^must be a date such as/, tell: (words) => words.date },
  { pattern: /^must be a date with its year$/, tell: (words) => words.dateWithYear },
  { pattern: /^must name one month$/, tell: (words) => words.month },
  { pattern: /^must name a month and its year$/, tell: (words) => words.monthWithYear },
  { pattern: /^must contain digits$/, tell: (words) => words.digits },
  { pattern: /^must be one of (.+)$/s, tell: (words, choices) => words.choices(choices) },
  { pattern: /^must be at most (\d+) characters long$/, tell: (words, limit) => words.tooLong(limit) },
  { pattern: /^must be at least (-?[\d.]+)$/, tell: (words, bound) => words.minimum(bound) },
  { pattern: /^must be at most (-?[\d.]+)$/, tell: (words, bound) => words.maximum(bound) },
  { pattern: /^must be an? integer$/, tell: ({ kind }) => kind.integer },
  { pattern: /^must be an? number$/, tell: ({ kind }) => kind.number },
  { pattern: /^must be an? boolean$/, tell: ({ kind }) => kind.boolean },
  { pattern: /^must be an? array$/, tell: ({ kind }) => kind.array },
  { pattern: /^must be an? object$/, tell: ({ kind }) => kind.object },
  { pattern: /^must be (?:an? string|text)$/, tell: ({ kind }) => kind.string },
  { pattern: /^must match /, tell: (words) => words.shape },
  { pattern: /^must not nest deeper/, tell: (words) => words.shape },
  { pattern: /^must not be empty$/, tell: (words) => words.empty },
];
