import { type ProposalItem } from '@latch/contracts';
import { type ProposalChange } from '@latch/transaction';
import { readText, type Run, trimToValue } from './extract-text.ts';
import { findItems, type Mention } from './find-items.ts';
import { numberedPlaces } from './numbered-places.ts';
import { findPhrase, isBoundary, lookUp, phraseAt } from './phrases.ts';
import { type Scope } from './scope.ts';

/** A change of the proposal's items, with the rule and tokens that asked for it. */
export type ChangeMatch = {
  readonly change: ProposalChange;
  readonly rule: string;
  readonly from: number;
  readonly to: number;
};

/**
 * Reads a change of the effective set: "menos o Neymar Jr", "só os dois primeiros", "troca o 1002 por 1003", "o Neymar não". Null when it names no item of the
 * proposal, or when nothing would be left; then the answer stays unclear and is asked for again.
 */
export function readItemChange(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  if (items.length === 0) return null;
  return (
    readReplacement(scope, items) ??
    readInstead(scope, items) ??
    readExclusion(scope, items) ??
    readSelection(scope, items) ??
    readNegatedItem(scope, items)
  );
}

/** The items that a yes names without "only"; all or none of them are no selection. */
export function readNamedSubset(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  const mention = findItems(items, scope, { from: 0, to: scope.tokens.length });
  return isPart(mention, items)
    ? { change: { kind: 'only', itemIds: mention.itemIds }, rule: 'change.named', from: mention.from, to: mention.to }
    : null;
}

/** "los números 1 y 3", "sim, o primeiro e o terceiro": an answer that is nothing but places in the list means those. */
export function readPlaces(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  const all = { from: 0, to: scope.tokens.length };
  const mention = findItems(items, scope, all);
  const places = numberedPlaces(items, scope, all);
  if (!isPart(mention, items) || !isOnlyPlaces(scope, places)) return null;
  return {
    change: { kind: 'only', itemIds: mention.itemIds },
    rule: 'change.places',
    from: mention.from,
    to: mention.to,
  };
}

function isOnlyPlaces(scope: Scope, places: ReturnType<typeof numberedPlaces>): boolean {
  const { language, tokens } = scope;
  let hasPlace = false;
  for (let at = 0; at < tokens.length;) {
    const isPlace = places.has(at) || isOrdinal(scope, at);
    const aside = [language.yes, language.filler].map((table) => phraseAt(table, tokens, at)?.to ?? at);
    const to = isPlace || isBetweenPlaces(scope, at) ? at + 1 : Math.max(...aside);
    if (to === at) return false;
    hasPlace = hasPlace || isPlace;
    at = to;
  }
  return hasPlace;
}

function isOrdinal({ language, tokens }: Scope, at: number): boolean {
  const { ordinals, last } = language.lexicon;
  const word = tokens[at]?.text ?? '';
  return lookUp(ordinals, word) !== undefined || last.includes(word);
}

const articles = new Set(['o', 'a', 'os', 'as', 'the', 'el', 'la', 'los', 'las']);

/** "os números", "e", and the "dois" of "os dois primeiros". */
function isBetweenPlaces(scope: Scope, at: number): boolean {
  const { language, tokens } = scope;
  const word = tokens[at]?.text ?? '';
  if (articles.has(word) || language.placeNouns.has(word) || language.lexicon.numberJoin.includes(word)) return true;
  const isCount = tokens[at]?.kind === 'number' || lookUp(language.lexicon.numbers, word) !== undefined;
  return isCount && (isOrdinal(scope, at - 1) || isOrdinal(scope, at + 1));
}

function readReplacement(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  const { language, tokens } = scope;
  const verb = findPhrase(language.replace, tokens);
  const by = verb === null ? null : findPhrase(language.replaceBy, tokens, verb.to);
  if (verb === null || by === null) return null;
  const mention = findItems(items, scope, { from: verb.to, to: by.from, isLenient: true });
  const [itemId] = mention.itemIds;
  const end = clauseEnd(scope, by.to);
  const value = readText(scope, { from: skipArticle(scope, by.to), to: end });
  if (itemId === undefined || mention.itemIds.length !== 1 || value === '') return null;
  return { change: { kind: 'replace', itemId, by: value }, rule: 'change.replace', from: verb.from, to: end };
}

/** "1003 em vez de 1002", "em vez do 1002, o 1003". */
function readInstead(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  const { language, tokens } = scope;
  const match = findPhrase(language.insteadOf, tokens);
  if (match === null) return null;
  const end = clauseEnd(scope, match.to);
  const mention = findItems(items, scope, { from: match.to, to: end, isLenient: true });
  const [itemId] = mention.itemIds;
  const clause = clauseStart(scope, match.from);
  const start = phraseAt(language.include, tokens, clause)?.to ?? clause;
  const before = { from: start, to: match.from };
  const by = trimToValue(scope, before, noWords) ?? trimToValue(scope, { from: end, to: tokens.length }, noWords);
  if (itemId === undefined || mention.itemIds.length !== 1 || by === null) return null;
  const value = readText(scope, { from: skipArticle(scope, by.from), to: by.to });
  const [from, to] = [Math.min(by.from, match.from), Math.max(by.to, mention.to)];
  return { change: { kind: 'replace', itemId, by: value }, rule: 'change.instead', from, to };
}

const noWords: ReadonlySet<string> = new Set();

/** What is left when some items were named, in the three languages. */
const theOthers: ReadonlySet<string> = new Set(
  'outros outras demais resto restante restantes others rest other otros otras'.split(' '),
);

function clauseStart(scope: Scope, before: number): number {
  let at = before;
  while (at > 0 && !isBoundary(scope.tokens, at)) at -= 1;
  return at;
}

function readExclusion(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  const match = findPhrase(scope.language.exclude, scope.tokens);
  if (match === null) return null;
  const mention = findItems(items, scope, { from: match.to, to: scope.tokens.length, isLenient: true });
  if (!isPart(mention, items)) return null;
  return {
    change: { kind: 'exclude', itemIds: mention.itemIds },
    rule: 'change.exclude',
    from: match.from,
    to: mention.to,
  };
}

function readSelection(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  const match = findPhrase(scope.language.only, scope.tokens);
  if (match === null) return null;
  const behind = findItems(items, scope, { from: match.to, to: scope.tokens.length, isLenient: true });
  const mention =
    behind.itemIds.length > 0 ? behind : findItems(items, scope, { from: 0, to: match.from, isLenient: true });
  if (!isPart(mention, items) || isNegated(scope, match.from)) return null;
  // "não cancela o Neymar, só os outros": the named ones are those that are meant to go.
  const isRest = behind.itemIds.length === 0 && theOthers.has(scope.tokens[skipArticle(scope, match.to)]?.text ?? '');
  return {
    change: { kind: isRest ? 'exclude' : 'only', itemIds: mention.itemIds },
    rule: 'change.only',
    from: Math.min(match.from, mention.from),
    to: Math.max(match.to, mention.to),
  };
}

/** "não cancela o Neymar", "o Neymar não": a negation in the same clause as an item. */
function readNegatedItem(scope: Scope, items: readonly ProposalItem[]): ChangeMatch | null {
  for (const clause of clausesOf(scope)) {
    const at = negationIn(scope, clause);
    if (at === null || clause.to - clause.from < 2) continue;
    const mention = findItems(items, scope, clause);
    if (isPart(mention, items)) {
      return {
        change: { kind: 'exclude', itemIds: mention.itemIds },
        rule: 'change.negated-item',
        from: Math.min(at, mention.from),
        to: Math.max(at + 1, mention.to),
      };
    }
  }
  return null;
}

function negationIn(scope: Scope, clause: Run): number | null {
  for (let at = clause.from; at < clause.to; at += 1)
    if (scope.language.negations.has(scope.tokens[at]?.text ?? '')) return at;
  return null;
}

function isNegated(scope: Scope, at: number): boolean {
  return at > 0 && scope.language.negations.has(scope.tokens[at - 1]?.text ?? '') && scope.tokens[at]?.mark === '';
}

function isPart(mention: Mention, items: readonly ProposalItem[]): boolean {
  return mention.itemIds.length > 0 && mention.itemIds.length < items.length;
}

function clausesOf(scope: Scope): readonly Run[] {
  const starts = scope.tokens.flatMap((_, at) => (isBoundary(scope.tokens, at) ? [at] : []));
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? scope.tokens.length }));
}

function clauseEnd(scope: Scope, from: number): number {
  let at = from;
  while (
    at < scope.tokens.length &&
    (at === from || !isBoundary(scope.tokens, at)) &&
    phraseAt(scope.language.filler, scope.tokens, at) === null
  )
    at += 1;
  return at;
}

function skipArticle(scope: Scope, at: number): number {
  return ['o', 'a', 'os', 'as', 'the', 'el', 'la'].includes(scope.tokens[at]?.text ?? '') &&
    at + 1 < scope.tokens.length
    ? at + 1
    : at;
}
