import { type ParameterConfig } from '@latch/contracts';
import { findByPattern, findCodes } from './find-codes.ts';
import { findDates } from './find-dates.ts';
import { findMoney } from './find-money.ts';
import { findNumbers, type NumberMatch } from './find-numbers.ts';
import { compilePhrases, findPhrase, isBoundary, lookUp, phraseAt, type PhraseTable } from './phrases.ts';
import { type ParameterShape, shapeOf } from './parameter-shape.ts';
import { type Scope, todayOf } from './scope.ts';

/** A value that an utterance may hold for a parameter. `problem` says what is wrong with it; null: it fits the declaration. */
export type ValueMatch = {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
  readonly rule: string;
  readonly problem: string | null;
};

/**
 * Every value of the parameter's shape in the utterance, from left to right, in the JSON type that the parameter declares. Lists and free text are read by
 * `extract-text.ts`, because they are what remains.
 */
export function findValues(parameter: ParameterConfig, scope: Scope): readonly ValueMatch[] {
  const shape = shapeOf(parameter);
  const rule = `extract.${shape}`;
  return readers[shape](parameter, scope).map(({ value, from, to, problem }) => ({ value, from, to, rule, problem }));
}

/** Whether values of the parameter are looked for at all, and not taken from what is left. */
export function isFound(parameter: ParameterConfig): boolean {
  return readers[shapeOf(parameter)] !== nothing;
}

type Reader = (parameter: ParameterConfig, scope: Scope) => readonly Omit<ValueMatch, 'rule'>[];
const nothing: Reader = () => [];

const readers: Readonly<Record<ParameterShape, Reader>> = {
  enum: readChoice,
  boolean: readBoolean,
  money: readMoney,
  date: readDate,
  integer: readNumber,
  number: readNumber,
  pattern: (parameter, scope) =>
    findByPattern(scope, parameter.pattern ?? '').map(({ value, from, to }) => ({ value, from, to, problem: null })),
  code: (_parameter, scope) => findCodes(scope).map(({ value, from, to }) => ({ value, from, to, problem: null })),
  day_part: readDayPart,
  list: nothing,
  text: nothing,
  none: nothing,
};

function readChoice(parameter: ParameterConfig, scope: Scope): readonly Omit<ValueMatch, 'rule'>[] {
  const table = choicesOf(parameter);
  return everyPhrase(scope, (at) => phraseAt(table, scope.tokens, at));
}

const knownChoices = new WeakMap<ParameterConfig, PhraseTable<unknown>>();

function choicesOf(parameter: ParameterConfig): PhraseTable<unknown> {
  const known = knownChoices.get(parameter);
  if (known !== undefined) return known;
  const choices = parameter.enum ?? [];
  const table = compilePhrases(choices.map((choice) => [String(choice).replaceAll('_', ' '), choice] as const));
  knownChoices.set(parameter, table);
  return table;
}

function readBoolean(_parameter: ParameterConfig, scope: Scope): readonly Omit<ValueMatch, 'rule'>[] {
  const { yes, no } = scope.language;
  const isNo = findPhrase(no, scope.tokens);
  const isYes = findPhrase(yes, scope.tokens);
  if ((isNo === null) === (isYes === null)) return [];
  const match = isNo ?? isYes;
  return match === null ? [] : [{ value: isNo === null, from: match.from, to: match.to, problem: null }];
}

function readDayPart(_parameter: ParameterConfig, scope: Scope): readonly Omit<ValueMatch, 'rule'>[] {
  return everyPhrase(scope, (at) => {
    const value = lookUp(scope.language.lexicon.dayParts, scope.tokens[at]?.text);
    return value === undefined ? null : { from: at, to: at + 1, value };
  });
}

type Phrase = { readonly from: number; readonly to: number; readonly value: unknown };

function everyPhrase(scope: Scope, read: (at: number) => Phrase | null): readonly Omit<ValueMatch, 'rule'>[] {
  const found: Omit<ValueMatch, 'rule'>[] = [];
  for (let at = 0; at < scope.tokens.length; at += 1) {
    const match = read(at);
    if (match === null) continue;
    found.push({ ...match, problem: null });
    at = match.to - 1;
  }
  return found;
}

function readDate(_parameter: ParameterConfig, scope: Scope): readonly Omit<ValueMatch, 'rule'>[] {
  const { lexicon } = scope.language;
  return findDates(scope.tokens, todayOf(scope), lexicon).map(({ value, from, to }) => ({
    value,
    from,
    to,
    problem: value === null ? lexicon.problems.date : null,
  }));
}

/** Amounts with their currency; without any, plain numbers. */
function readMoney(parameter: ParameterConfig, scope: Scope): readonly Omit<ValueMatch, 'rule'>[] {
  const amounts = findMoney(scope.tokens, scope.language.lexicon);
  const found = amounts.length > 0 ? amounts : plainNumbers(scope);
  return found.map((match) => numeric(parameter, scope, match));
}

function readNumber(parameter: ParameterConfig, scope: Scope): readonly Omit<ValueMatch, 'rule'>[] {
  return plainNumbers(scope).map((match) => numeric(parameter, scope, match));
}

type Numeric = { readonly value: number; readonly from: number; readonly to: number };

function numeric(parameter: ParameterConfig, scope: Scope, match: Numeric): Omit<ValueMatch, 'rule'> {
  const { problems } = scope.language.lexicon;
  const { minimum, maximum } = parameter;
  const value = parameter.type === 'string' ? decimalText(match.value) : match.value;
  const span = { from: match.from, to: match.to, value };
  if (parameter.type === 'integer' && !Number.isInteger(match.value)) return { ...span, problem: problems.integer };
  if (minimum !== null && match.value < minimum) return { ...span, problem: problems.minimum(minimum) };
  if (maximum !== null && match.value > maximum) return { ...span, problem: problems.maximum(maximum) };
  return { ...span, problem: null };
}

/** An amount as a decimal string with at least two decimals: `71.90`. */
function decimalText(value: number): string {
  const text = String(value);
  return (text.split('.')[1]?.length ?? 0) > 2 || text.includes('e') ? text : value.toFixed(2);
}

/** Numbers that are no part of an identifier, a date or a name; "um" counts only where it is no article. */
function plainNumbers(scope: Scope): readonly NumberMatch[] {
  const numbers = findNumbers(scope.tokens, scope.language.lexicon).filter((match) => !isInsideCode(scope, match));
  const isOne = (match: NumberMatch): boolean => !match.isLiteral && match.value === 1 && match.to - match.from === 1;
  const counted = numbers.filter((match) => !isOne(match));
  return counted.length > 0 || scope.tokens.length > 3 ? counted : numbers.filter((match) => isAnswer(scope, match));
}

/** "uma unidade", "só um", "um, por favor"; but not "quero um reembolso". */
function isAnswer({ tokens, language }: Scope, match: NumberMatch): boolean {
  return match.from === 0 || isBoundary(tokens, match.to) || phraseAt(language.filler, tokens, match.to) !== null;
}

function isInsideCode(scope: Scope, match: NumberMatch): boolean {
  const first = scope.tokens[match.from];
  const next = scope.tokens[match.to];
  const hasBefore =
    match.from > 0 &&
    first?.isGlued === true &&
    scope.tokens[match.from - 1]?.kind !== 'symbol' &&
    !/[,;:!?"(]$/.test(first.mark);
  const hasAfter = next?.isGlued === true && /[-/]/.test(next.mark);
  return hasBefore || hasAfter;
}
