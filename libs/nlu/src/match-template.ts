import { type ParameterConfig, type ToolConfig } from '@latch/contracts';
import { type Template } from './compile-agent.ts';
import { findDates } from './find-dates.ts';
import { findMoney } from './find-money.ts';
import { ownStemsOf, readList, readText, type Run, trimToValue } from './extract-text.ts';
import { findValues } from './find-values.ts';
import { parameterOf } from './parameter-of.ts';
import { shapeOf } from './parameter-shape.ts';
import { phraseAt } from './phrases.ts';
import { type Scope, scopeFrom, todayOf } from './scope.ts';

/** An example that fits the whole utterance. */
export type TemplateMatch = {
  readonly template: Template;
  readonly values: Readonly<Record<string, unknown>>;
  /** Tokens that free text took; no other value is read from them. */
  readonly textRuns: readonly Run[];
};

/**
 * Fits an example to an utterance: its words in order, words without weight skipped, each placeholder taking the words up to the next literal. Null when a word
 * is missing, something else is said, or a captured value does not fit its parameter's declaration.
 */
export function matchTemplate(template: Template, scope: Scope, tool: ToolConfig | null): TemplateMatch | null {
  const captures = capture(template, scope, tool);
  if (captures === null) return null;
  const values: Record<string, unknown> = {};
  const textRuns: Run[] = [];
  for (const [name, run] of captures) {
    const parameter = tool === null ? undefined : parameterOf(tool, name);
    if (tool === null || parameter === undefined) continue;
    const read = readCapture(tool, parameter, { scope, run });
    if (read === null) return null;
    values[name] = read.value;
    textRuns.push(read.run);
  }
  return { template, values, textRuns };
}

/** The stem of the first token that carries something: an example that begins with a word of its own begins with this one. */
export function openingStem(scope: Scope): string | undefined {
  return scope.tokens[skipWeightless(scope, 0)]?.stem;
}

function capture(template: Template, scope: Scope, tool: ToolConfig | null): ReadonlyMap<string, Run> | null {
  const captures = new Map<string, Run>();
  let at = 0;
  for (let index = 0; index < template.elements.length; index += 1) {
    const element = template.elements[index];
    if (element?.kind === 'literal') {
      const found = skipWeightless(scope, at);
      if (scope.tokens[found]?.stem !== element.stem) return null;
      at = found + 1;
    } else if (element?.kind === 'parameter') {
      const end = captureEnd(template, index, { scope, at, tool });
      if (end === null || end <= at) return null;
      captures.set(element.name, { from: at, to: end });
      at = end;
    }
  }
  return skipWeightless(scope, at) === scope.tokens.length ? captures : null;
}

/** The next token that carries something: neither courtesy nor an announcement of a wish nor a function word. */
function skipWeightless({ language, tokens }: Scope, from: number): number {
  let at = from;
  for (;;) {
    const phrase = phraseAt(language.filler, tokens, at) ?? phraseAt(language.request, tokens, at);
    if (phrase !== null) at = phrase.to;
    else if (language.stopWords.has(tokens[at]?.text ?? '')) at += 1;
    else return at;
  }
}

type Place = { readonly scope: Scope; readonly at: number; readonly tool: ToolConfig | null };

function captureEnd(template: Template, index: number, place: Place): number | null {
  const next = template.elements[index + 1];
  if (next === undefined) return place.scope.tokens.length;
  if (next.kind === 'parameter') return typedEnd(template, index, place);
  const end = place.scope.tokens.findIndex(({ stem }, at) => at > place.at && stem === next.stem);
  return end < 0 ? null : end;
}

/** "{valor} de {subject}": with no word of weight between them, the first one ends where its value does. */
function typedEnd(template: Template, index: number, { scope, at, tool }: Place): number | null {
  const element = template.elements[index];
  const name = element?.kind === 'parameter' ? element.name : '';
  const parameter = tool === null ? undefined : parameterOf(tool, name);
  if (parameter === undefined) return null;
  const [first] = findValues(parameter, scopeFrom(scope, at));
  return first === undefined || first.problem !== null || first.from > 2 ? null : at + first.to;
}

type Capture = { readonly scope: Scope; readonly run: Run };
type Captured = { readonly value: unknown; readonly run: Run };

function readCapture(tool: ToolConfig, parameter: ParameterConfig, { scope, run }: Capture): Captured | null {
  const shape = shapeOf(parameter);
  if (shape === 'text' || shape === 'list')
    return readWords(parameter, { scope, run }, ownStemsOf(tool, parameter, scope.language));
  const inside = { ...scope, tokens: scope.tokens.slice(run.from, run.to) };
  const good = findValues(parameter, inside).filter((match) => match.problem === null);
  const [first] = good;
  if (first === undefined || good.some((match) => String(match.value) !== String(first.value))) return null;
  return { value: first.value, run: { from: run.from + first.from, to: run.from + first.to } };
}

function readWords(
  parameter: ParameterConfig,
  { scope, run }: Capture,
  ownWords: ReadonlySet<string>,
): Captured | null {
  const trimmed = trimToValue(scope, withoutAmounts(scope, run), ownWords);
  if (trimmed === null) return null;
  const value = shapeOf(parameter) === 'list' ? readList(scope, trimmed) : readText(scope, trimmed);
  return { value, run: trimmed };
}

/** "TIM Fashion de R$ 71,99", "R$ 71,99 do TIM Fashion": an amount or a date at an end belongs to another parameter. */
function withoutAmounts(scope: Scope, run: Run): Run {
  const inside = scope.tokens.slice(run.from, run.to);
  const { lexicon } = scope.language;
  const amounts = [...findMoney(inside, lexicon), ...findDates(inside, todayOf(scope), lexicon)];
  const start = inside.findIndex((token) => !scope.language.stopWords.has(token.text));
  const head = amounts.find((match) => match.from <= Math.max(start, 0) && match.to < inside.length);
  const tail = amounts.find((match) => match.to === inside.length && match.from > 0);
  return { from: run.from + (head?.to ?? 0), to: tail === undefined ? run.to : run.from + tail.from };
}
