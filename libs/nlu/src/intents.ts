import { type AgentConfig, type ToolConfig } from '@latch/contracts';
import { type IntentReading } from '@latch/transaction';
import { type Bag, type CompiledAgent, compileAgent, type Keyword, type Template } from './compile-agent.ts';
import { isBareNumber } from './bare-number.ts';
import { extractParameters, type ReadValue } from './extract-parameters.ts';
import { matchTemplate, openingStem, type TemplateMatch } from './match-template.ts';
import { shapeOf } from './parameter-shape.ts';
import { type Scope } from './scope.ts';
import { volunteered } from './volunteered.ts';

/** The intent that was read, with the rule that found it. */
export type IntentMatch = Omit<IntentReading, 'values'> & {
  readonly rule: string;
  /** The values that the same sentence gives, read only where they can count. */
  readonly readValues: () => IntentReading['values'];
};

const clearScore = 0.7;
const clearMargin = 0.1;
const proposedScore = 0.35;

/** Whether a stem alone interrupts nothing: a word of the domain, or the name of what was just asked for. */
export type IsGeneric = (stem: string) => boolean;

/**
 * Routes an utterance: an example that fits it whole, a keyword in it, or an example that resembles it, whichever says most. `isClear` only when the score is
 * high, the runner-up is far, and more than a word of the agent's own domain was said. Null when nothing points anywhere.
 */
export function readIntent(scope: Scope, agent: AgentConfig, isGeneric: IsGeneric): IntentMatch | null {
  const compiled = compileAgent(agent);
  const said: Said = { scope, compiled, isGeneric, content: contentOf(scope, compiled) };
  const board: Board = new Map();
  const best = scoreTemplates(said, board);
  scoreKeywords(said, board);
  scoreBags(said, board);
  const [winner, second] = firstTwo(board);
  if (winner === undefined || winner[1].score < proposedScore) return null;
  return toReading(said, { winner, second, template: best.get(winner[0]) });
}

type Said = {
  readonly scope: Scope;
  readonly compiled: CompiledAgent;
  readonly isGeneric: IsGeneric;
  /** The stems that say what is wanted, in their order. */
  readonly content: readonly string[];
};

/** How an intent stands so far. `isSpecific`: its evidence holds more than words of the domain. */
type Standing = { readonly score: number; readonly rule: string; readonly isSpecific: boolean };
type Board = Map<number, Standing>;
type Ranked = readonly [number, Standing];

function raise(board: Board, intent: number, standing: Standing): void {
  const before = board.get(intent);
  if (before === undefined || standing.score > before.score) board.set(intent, standing);
}

/** The two that stand highest; of equal ones the earlier of the configuration. */
function firstTwo(board: Board): readonly [Ranked?, Ranked?] {
  let winner: Ranked | undefined;
  let second: Ranked | undefined;
  for (const each of board) {
    if (winner === undefined || isBefore(each, winner)) [winner, second] = [each, winner];
    else if (second === undefined || isBefore(each, second)) second = each;
  }
  return [winner, second];
}

function isBefore([a, first]: Ranked, [b, second]: Ranked): boolean {
  return first.score > second.score || (first.score === second.score && a < b);
}

function toReading(
  { scope, compiled }: Said,
  of: { winner: Ranked; second: Ranked | undefined; template: TemplateMatch | undefined },
): IntentMatch | null {
  const [index, { score, rule, isSpecific }] = of.winner;
  const intent = compiled.intents[index];
  if (intent === undefined) return null;
  const { tool } = intent;
  const rival = of.second === undefined ? undefined : compiled.intents[of.second[0]];
  const runnerUp =
    of.second === undefined || rival === undefined
      ? null
      : { intent: rival.config.intent, score: round(of.second[1].score) };
  const isClear = isSpecific && score >= clearScore && score - (of.second?.[1].score ?? 0) >= clearMargin;
  return {
    intent: intent.config.intent,
    tool: intent.config.tool,
    score: round(score),
    isClear,
    runnerUp,
    rule,
    // One that is not clear starts nothing, so that nobody asks for its values.
    readValues: () => (tool === null || !isClear ? {} : valuesFor(scope, tool, of.template)),
  };
}

const round = (score: number): number => Math.round(score * 1000) / 1000;

/** Whole-utterance examples. The one with the most literal words wins; shorter ones that also fit fall behind it. */
function scoreTemplates(said: Said, board: Board): ReadonlyMap<number, TemplateMatch> {
  const { scope, compiled } = said;
  const best = new Map<number, TemplateMatch>();
  const stems = new Set(scope.tokens.map(({ stem }) => stem));
  const opening = openingStem(scope);
  for (const stem of stems) {
    const { templatesByStem, openTemplatesByStem } = compiled;
    for (const template of (stem === opening ? templatesByStem : openTemplatesByStem).get(stem) ?? []) {
      const known = best.get(template.intent);
      if (known !== undefined && !isLonger(template, known.template)) continue;
      if (!holdsLiterals(stems, template)) continue;
      const match = matchTemplate(template, scope, compiled.intents[template.intent]?.tool ?? null);
      if (match !== null) best.set(template.intent, match);
    }
  }
  const most = Math.max(0, ...[...best.values()].map((match) => match.template.literals));
  for (const [intent, { template }] of best) raise(board, intent, templateStanding(said, template, most));
  return best;
}

function holdsLiterals(stems: ReadonlySet<string>, template: Template): boolean {
  for (const element of template.elements) if (element.kind === 'literal' && !stems.has(element.stem)) return false;
  return true;
}

/** More literal words, then none left open, then more values told apart. */
function isLonger(a: Template, b: Template): boolean {
  if (a.literals !== b.literals) return a.literals > b.literals;
  if (a.hasPlaceholder !== b.hasPlaceholder) return b.hasPlaceholder;
  return a.elements.length > b.elements.length;
}

function templateStanding({ isGeneric }: Said, template: Template, most: number): Standing {
  const score = template.hasPlaceholder ? 0.8 + 0.04 * Math.min(template.literals, 4) : 1;
  const isBeaten = template.literals < most;
  const isSpecific = template.elements.some((each) => each.kind === 'literal' && !isGeneric(each.stem));
  return {
    score: isBeaten ? Math.min(score, 0.65) : score,
    rule: 'intent.example',
    isSpecific: isSpecific || (!template.hasPlaceholder && template.literals > 1),
  };
}

/** Keywords: their stems side by side, words without weight left out. */
function scoreKeywords(said: Said, board: Board): void {
  const { content, compiled } = said;
  content.forEach((stem, at) => {
    for (const keyword of compiled.keywordsByStem.get(stem) ?? []) {
      if (!keyword.stems.every((each, offset) => content[at + offset] === each)) continue;
      raise(board, keyword.intent, keywordStanding(said, keyword, at));
    }
  });
}

function keywordStanding({ compiled, content, isGeneric }: Said, keyword: Keyword, at: number): Standing {
  const length = keyword.stems.length;
  const isSpecific = keyword.stems.some((stem) => !isGeneric(stem));
  const { negations } = compiled.language;
  const isNegated = content.slice(Math.max(0, at - 2), at).some((stem) => negations.has(stem));
  const full = Math.min(0.95, 0.55 + 0.1 * Math.min(length, 3) + (0.25 * length) / content.length);
  const score = isSpecific ? full : Math.min(full, 0.5);
  return {
    score: isNegated && !keyword.stems.some((stem) => negations.has(stem)) ? score / 2 : score,
    rule: 'intent.keyword',
    isSpecific,
  };
}

/** The words that say what is wanted: neither those without weight nor numbers, amounts and identifiers, unless the configuration has them. */
function contentOf(scope: Scope, compiled: CompiledAgent): readonly string[] {
  const { stopWords } = scope.language;
  const content: string[] = [];
  scope.tokens.forEach(({ text, stem }, at) => {
    if (!stopWords.has(text) && (compiled.isKnown(stem) || !isOfValue(scope, at))) content.push(stem);
  });
  return content;
}

/** A number, what is written in one piece with it ("PED-1001", "R$"), and the currency behind it. */
function isOfValue({ tokens, language }: Scope, at: number): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (token === undefined || token.kind !== 'word') return true;
  const isGluedToNext = next?.isGlued === true && next.kind !== 'word';
  const isGluedToLast = token.isGlued && before !== undefined && before.kind !== 'word';
  const isCurrency = before?.kind === 'number' && Object.hasOwn(language.lexicon.currencies, token.text);
  return isGluedToNext || isGluedToLast || isCurrency;
}

const leastLikeness = 0.4;

/** Resemblance to examples: twice the shared weight over both weights. */
function scoreBags({ compiled, content, isGeneric }: Said, board: Board): void {
  const stems = new Set(content);
  let own = 0;
  for (const stem of stems) own += compiled.weightOf(stem);
  if (!mayResemble(own, compiled.heaviestBag)) return;
  const shared = new Map<Bag, { weight: number; isSpecific: boolean }>();
  for (const stem of stems) {
    for (const bag of compiled.bagsByStem.get(stem) ?? []) {
      const so = shared.get(bag) ?? { weight: 0, isSpecific: false };
      so.weight += compiled.weightOf(stem);
      so.isSpecific = so.isSpecific || !isGeneric(stem);
      shared.set(bag, so);
    }
  }
  for (const [bag, { weight, isSpecific }] of shared) {
    const likeness = (2 * weight) / (own + bag.weight);
    if (likeness >= leastLikeness)
      raise(board, bag.intent, { score: 0.9 * likeness, rule: 'intent.likeness', isSpecific });
  }
}

/** Whether an example of this weight, all of it shared, could resemble what was said. Sums differ in their last digits with their order, hence the margin. */
function mayResemble(own: number, bag: number): boolean {
  return (2 * bag) / (own + bag) >= leastLikeness - 0.01;
}

/** The values that an opening sentence gives: those of its example, then whatever else is unmistakable in it. */
function valuesFor(
  scope: Scope,
  tool: ToolConfig,
  template: TemplateMatch | undefined,
): Readonly<Record<string, unknown>> {
  const captured = template?.values ?? {};
  const isWhole = template === undefined || template.textRuns.length === 0;
  const rest = isWhole ? scope : { ...scope, tokens: scope.tokens.filter((_, at) => !isInside(template, at)) };
  const pending = volunteered(tool, captured);
  const { read } = extractParameters(rest, { tool, pending, collected: {}, corrects: false, mayTakeText: false });
  const sure = read.filter((match) => isSure(rest, tool, match));
  return { ...Object.fromEntries(sure.map(({ parameter, value }) => [parameter, value])), ...captured };
}

function isInside(template: TemplateMatch, at: number): boolean {
  return template.textRuns.some((run) => at >= run.from && at < run.to);
}

/** A bare number is no amount, and one or two digits are no identifier, unless they were asked for. */
function isSure(scope: Scope, tool: ToolConfig, read: ReadValue): boolean {
  const parameter = tool.parameters[read.parameter];
  const shape = parameter === undefined ? 'none' : shapeOf(parameter);
  if (shape === 'money') return !isBareNumber(scope, read.run);
  return shape !== 'code' || String(read.value).length > 2;
}
