import { type AgentConfig, type ToolConfig } from '@latch/contracts';
import { type IntentReading } from '@latch/transaction';
import { type CompiledAgent, compileAgent, type Keyword, type Template } from './compile-agent.ts';
import { isBareNumber } from './bare-number.ts';
import { extractParameters, type ReadValue } from './extract-parameters.ts';
import { stemIn } from './language.ts';
import { matchTemplate, type Stemmed, type TemplateMatch } from './match-template.ts';
import { shapeOf } from './parameter-shape.ts';
import { type Scope } from './scope.ts';
import { volunteered } from './volunteered.ts';

/** The intent that was read, with the rule that found it. */
export type IntentMatch = IntentReading & { readonly rule: string };

const clearScore = 0.7;
const clearMargin = 0.1;
const proposedScore = 0.35;

/**
 * Routes an utterance: an example that fits it whole, a keyword in it, or an example that resembles it, whichever says most. `isClear` only when the score is
 * high, the runner-up is far, and more than a word of the agent's own domain was said. Null when nothing points anywhere.
 *
 * @param generic stems that alone interrupt nothing: words of the domain, and the names of what was just asked for.
 */
export function readIntent(scope: Scope, agent: AgentConfig, generic: ReadonlySet<string>): IntentMatch | null {
  const compiled = { ...compileAgent(agent), domainStems: generic };
  const said: Stemmed = { scope, stems: scope.tokens.map((token) => stemIn(scope.language, token.text)) };
  const board = new Map<number, Standing>();
  const best = scoreTemplates(compiled, said, board);
  scoreKeywords(compiled, said, board);
  scoreBags(compiled, said, board);
  const ranked = [...board.entries()].sort(([a, first], [b, second]) => second.score - first.score || a - b);
  const [winner, second] = ranked;
  if (winner === undefined || winner[1].score < proposedScore) return null;
  return toReading(compiled, { winner, second, scope, template: best.get(winner[0]) });
}

/** How an intent stands so far. `isSpecific`: its evidence holds more than words of the domain. */
type Standing = { readonly score: number; readonly rule: string; readonly isSpecific: boolean };
type Board = Map<number, Standing>;
type Ranked = readonly [number, Standing];

function raise(board: Board, intent: number, standing: Standing): void {
  const before = board.get(intent);
  if (before === undefined || standing.score > before.score) board.set(intent, standing);
}

function toReading(
  compiled: CompiledAgent,
  of: { winner: Ranked; second: Ranked | undefined; scope: Scope; template: TemplateMatch | undefined },
): IntentMatch | null {
  const [index, { score, rule, isSpecific }] = of.winner;
  const intent = compiled.intents[index];
  if (intent === undefined) return null;
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
    // One that is not clear starts nothing, so that nobody asks for its values.
    values: intent.tool === null || !isClear ? {} : valuesFor(of.scope, intent.tool, of.template),
    runnerUp,
    rule,
  };
}

const round = (score: number): number => Math.round(score * 1000) / 1000;

/** Whole-utterance examples. The one with the most literal words wins; shorter ones that also fit fall behind it. */
function scoreTemplates(compiled: CompiledAgent, said: Stemmed, board: Board): ReadonlyMap<number, TemplateMatch> {
  const best = new Map<number, TemplateMatch>();
  for (const stem of new Set(said.stems)) {
    for (const template of compiled.templatesByStem.get(stem) ?? []) {
      const known = best.get(template.intent);
      if (known !== undefined && !isLonger(template, known.template)) continue;
      const match = matchTemplate(template, said, compiled.intents[template.intent]?.tool ?? null);
      if (match !== null) best.set(template.intent, match);
    }
  }
  const most = Math.max(0, ...[...best.values()].map((match) => match.template.literals));
  for (const [intent, { template }] of best) raise(board, intent, templateStanding(compiled, template, most));
  return best;
}

/** More literal words, then none left open, then more values told apart. */
function isLonger(a: Template, b: Template): boolean {
  if (a.literals !== b.literals) return a.literals > b.literals;
  if (a.hasPlaceholder !== b.hasPlaceholder) return b.hasPlaceholder;
  return a.elements.length > b.elements.length;
}

function templateStanding(compiled: CompiledAgent, template: Template, most: number): Standing {
  const score = template.hasPlaceholder ? 0.8 + 0.04 * Math.min(template.literals, 4) : 1;
  const isBeaten = template.literals < most;
  const isSpecific = template.elements.some((each) => each.kind === 'literal' && !compiled.domainStems.has(each.stem));
  return {
    score: isBeaten ? Math.min(score, 0.65) : score,
    rule: 'intent.example',
    isSpecific: isSpecific || (!template.hasPlaceholder && template.literals > 1),
  };
}

/** Keywords: their stems side by side, words without weight left out. */
function scoreKeywords(compiled: CompiledAgent, said: Stemmed, board: Board): void {
  const content = contentOf(compiled, said);
  content.forEach((stem, at) => {
    for (const keyword of compiled.keywordsByStem.get(stem) ?? []) {
      if (!keyword.stems.every((each, offset) => content[at + offset] === each)) continue;
      raise(board, keyword.intent, keywordStanding(compiled, keyword, { content, at }));
    }
  });
}

function keywordStanding(
  compiled: CompiledAgent,
  keyword: Keyword,
  place: { content: readonly string[]; at: number },
): Standing {
  const length = keyword.stems.length;
  const isSpecific = keyword.stems.some((stem) => !compiled.domainStems.has(stem));
  const { negations } = compiled.language;
  const isNegated = place.content.slice(Math.max(0, place.at - 2), place.at).some((stem) => negations.has(stem));
  const full = Math.min(0.95, 0.55 + 0.1 * Math.min(length, 3) + (0.25 * length) / place.content.length);
  const score = isSpecific ? full : Math.min(full, 0.5);
  return {
    score: isNegated && !keyword.stems.some((stem) => negations.has(stem)) ? score / 2 : score,
    rule: 'intent.keyword',
    isSpecific,
  };
}

/** The words that say what is wanted: neither those without weight nor numbers, amounts and identifiers, unless the configuration has them. */
function contentOf(compiled: CompiledAgent, said: Stemmed): readonly string[] {
  const { language, tokens } = said.scope;
  return said.stems.filter(
    (stem, at) =>
      !language.stopWords.has(tokens[at]?.text ?? '') && (compiled.isKnown(stem) || !isOfValue(said.scope, at)),
  );
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

/** Resemblance to examples: twice the shared weight over both weights. */
function scoreBags(compiled: CompiledAgent, said: Stemmed, board: Board): void {
  const stems = new Set(contentOf(compiled, said));
  const own = [...stems].reduce((sum, stem) => sum + compiled.weightOf(stem), 0);
  const shared = new Map<
    { readonly intent: number; readonly weight: number },
    { weight: number; isSpecific: boolean }
  >();
  for (const stem of stems) {
    for (const bag of compiled.bagsByStem.get(stem) ?? []) {
      const so = shared.get(bag) ?? { weight: 0, isSpecific: false };
      const isSpecific = so.isSpecific || !compiled.domainStems.has(stem);
      shared.set(bag, { weight: so.weight + compiled.weightOf(stem), isSpecific });
    }
  }
  for (const [bag, { weight, isSpecific }] of shared) {
    const likeness = (2 * weight) / (own + bag.weight);
    if (likeness >= 0.4) raise(board, bag.intent, { score: 0.9 * likeness, rule: 'intent.likeness', isSpecific });
  }
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
