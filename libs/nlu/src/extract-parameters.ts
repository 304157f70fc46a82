import { type ParameterConfig, type ToolConfig } from '@latch/contracts';
import {
  findReason,
  isOnlyAnswers,
  nameStemsOf,
  ownStemsOf,
  readList,
  readText,
  type Run,
  trimToValue,
} from './extract-text.ts';
import { findValues, isFound, type ValueMatch } from './find-values.ts';
import { isBareNumber } from './bare-number.ts';
import { parameterOf } from './parameter-of.ts';
import { bySpecificity, compilePattern, isRemark, type ParameterShape, shapeOf } from './parameter-shape.ts';
import { isBoundary } from './phrases.ts';
import { isAlike, ownMatches } from './same-shape.ts';
import { type Scope, spanOf, textOf } from './scope.ts';

/** One value that was read for one parameter. */
export type ReadValue = {
  readonly parameter: string;
  readonly value: unknown;
  readonly rule: string;
  readonly span: readonly [number, number] | null;
  readonly text: string;
  /** The tokens `[from, to)` of the scope. */
  readonly run: Run;
  /** Another parameter for which the same words would have done. */
  readonly runnerUp: string | null;
};

/** What an utterance gives for the parameters of a tool. */
export type Extraction = {
  readonly read: readonly ReadValue[];
  /** Parameter -> what is wrong with the value that was given for it. */
  readonly invalid: Readonly<Record<string, string>>;
};

/** What is looked for. */
export type Wanted = {
  readonly tool: ToolConfig;
  /** Parameters that may be filled, the one that was asked for first. */
  readonly pending: readonly string[];
  readonly collected: Readonly<Record<string, unknown>>;
  /** The utterance says that an earlier value was wrong. */
  readonly corrects: boolean;
  /** Whether what remains may be the answer to a question for free text. */
  readonly mayTakeText: boolean;
};

/**
 * Reads values for pending parameters, and corrections of collected ones. Specific shapes take their words first; free text takes what is left, only when it was
 * asked for. Two different candidates for one parameter are no value, except after "me enganei", where the last one counts.
 */
export function extractParameters(scope: Scope, wanted: Wanted): Extraction {
  const work: Work = {
    scope,
    wanted,
    pending: parametersOf(wanted, wanted.pending),
    taken: scope.tokens.map(() => false),
    found: new Map(),
    read: new Map(),
    invalid: new Map(),
  };
  for (const parameter of targets(work)) takeTyped(work, parameter);
  // A value that has been read answers the question, and frees a number for another parameter.
  if (work.read.size > 0) for (const parameter of unread(work).filter(isNumeric)) takeTyped(work, parameter);
  takeReason(work);
  if (wanted.mayTakeText && (!wanted.corrects || work.read.size === 0)) takeRemainder(work);
  explainRefusal(work);
  return { read: [...work.read.values()], invalid: Object.fromEntries(work.invalid) };
}

type Work = {
  readonly scope: Scope;
  readonly wanted: Wanted;
  /** The declared ones among the pending parameters, in the order of the questions. */
  readonly pending: readonly ParameterConfig[];
  readonly taken: boolean[];
  /** What the utterance holds for a parameter, looked for once. */
  readonly found: Map<ParameterConfig, readonly ValueMatch[]>;
  readonly read: Map<string, ReadValue>;
  readonly invalid: Map<string, string>;
};

/** Collected parameters come first in a correction, else after the pending ones; within each the more specific shape. */
function targets({ wanted, pending }: Work): readonly ParameterConfig[] {
  const names = Object.keys(wanted.collected).filter((name) => !wanted.pending.includes(name));
  const collected = bySpecificity(parametersOf(wanted, names));
  return wanted.corrects ? [...collected, ...bySpecificity(pending)] : [...bySpecificity(pending), ...collected];
}

function parametersOf({ tool }: Wanted, names: readonly string[]): readonly ParameterConfig[] {
  return names.map((name) => parameterOf(tool, name)).filter((parameter) => parameter !== undefined);
}

function takeTyped(work: Work, parameter: ParameterConfig): void {
  if (!isFound(parameter)) return;
  const isPending = work.wanted.pending.includes(parameter.name);
  if (!isPending && !mayCorrect(work, parameter)) return;
  if (shapeOf(parameter) === 'boolean' && work.wanted.pending[0] !== parameter.name) return;
  const found = foundFor(work, parameter).filter((match) => isFree(work, match));
  const free = isPending ? meantFor(work, parameter, found) : found;
  const candidates = isPending
    ? ownMatches(work.scope, free, { parameter, rivals: rivalsOf(work, parameter) })
    : free.filter((match) => !isSame(match.value, work.wanted.collected[parameter.name]));
  const chosen = choose(candidates, work.wanted.corrects);
  if (chosen === null) return;
  if (chosen.problem !== null) {
    if (isPending) work.invalid.set(parameter.name, chosen.problem);
    return;
  }
  take(work, parameter, chosen);
}

function foundFor(work: Work, parameter: ParameterConfig): readonly ValueMatch[] {
  const found = work.found.get(parameter) ?? findValues(parameter, work.scope);
  work.found.set(parameter, found);
  return found;
}

const numericShapes: ReadonlySet<ParameterShape> = new Set(['money', 'integer', 'number']);

function isNumeric(parameter: ParameterConfig): boolean {
  return numericShapes.has(shapeOf(parameter));
}

/** "1001" belongs to what was asked for. Another number of the form gets it only by name, behind a comma of its own, or when the question has its answer. */
function meantFor(work: Work, parameter: ParameterConfig, matches: readonly ValueMatch[]): readonly ValueMatch[] {
  const asked = parameterOf(work.wanted.tool, work.wanted.pending[0]);
  if (asked === undefined || asked === parameter || !isNumeric(parameter)) return matches;
  if (work.read.has(asked.name) || mentions(work, parameter)) return matches;
  const isText = remainderShapes.includes(shapeOf(asked));
  const { scope } = work;
  return matches.filter(
    (match) => !isBareNumber(scope, match) || (isText && match.from > 0 && isBoundary(scope.tokens, match.from)),
  );
}

/** Pending parameters that take the same values and have none yet. */
function rivalsOf(work: Work, parameter: ParameterConfig): readonly ParameterConfig[] {
  return work.pending.filter((other) => isAlike(parameter, other) && !work.read.has(other.name));
}

/** A collected value changes when the user says so, names the parameter, or gives something that only it can be. */
function mayCorrect(work: Work, parameter: ParameterConfig): boolean {
  const shape = shapeOf(parameter);
  return work.wanted.corrects || shape === 'pattern' || mentions(work, parameter);
}

function mentions(work: Work, parameter: ParameterConfig): boolean {
  const { language, tokens } = work.scope;
  const names = nameStemsOf(parameter, language);
  return tokens.some((token) => names.has(token.stem));
}

function choose(matches: readonly ValueMatch[], corrects: boolean): ValueMatch | null {
  const good = matches.filter((match) => match.problem === null);
  const candidates = good.length > 0 ? good : matches;
  const isOne = candidates.every((match) => isSame(match.value, candidates[0]?.value));
  return isOne || corrects ? (candidates.at(-1) ?? null) : null;
}

function isFree(work: Work, run: Run): boolean {
  const taken = work.taken.indexOf(true, run.from);
  return taken < 0 || taken >= run.to;
}

function isSame(a: unknown, b: unknown): boolean {
  return String(a) === String(b);
}

function take(work: Work, parameter: ParameterConfig, match: Omit<ValueMatch, 'problem'>): void {
  const { scope } = work;
  work.taken.fill(true, match.from, match.to);
  work.read.set(parameter.name, {
    parameter: parameter.name,
    value: match.value,
    rule: match.rule,
    span: spanOf(scope, match.from, match.to),
    text: textOf(scope, match.from, match.to),
    run: { from: match.from, to: match.to },
    runnerUp: runnerUp(work, parameter),
  });
}

/** Another pending parameter of the same shape that has no value yet. */
function runnerUp(work: Work, taken: ParameterConfig): string | null {
  const rival = work.pending.find(
    (other) => other !== taken && shapeOf(other) === shapeOf(taken) && !work.read.has(other.name),
  );
  return rival?.name ?? null;
}

const remainderShapes: readonly ParameterShape[] = ['text', 'list'];

function unread(work: Work): readonly ParameterConfig[] {
  return work.pending.filter(({ name }) => !work.read.has(name));
}

/** "... porque atrasou demais" fills a parameter that asks for a reason, whenever it comes. */
function takeReason(work: Work): void {
  const parameter = unread(work).find((each) => isRemark(each) && shapeOf(each) === 'text');
  const reason = parameter === undefined ? null : findReason(work.scope);
  if (parameter === undefined || reason === null || !isFree(work, reason)) return;
  const value = readText(work.scope, reason);
  if (problemOf(work, parameter, value) === null) take(work, parameter, { ...reason, value, rule: 'extract.reason' });
}

function takeRemainder(work: Work): void {
  const [next] = unread(work);
  if (next === undefined || !remainderShapes.includes(shapeOf(next))) return;
  const run = longestFree(work);
  const trimmed = run === null ? null : trimToValue(work.scope, run, ownWords(work, next));
  if (trimmed === null) return;
  const isList = shapeOf(next) === 'list';
  const start = isList ? skipOwnWords(work, next, trimmed) : trimmed.from;
  const value = isList ? readList(work.scope, { ...trimmed, from: start }) : readText(work.scope, trimmed);
  const problem = problemOf(work, next, value);
  if (problem === null) take(work, next, { ...trimmed, from: start, value, rule: `extract.${shapeOf(next)}` });
  else work.invalid.set(next.name, problem);
}

/** "os produtos A e B": the parameter's own name is no part of the list. */
function skipOwnWords(work: Work, parameter: ParameterConfig, run: Run): number {
  const { language, tokens } = work.scope;
  const names = nameStemsOf(parameter, language);
  let at = run.from;
  // "PED-1001" is a code, also where the list is called "pedidos".
  while (
    at + 1 < run.to &&
    tokens[at + 1]?.isGlued !== true &&
    (names.has(tokens[at]?.stem ?? '') || isArticleBefore(work, at, names))
  )
    at += 1;
  return at;
}

function isArticleBefore(work: Work, at: number, names: ReadonlySet<string>): boolean {
  const { language, tokens } = work.scope;
  return language.stopWords.has(tokens[at]?.text ?? '') && names.has(tokens[at + 1]?.stem ?? '');
}

function longestFree(work: Work): Run | null {
  let best: Run | null = null;
  for (let from = 0; from < work.taken.length; from += 1) {
    let to = from;
    while (to < work.taken.length && work.taken[to] === false) to += 1;
    if (to > from && (best === null || to - from > best.to - best.from)) best = { from, to };
    from = to;
  }
  return best;
}

/** Words that only repeat what is being done: the tool's, the parameter's, and the names of parameters that have just been filled. */
function ownWords(work: Work, parameter: ParameterConfig): ReadonlySet<string> {
  const { tool } = work.wanted;
  const { language } = work.scope;
  const own = ownStemsOf(tool, parameter, language);
  if (work.read.size === 0) return own;
  const filled = parametersOf(work.wanted, [...work.read.keys()]);
  return new Set([...own, ...filled.flatMap((each) => [...nameStemsOf(each, language)])]);
}

function problemOf(work: Work, parameter: ParameterConfig, value: unknown): string | null {
  const { problems } = work.scope.language.lexicon;
  if (typeof value !== 'string' || parameter.pattern === null) return null;
  const expression = compilePattern(parameter.pattern);
  return expression === null || expression.test(value) ? null : problems.pattern(parameter.label);
}

/** Says what is wrong when the asked parameter got something that looks like an answer and is none. */
function explainRefusal(work: Work): void {
  const asked = parameterOf(work.wanted.tool, work.wanted.pending[0]);
  const isSettled = work.read.size > 0 || work.invalid.size > 0 || !work.wanted.mayTakeText;
  if (asked === undefined || isSettled) return;
  if (isOnlyAnswers(work.scope, { from: 0, to: work.scope.tokens.length })) return;
  const { problems } = work.scope.language.lexicon;
  const shape = shapeOf(asked);
  if (shape === 'enum' && isShort(work)) work.invalid.set(asked.name, problems.choices((asked.enum ?? []).join(', ')));
  if (shape === 'pattern' && hasDigits(work)) work.invalid.set(asked.name, problems.pattern(asked.label));
}

/** A few words and no question: meant as an answer. */
function isShort(work: Work): boolean {
  const { tokens, text } = work.scope;
  return tokens.length > 0 && tokens.length <= 4 && !text.tail.includes('?');
}

function hasDigits(work: Work): boolean {
  return work.scope.tokens.some((token, at) => token.kind === 'number' && work.taken[at] === false);
}
