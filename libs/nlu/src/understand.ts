import { type AgentConfig } from '@latch/contracts';
import { type Expectation, type IntentReading, type Understanding } from '@latch/transaction';
import { type Abandonment, readAbandonment } from './abandon.ts';
import { type Topic } from './answer-parts.ts';
import { compileAgent } from './compile-agent.ts';
import { type ConfirmationMatch, readConfirmation } from './confirmation.ts';
import { readSignals, saysCorrection } from './continuation.ts';
import { type Extraction, extractParameters } from './extract-parameters.ts';
import { askedStemsOf } from './extract-text.ts';
import { foldText, foldWords } from './fold-text.ts';
import { type IntentMatch, type IsGeneric, readIntent } from './intents.ts';
import { stemIn } from './language.ts';
import { parameterOf } from './parameter-of.ts';
import { isRemark, shapeOf } from './parameter-shape.ts';
import { findPhrase, isBoundary, phraseAt } from './phrases.ts';
import { toReading } from './reading.ts';
import { type Scope, scopeFrom } from './scope.ts';
import { topicOf } from './topic.ts';
import { readYesNo } from './yes-no.ts';

/** An utterance, and the situation in which it is read. `now` is an ISO-8601 instant. */
export type Utterance = {
  readonly text: string;
  readonly agent: AgentConfig;
  readonly expectation: Expectation;
  readonly now: string;
};

/** Longer texts are not read: no person answers with more, and the gateway accepts no more (GatewayRequest, `payload.message`). */
export const longestUtterance = 16_384;

/**
 * Reads one utterance: answer, change, farewell, values, intent, each with the rule, the span and the runner-up (DESIGN section 4, seeds/002 section 6). Pure and
 * without a model; it never throws, its time is linear in the text, and what it is not sure of it calls unclear. It weighs nothing against anything: which of the
 * readings counts is the precedence table's decision.
 */
export function understand(utterance: Utterance): Understanding {
  if (utterance.text.length > longestUtterance) return tooLong;
  const { agent, expectation, now } = utterance;
  const { language } = compileAgent(agent);
  const text = foldText(utterance.text, (word) => stemIn(language, word));
  const scope: Scope = { text, tokens: text.tokens, language, now, timeZone: agent.timeZone };
  const said = hear(scope, agent, expectation);
  const extraction = readPending(said);
  const farewell = said.farewell === null || isTakenBack(said, extraction) ? null : said.farewell;
  const answered = readConfirmation(scope, { ...said, farewell, corrects: said.corrects !== null });
  return assemble(said, { extraction, answered, abandons: farewell !== null });
}

/** What was heard before anything is decided about it. */
type Said = {
  readonly scope: Scope;
  readonly agent: AgentConfig;
  readonly expectation: Expectation;
  readonly topic: Topic;
  readonly farewell: Abandonment | null;
  /** The utterance behind a farewell or a short answer. */
  readonly spoken: Scope;
  readonly intent: IntentMatch | null;
  readonly corrects: { readonly rule: string; readonly from: number; readonly to: number } | null;
};

function hear(scope: Scope, agent: AgentConfig, expectation: Expectation): Said {
  const topic = topicOf(expectation, scope.language);
  const farewell = findFarewell(scope, topic, expectation);
  const spoken = scopeFrom(scope, farewell?.rest ?? skipAnswers(scope));
  const intent = readIntent(spoken, agent, genericWords(scope, agent, expectation));
  return {
    scope,
    agent,
    expectation,
    topic,
    farewell,
    spoken,
    intent,
    corrects: saysCorrection(scope) ?? saysInstead(scope, expectation),
  };
}

/** "1002 em vez de 1001", where 1001 is what was given before. */
function saysInstead(scope: Scope, expectation: Expectation): Said['corrects'] {
  if (expectation.kind !== 'parameters') return null;
  const match = findPhrase(scope.language.insteadOf, scope.tokens);
  if (match === null) return null;
  const said = scope.tokens.slice(match.to).map((token) => token.text);
  const isKnown = Object.values(expectation.collected).some((value) => {
    const words = typeof value === 'string' || typeof value === 'number' ? foldWords(String(value)) : [];
    return words.length > 0 && words.every((word) => said.includes(word));
  });
  return isKnown ? { rule: 'correction', from: match.from, to: match.to } : null;
}

/** The bare verb "cancelar" answers a question for free text; it is tried as a value first (DESIGN section 4). */
function findFarewell(scope: Scope, topic: Topic, expectation: Expectation): Abandonment | null {
  const farewell = readAbandonment(scope, topic, expectation.kind === 'confirmation');
  if (farewell?.rule !== 'abandon.verb' || expectation.kind !== 'parameters') return farewell;
  const asked = parameterOf(expectation.tool, expectation.missing[0]);
  return asked !== undefined && shapeOf(asked) === 'text' ? null : farewell;
}

/** "esquece, é o PED-1002" goes on; so does "nevermind, make it four" at a confirmation; "esquece... sim" contradicts itself. */
function isTakenBack(said: Said, extraction: Extraction): boolean {
  const { spoken, intent, expectation } = said;
  if (spoken.tokens.length === 0) return false;
  if (extraction.read.length > 0 || readYesNo(spoken, said.topic).reading === 'yes') return true;
  return expectation.kind === 'confirmation' && intent?.isClear !== true;
}

/** Words that ask for one more beside what is shown, in the three languages, folded. */
const oneMore: ReadonlySet<string> = new Set(
  'tambem inclui inclua adiciona adicione acrescenta acrescente also too include add tambien incluye agrega anade'.split(
    ' ',
  ),
);

const nothing: Extraction = { read: [], invalid: {} };

/** Values for what was asked. An unequivocal wish for something else gives none: its words belong to the new intent. */
function readPending(said: Said): Extraction {
  const { expectation } = said;
  if (expectation.kind !== 'parameters' || isOtherWish(said, expectation)) return nothing;
  const scope = said.farewell === null ? said.scope : said.spoken;
  return extractParameters(scope, {
    tool: expectation.tool,
    pending: expectation.missing,
    collected: expectation.collected,
    corrects: said.corrects !== null,
    mayTakeText: said.farewell === null,
  });
}

/** A remark may hold anything, so only an announced wish takes it away from the question. */
function isOtherWish(said: Said, expectation: Extract<Expectation, { kind: 'parameters' }>): boolean {
  if (said.intent?.isClear !== true || said.intent.tool === expectation.tool.name) return false;
  const asked = parameterOf(expectation.tool, expectation.missing[0]);
  return asked === undefined || !isRemark(asked) || said.farewell !== null || announcesWish(said.spoken);
}

function announcesWish(scope: Scope): boolean {
  return scope.tokens.some((_, at) => at < 3 && phraseAt(scope.language.request, scope.tokens, at) !== null);
}

/**
 * Words that alone interrupt nothing: those of the domain, those that any question begins with, and the names of what was asked for ("o pedido é ..." is no wish
 * to track an order). With nothing open there is nothing to interrupt, and any keyword may start its intent.
 */
function genericWords(scope: Scope, agent: AgentConfig, expectation: Expectation): IsGeneric {
  if (expectation.kind === 'nothing') return () => false;
  const { genericStems } = compileAgent(agent);
  if (expectation.kind !== 'parameters') return (stem) => genericStems.has(stem);
  const asked = expectation.missing.flatMap((name) => {
    const parameter = parameterOf(expectation.tool, name);
    return parameter === undefined ? [] : [askedStemsOf(parameter, scope.language)];
  });
  return (stem) => genericStems.has(stem) || asked.some((stems) => stems.has(stem));
}

/** Where something else begins behind "não," or "ah, ops,". */
function skipAnswers(scope: Scope): number {
  const { language, tokens } = scope;
  const tables = [language.no, language.yes, language.filler, language.correction];
  let at = 0;
  for (;;) {
    const end = Math.max(...tables.map((table) => phraseAt(table, tokens, at)?.to ?? 0));
    if (end === 0 || end >= tokens.length || !isBoundary(tokens, end)) return at;
    at = end;
  }
}

type Decided = {
  readonly extraction: Extraction;
  readonly answered: ConfirmationMatch;
  readonly abandons: boolean;
};

function assemble(said: Said, { extraction, answered, abandons }: Decided): Understanding {
  const { scope, intent, corrects } = said;
  const isValue = extraction.read.length > 0;
  const isAnswer =
    abandons || isValue || (said.expectation.kind === 'confirmation' && answered.confirmation !== 'unclear');
  const signals = isAnswer ? { retry: null, resume: null } : readSignals(scope);
  const wish = intent === null ? null : forEngine(intent, said, answered);
  const pending = {
    ...Object.fromEntries(extraction.read.map(({ parameter, value }) => [parameter, value])),
    ...restated(wish, said.expectation),
  };
  const changed = answered.change?.kind === 'values' ? answered.change.values : {};
  const heard = [corrects, signals.retry, signals.resume].filter((match) => match !== null);
  return {
    confirmation: answered.confirmation,
    change: answered.change,
    abandons,
    values: { ...pending, ...changed },
    invalid: extraction.invalid,
    corrects: corrects !== null,
    intent: wish,
    hasDomainWord: hasDomainWord(scope, said.agent),
    retriesFailed: signals.retry !== null,
    resumes: signals.resume !== null,
    readings: [
      ...answered.readings,
      ...extraction.read.map(({ rule, span, text, runnerUp }) => ({ rule, span, text, runnerUp })),
      ...(intent === null ? [] : [intentReading(said.spoken, intent)]),
      ...heard.map((match) => toReading(scope, match)),
    ],
  };
}

function intentReading(scope: Scope, intent: IntentMatch): Understanding['readings'][number] {
  return toReading(scope, { rule: intent.rule, from: 0, to: scope.tokens.length }, intent.runnerUp?.intent ?? null);
}

/** The open intent said again with its object ("não contratei o TIM Fashion"): its example tells the value better than what is left of the sentence. */
function restated(intent: Understanding['intent'], expectation: Expectation): Readonly<Record<string, unknown>> {
  if (expectation.kind !== 'parameters' || intent?.isClear !== true || intent.tool !== expectation.tool.name) return {};
  const texts = expectation.missing.filter((name) => {
    const parameter = parameterOf(expectation.tool, name);
    return parameter !== undefined && (shapeOf(parameter) === 'text' || shapeOf(parameter) === 'list');
  });
  return Object.fromEntries(
    texts.filter((name) => Object.hasOwn(intent.values, name)).map((name) => [name, intent.values[name]]),
  );
}

/**
 * Words that answer the open question are no values of an opening sentence: "sim, cancela os três" names no service "três". Neither is a wish for one more
 * ("cancela o Antivírus também"): taken for the value, it would replace what is shown, so the question is put again.
 */
function forEngine(match: IntentMatch, said: Said, answered: ConfirmationMatch): IntentReading {
  const { intent, tool, score, isClear, runnerUp } = match;
  const { expectation, spoken } = said;
  const isAnswer =
    expectation.kind === 'confirmation' &&
    (answered.confirmation !== 'unclear' || spoken.tokens.some(({ text }) => oneMore.has(text)));
  const values = isAnswer && tool === expectation.tool.name ? {} : match.readValues();
  return { intent, tool, score, isClear, values, runnerUp };
}

function hasDomainWord(scope: Scope, agent: AgentConfig): boolean {
  const { domainStems } = compileAgent(agent);
  return domainStems.size > 0 && scope.tokens.some((token) => domainStems.has(token.stem));
}

const tooLong: Understanding = {
  confirmation: 'unclear',
  change: null,
  abandons: false,
  values: {},
  invalid: {},
  corrects: false,
  intent: null,
  hasDomainWord: false,
  retriesFailed: false,
  resumes: false,
  readings: [{ rule: 'text.too-long', span: null, text: '', runnerUp: null }],
};
