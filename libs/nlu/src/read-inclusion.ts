import { readList, readText, type Run, trimToValue } from './extract-text.ts';
import { findPhrase, isBoundary, phraseAt } from './phrases.ts';
import { type ChangeMatch } from './proposal-change.ts';
import { type Scope } from './scope.ts';

/** What is shown, and the words of the operation itself. */
export type Shown = {
  readonly collected: Readonly<Record<string, unknown>>;
  /** Stems of the operation's own words. */
  readonly operation: ReadonlySet<string>;
  /** Stems of everything that is shown. */
  readonly topic: ReadonlySet<string>;
};

/**
 * Reads the wish for more beside what is shown: "inclui também o Pacote Esportes", "cancela também o Antivírus", "add the Sports Pack too". It is shown and
 * confirmed with the rest. Null when nothing is asked for or it is not said what.
 */
export function readInclusion(scope: Scope, shown: Shown): ChangeMatch | null {
  const verb = findPhrase(scope.language.include, scope.tokens);
  if (verb !== null) return isNegated(scope, verb.from) ? null : inclusionOf(scope, shown, verb);
  const also = findPhrase(scope.language.also, scope.tokens);
  const operation = also === null ? -1 : operationAt(scope, shown);
  return also === null || operation < 0 || isNegated(scope, operation)
    ? null
    : inclusionOf(scope, shown, { from: operation, to: operation + 1 });
}

function inclusionOf(scope: Scope, shown: Shown, verb: Run): ChangeMatch | null {
  const end = clauseEnd(scope, shown, verb.to);
  const labels = wordsOf(scope, shown, {
    from: skipAlso(scope, verb.to),
    to: withoutAlso(scope, { from: verb.to, to: end }),
  });
  return labels.length === 0
    ? null
    : { change: { kind: 'include', labels }, rule: 'change.include', from: verb.from, to: end };
}

/** Where the value is a list, its entries; else the text as it was said, whose parts only the validator or the tool can tell. */
function wordsOf(scope: Scope, shown: Shown, run: Run): readonly string[] {
  const value = run.from < run.to ? trimToValue(scope, run, shown.operation) : null;
  if (value === null || isVague(scope, value) || isShown(scope, shown, value)) return [];
  return holdsList(shown)
    ? readList(scope, value)
    : [readText(scope, { from: skipArticle(scope, value), to: value.to })];
}

/** "mais um", "another one": says that there is more, and not what. */
const vague = new Set(
  'mais um uma outro outra outros outras isso more one another it that mas uno una otro otra otros eso'.split(' '),
);

function isVague(scope: Scope, run: Run): boolean {
  return scope.tokens.slice(run.from, run.to).every(({ text }) => vague.has(text));
}

/** "sim, adiciona o Pacote Esportes", where that is what is shown: it is agreed to, and nothing is added. */
function isShown(scope: Scope, { topic }: Shown, run: Run): boolean {
  const { language } = scope;
  return scope.tokens
    .slice(run.from, run.to)
    .every(({ text, stem }) => topic.has(stem) || language.stopWords.has(text));
}

function holdsList({ collected }: Shown): boolean {
  return Object.values(collected).some((value) => Array.isArray(value));
}

const articles = new Set(['o', 'a', 'os', 'as', 'the', 'el', 'la', 'los', 'las', 'ao', 'al']);

function skipArticle(scope: Scope, run: Run): number {
  return run.from + 1 < run.to && articles.has(scope.tokens[run.from]?.text ?? '') ? run.from + 1 : run.from;
}

function skipAlso(scope: Scope, at: number): number {
  return phraseAt(scope.language.also, scope.tokens, at)?.to ?? at;
}

function withoutAlso(scope: Scope, run: Run): number {
  for (let at = run.from; at < run.to; at += 1) {
    if (phraseAt(scope.language.also, scope.tokens, at)?.to === run.to) return at;
  }
  return run.to;
}

/** Commas part the entries of a list; of anything else they end the clause. */
function clauseEnd(scope: Scope, shown: Shown, from: number): number {
  let at = from;
  while (at < scope.tokens.length && (at === from || !endsBefore(scope, shown, at))) at += 1;
  return at;
}

function endsBefore(scope: Scope, shown: Shown, at: number): boolean {
  if (phraseAt(scope.language.filler, scope.tokens, at) !== null) return true;
  const isComma = scope.tokens[at]?.mark === ',' && holdsList(shown);
  return isBoundary(scope.tokens, at) && !isComma;
}

/** The verb of the open operation ("cancela"). */
function operationAt(scope: Scope, { operation }: Shown): number {
  return scope.tokens.findIndex(({ stem }) => operation.has(stem));
}

function isNegated(scope: Scope, at: number): boolean {
  return at > 0 && scope.language.negations.has(scope.tokens[at - 1]?.text ?? '');
}
