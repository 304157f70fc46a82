import { type ConfirmationReading, type Expectation, type ProposalChange, type Reading } from '@latch/transaction';
import { type Abandonment } from './abandon.ts';
import { type Topic } from './answer-parts.ts';
import { extractParameters } from './extract-parameters.ts';
import { readText, trimToValue } from './extract-text.ts';
import { type IntentMatch } from './intents.ts';
import { shapeOf } from './parameter-shape.ts';
import { isBoundary, phraseAt } from './phrases.ts';
import { type ChangeMatch, readItemChange, readNamedSubset, readPlaces } from './proposal-change.ts';
import { readInclusion } from './read-inclusion.ts';
import { toReading } from './reading.ts';
import { type Scope, scopeFrom } from './scope.ts';
import { operationStems } from './topic.ts';
import { type Answer, readYesNo } from './yes-no.ts';
import { volunteered } from './volunteered.ts';

/** Everything that an utterance says about an open question. */
export type ConfirmationMatch = {
  readonly confirmation: ConfirmationReading;
  readonly change: ProposalChange | null;
  readonly readings: readonly Reading[];
};

/** What is known about the utterance and the situation already. */
export type Situation = {
  readonly expectation: Expectation;
  readonly topic: Topic;
  /** The farewell, where it counts as one. */
  readonly farewell: Abandonment | null;
  readonly intent: IntentMatch | null;
  readonly corrects: boolean;
};

/**
 * Reads the answer to a confirmation with the change that it may hold. A change is always proposed again and confirmed anew, so it may be read more freely than a
 * yes; a plain yes is read by the closed grammar only.
 */
export function readConfirmation(scope: Scope, situation: Situation): ConfirmationMatch {
  const answer = readYesNo(scope, situation.topic);
  const { expectation, farewell } = situation;
  if (farewell !== null)
    return { confirmation: 'no', change: null, readings: [toReading(scope, farewell, answer.rule)] };
  if (expectation.kind !== 'confirmation' || !scope.text.isPlain) return plainAnswer(scope, answer);
  const found = readChange(scope, { answer, situation, expectation });
  if (found === null) return plainAnswer(scope, withoutDoubt(scope, answer, expectation));
  return {
    confirmation: answerWithChange(answer, found.change),
    change: found.change,
    readings: [toReading(scope, found, answer.rule), ...found.readings],
  };
}

type Awaiting = Extract<Expectation, { kind: 'confirmation' }>;
type Open = { readonly answer: Answer; readonly situation: Situation; readonly expectation: Awaiting };
type Change = ChangeMatch & { readonly readings: readonly Reading[] };

function plainAnswer(scope: Scope, answer: Answer): ConfirmationMatch {
  return { confirmation: answer.reading, change: null, readings: [toReading(scope, answer, answer.runnerUp)] };
}

/** "não, o Neymar" of three items: it refuses, or it names the one that is meant; asked again, nothing is dropped. */
function withoutDoubt(scope: Scope, answer: Answer, expectation: Awaiting): Answer {
  if (answer.reading !== 'no' || readNamedSubset(scope, expectation.items) === null) return answer;
  return { ...answer, reading: 'no_with_change', rule: 'yes-no.no-and-item' };
}

function readChange(scope: Scope, open: Open): Change | null {
  const { answer, situation, expectation } = open;
  const named = readNamedChange(scope, open);
  if (named !== undefined) return named === null ? null : { ...named, readings: [] };
  if (answer.reading === 'yes') return ofYes(scope, expectation);
  if (answer.reading === 'no' || isOtherWish(situation.intent, expectation)) return null;
  return readValues(scope, expectation) ?? readNewText(scope, open);
}

/** A change that is asked for in so many words; null: two of which only one could be shown, so neither is. Undefined: none. */
function readNamedChange(scope: Scope, { situation, expectation, answer }: Open): ChangeMatch | null | undefined {
  const { tool, items, collected } = expectation;
  const change = readItemChange(scope, items) ?? (answer.saysNo ? null : readPlaces(scope, items));
  if (change?.change.kind === 'replace' || isOtherWish(situation.intent, expectation)) return change ?? undefined;
  const operation = operationStems(tool, scope.language);
  const more = readInclusion(scope, { collected, operation, topic: situation.topic.stems });
  if (more === null || change === null) return more ?? change ?? undefined;
  return null;
}

/** A yes that names some of the items is a yes to those. */
function ofYes(scope: Scope, expectation: Awaiting): Change | null {
  const named = expectation.items.length > 1 ? readNamedSubset(scope, expectation.items) : null;
  return named === null ? null : { ...named, readings: [] };
}

function isOtherWish(intent: IntentMatch | null, expectation: Awaiting): boolean {
  return intent?.isClear === true && intent.tool !== expectation.tool.name;
}

/** Other values for the parameters of the proposal: "não, é o PED-1002", "make it on March 13th". */
function readValues(scope: Scope, { tool, collected }: Awaiting): Change | null {
  const pending = volunteered(tool, collected);
  const { read } = extractParameters(scope, { tool, pending, collected, corrects: true, mayTakeText: false });
  if (read.length === 0) return null;
  const values = Object.fromEntries(read.map(({ parameter, value }) => [parameter, value]));
  const readings = read.map(({ rule, span, text, runnerUp }) => ({ rule, span, text, runnerUp }));
  return { change: { kind: 'values', values }, rule: 'change.values', from: 0, to: scope.tokens.length, readings };
}

/** "não, é o TIM Music": a new text for the only free-text value, when it is announced as one. */
function readNewText(scope: Scope, { expectation, situation, answer }: Open): Change | null {
  const { tool, collected } = expectation;
  const texts = Object.values(tool.parameters).filter(
    (each) => Object.hasOwn(collected, each.name) && shapeOf(each) === 'text',
  );
  const [parameter] = texts;
  if (parameter === undefined || texts.length !== 1 || !(answer.saysNo || situation.corrects)) return null;
  const start = announcedAt(scope);
  if (start === null) return null;
  const rest = scopeFrom(scope, start);
  const run = trimToValue(rest, { from: 0, to: rest.tokens.length }, situation.topic.stems);
  if (run === null) return null;
  const values = { [parameter.name]: readText(rest, run) };
  return {
    change: { kind: 'values', values },
    rule: 'change.text',
    from: start + run.from,
    to: start + run.to,
    readings: [],
  };
}

const copulas = new Set(['e', 'eh', 'es', 'is', 'era', 'seria', 's']);

/** Where a value is announced: behind "é" or "quis dizer" at the start of a clause. */
function announcedAt(scope: Scope): number | null {
  for (let at = 0; at < scope.tokens.length; at += 1) {
    const correction = phraseAt(scope.language.correction, scope.tokens, at);
    if (correction !== null && correction.to < scope.tokens.length) return correction.to;
    if (at > 0 && isBoundary(scope.tokens, at) && copulas.has(scope.tokens[at]?.text ?? '')) return at + 1;
  }
  return null;
}

function answerWithChange(answer: Answer, change: ProposalChange): ConfirmationReading {
  if (answer.saysYes && !answer.saysNo) return 'yes_with_change';
  const keepsPart = change.kind !== 'replace' && change.kind !== 'values';
  const isRefused = answer.saysNo && !answer.saysYes && answer.from === 0;
  return keepsPart && !isRefused ? 'yes_with_change' : 'no_with_change';
}
