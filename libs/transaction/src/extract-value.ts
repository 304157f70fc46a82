import { type ExtractRule, type ExtractStrategy, failure, type Result, success } from '@latch/contracts';
import { isAbsent } from './canonicalize.ts';
import { findMonth } from './month-names.ts';
import { readDate } from './read-date.ts';
import { readCents } from './read-cents.ts';

/** Longer texts are nobody's value; some patterns take time that grows with the square of the text. */
const longestText = 2_000;

/**
 * Reads a value by the rule of its argument (`extract` of `mcp_parameter_mapping.yaml`). Pure and total; no clock, so that nothing is guessed.
 *
 * @returns `ok: false` with a short reason in English where a strategy cannot read what it got: then the value counts as wrong and is asked for.
 */
export function extractValue({ strategies }: ExtractRule, given: unknown): Result<unknown, string> {
  let value = given;
  for (const strategy of strategies) {
    const read = apply(strategy, value);
    if (!read.ok) return read;
    value = read.value;
  }
  return isAbsent(value) ? failure('must not be empty') : success(value);
}

/** Whether a rule gives the same value whatever is said. */
export function isConstant({ strategies }: ExtractRule): boolean {
  return strategies[0]?.strategy === 'constant';
}

function apply(strategy: ExtractStrategy, value: unknown): Result<unknown, string> {
  switch (strategy.strategy) {
    case 'constant':
      return success(strategy.value);
    case 'first':
    case 'last':
      return entryOf(strategy, value);
    case 'month_name':
      return ofText(value, (text) => monthOf(strategy, text));
    case 'digits':
      return ofText(value, (text) => found(text.replaceAll(/\D/g, ''), 'must contain digits'));
    case 'date':
      return ofText(value, (text) => found(readDate(text, strategy.order), 'must be a date with its year'));
    case 'money':
      return ofText(value, (text) => amountOf(strategy, text));
    case 'regex':
      return ofText(value, (text) => groupOf(strategy, text));
    case 'lower':
    case 'upper':
    case 'trim':
      return ofText(value, (text) => success(changed(strategy.strategy, text)));
    default:
      return strategy satisfies never;
  }
}

/** A number is read as its digits. */
function ofText(value: unknown, read: (text: string) => Result<unknown, string>): Result<unknown, string> {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return failure('must be text');
  if (text.length > longestText) return failure(`must be at most ${longestText} characters long`);
  return read(text);
}

function found(value: string | number | null | undefined, problem: string): Result<unknown, string> {
  return value === null || value === undefined || value === '' ? failure(problem) : success(value);
}

function monthOf(
  { language, output }: Extract<ExtractStrategy, { strategy: 'month_name' }>,
  text: string,
): Result<unknown, string> {
  const named = findMonth(text, language);
  if (named === null) return failure('must name one month');
  if (output === 'number') return success(named.month);
  if (named.year === null) return failure('must name a month and its year');
  return success(`${named.year}-${String(named.month).padStart(2, '0')}`);
}

function amountOf({ output }: Extract<ExtractStrategy, { strategy: 'money' }>, text: string): Result<unknown, string> {
  const cents = readCents(text);
  if (cents === null) return failure('must be one amount of money');
  return success(output === 'cents' ? cents : cents / 100);
}

const expressions = new Map<string, RegExp>();

/** The patterns are those of the configuration; each is compiled once. */
function groupOf(
  { pattern, group }: Extract<ExtractStrategy, { strategy: 'regex' }>,
  text: string,
): Result<unknown, string> {
  const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u');
  expressions.set(pattern, expression);
  const match = expression.exec(text);
  const value = typeof group === 'number' ? match?.[group] : match?.groups?.[group];
  return found(value, `must match ${pattern}`);
}

function entryOf(
  { strategy, separator }: Extract<ExtractStrategy, { strategy: 'first' | 'last' }>,
  value: unknown,
): Result<unknown, string> {
  if (!Array.isArray(value)) {
    return ofText(value, (text) => {
      const parts = text.split(separator).map((part) => part.trim());
      const meant = parts.filter((part) => part !== '');
      return found(strategy === 'first' ? meant[0] : meant.at(-1), 'must not be empty');
    });
  }
  const entries: readonly unknown[] = value;
  const entry = strategy === 'first' ? entries[0] : entries.at(-1);
  return isAbsent(entry) ? failure('must not be empty') : success(entry);
}

function changed(how: 'lower' | 'upper' | 'trim', text: string): string {
  if (how === 'trim') return text.trim();
  return how === 'lower' ? text.toLowerCase() : text.toUpperCase();
}
