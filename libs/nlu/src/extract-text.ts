import { type ParameterConfig, type ToolConfig } from '@latch/contracts';
import { foldWords, markAt, wordAt } from './fold-text.ts';
import { type Language, stemIn } from './language.ts';
import { nameWords } from './parameter-shape.ts';
import { findPhrase, isBoundary, phraseAt, type PhraseTable } from './phrases.ts';
import { plainText, type Scope, textOf } from './scope.ts';

/** A run of tokens `[from, to)`. */
export type Run = { readonly from: number; readonly to: number };

const longestText = 2_000;

/**
 * The run without what surrounds a value: courtesy, "é o", "quero cancelar" before it; courtesy and dangling connectors after it. Null when nothing but such
 * words is left, or nothing but yes, no, doubt and greetings: those are no values. A noun of the question before a proper name ("o serviço TIM Fashion") is no
 * part of the name; in "Pacote Esportes", where it is written as one, it is.
 *
 * @param ownWords stems of the operation itself ("cancel", "pedid"): a run of them alone repeats the wish and is no value.
 */
export function trimToValue(scope: Scope, run: Run, ownWords: ReadonlySet<string>): Run | null {
  const start = skipOwnNoun(scope, { from: skipLeadIns(scope, run), to: run.to }, ownWords);
  const end = skipTail(scope, { from: start, to: run.to });
  const trimmed = { from: start, to: end };
  if (end <= start || isOnlyAnswers(scope, trimmed) || isOnly(scope, trimmed, ownWords)) return null;
  return textOf(scope, start, end).length > longestText ? null : trimmed;
}

/** The value of a free-text parameter: as it was written. */
export function readText(scope: Scope, run: Run): string {
  return plainText(textOf(scope, run.from, run.to));
}

/** The reason that a run gives after "porque": everything behind that word. Null when it gives none. */
export function findReason(scope: Scope): Run | null {
  const match = findPhrase(scope.language.because, scope.tokens);
  if (match === null || match.to >= scope.tokens.length) return null;
  return { from: match.to, to: skipTail(scope, { from: match.to, to: scope.tokens.length }) };
}

/** A list as people write it, "o A, o B e C", as its entries without their articles. */
export function readList(scope: Scope, run: Run): readonly string[] {
  return entriesOf(scope, run)
    .map((entry) => readText(scope, { from: skipArticle(scope, entry), to: entry.to }))
    .filter((entry) => entry !== '');
}

function entriesOf(scope: Scope, run: Run): readonly Run[] {
  const entries: { from: number; to: number }[] = [{ from: run.from, to: run.from }];
  for (let at = run.from; at < run.to; at += 1) {
    const last = entries.at(-1);
    if (last === undefined) break;
    const isOpen = last.to > last.from;
    if (isOpen && isJoin(scope, at, run)) entries.push({ from: at + 1, to: at + 1 });
    else if (isOpen && /[,;\n&]/.test(markAt(scope.tokens, at))) entries.push({ from: at, to: at + 1 });
    else last.to = at + 1;
  }
  return entries;
}

/** "e" between two entries. */
function isJoin(scope: Scope, at: number, run: Run): boolean {
  return at + 1 < run.to && scope.language.lexicon.numberJoin.includes(wordAt(scope.tokens, at));
}

/** Drops "o", "and the" and the "2." of a numbered list before an entry. */
function skipArticle(scope: Scope, run: Run): number {
  if (run.to - run.from < 2) return run.from;
  const first = wordAt(scope.tokens, run.from);
  const isArticle = articles.has(first) || scope.language.lexicon.numberJoin.includes(first);
  const isNumbering = scope.tokens[run.from]?.kind === 'number' && /^[.)]/.test(markAt(scope.tokens, run.from + 1));
  return isArticle || isNumbering ? skipArticle(scope, { from: run.from + 1, to: run.to }) : run.from;
}

const articles = new Set(['o', 'a', 'os', 'as', 'um', 'uma', 'the', 'el', 'la', 'los', 'las', 'un', 'una']);

function skipLeadIns(scope: Scope, run: Run): number {
  let at = run.from;
  for (;;) {
    const match =
      phraseAt(scope.language.leadIns, scope.tokens, at) ?? phraseAt(scope.language.correction, scope.tokens, at);
    if (match === null || match.to >= run.to || isEntry(scope, match)) return at;
    at = match.to;
  }
}

/** "A, B e C": what reads like an article is an entry where a comma follows it. */
function isEntry(scope: Scope, run: Run): boolean {
  return run.to === run.from + 1 && articles.has(wordAt(scope.tokens, run.from)) && isBoundary(scope.tokens, run.to);
}

function skipOwnNoun(scope: Scope, run: Run, ownWords: ReadonlySet<string>): number {
  const noun = scope.tokens[run.from];
  if (noun === undefined || !ownWords.has(noun.stem) || isProper(scope, run.from)) return run.from;
  const name = skipLeadIns(scope, { from: run.from + 1, to: run.to });
  return name < run.to && isProper(scope, name) ? name : run.from;
}

/** Written with a capital letter. */
function isProper(scope: Scope, at: number): boolean {
  const token = scope.tokens[at];
  return token !== undefined && /^\p{Lu}/u.test(scope.text.original.slice(token.from, token.to));
}

/** Courtesy at the end ("por favor", ", tá?") and connectors that lead nowhere. */
function skipTail(scope: Scope, run: Run): number {
  let to = run.to;
  for (;;) {
    const start = tailStart(scope, { from: run.from, to });
    if (start === null) return to;
    to = start;
  }
}

function tailStart(scope: Scope, run: Run): number | null {
  for (let length = 3; length >= 1; length -= 1) {
    const at = run.to - length;
    if (at <= run.from) continue;
    const match = phraseAt(scope.language.filler, scope.tokens, at);
    if (match?.to === run.to && (isBoundary(scope.tokens, at) || length > 1)) return at;
  }
  const last = run.to - 1;
  return last > run.from && dangling.has(scope.tokens[last]?.text ?? '') ? last : null;
}

const dangling = new Set([
  'de',
  'do',
  'da',
  'no',
  'na',
  'e',
  'por',
  'com',
  'of',
  'for',
  'and',
  'with',
  'y',
  'del',
  'en',
  'em',
  'valor',
]);

/** Whether a run is made of agreement, refusal, doubt and courtesy only. */
export function isOnlyAnswers(scope: Scope, run: Run): boolean {
  const { yes, no, doubt, filler } = scope.language;
  return isMadeOf(scope, run, [doubt, no, yes, filler]);
}

function isMadeOf(scope: Scope, run: Run, tables: readonly PhraseTable<string>[]): boolean {
  let at = run.from;
  while (at < run.to) {
    const to = longestEnd(tables, scope, at);
    if (to === at || to > run.to) return false;
    at = to;
  }
  return true;
}

/** The end of the longest phrase of any table that begins at a token; the token itself where none does. */
function longestEnd(tables: readonly PhraseTable<string>[], scope: Scope, at: number): number {
  let end = at;
  for (const table of tables) end = Math.max(end, phraseAt(table, scope.tokens, at)?.to ?? at);
  return end;
}

function isOnly(scope: Scope, run: Run, ownWords: ReadonlySet<string>): boolean {
  return scope.tokens
    .slice(run.from, run.to)
    .every((token) => ownWords.has(token.stem) || scope.language.stopWords.has(token.text));
}

const ownStems = new WeakMap<Language, WeakMap<ParameterConfig, ReadonlySet<string>>>();

/** Stems that only repeat what a tool does or how one of its parameters is called; computed once per parameter. */
export function ownStemsOf(tool: ToolConfig, parameter: ParameterConfig, language: Language): ReadonlySet<string> {
  const known = ownStems.get(language) ?? new WeakMap<ParameterConfig, ReadonlySet<string>>();
  ownStems.set(language, known);
  const stems = known.get(parameter) ?? stemsOf([tool.name, tool.label, parameter.name, parameter.label], language);
  known.set(parameter, stems);
  return stems;
}

/** Stems of how a parameter is called. */
export const nameStemsOf = oncePerParameter(({ name, label }, language) => stemsOf([name, label], language));

/** The same for one that was asked for, where a name in one piece ("orderId") counts as its words. */
export const askedStemsOf = oncePerParameter((parameter, language) =>
  stemsOf([parameter.label, ...nameWords(parameter)], language),
);

type StemsOf = (parameter: ParameterConfig, language: Language) => ReadonlySet<string>;

function oncePerParameter(compute: StemsOf): StemsOf {
  const known = new WeakMap<Language, WeakMap<ParameterConfig, ReadonlySet<string>>>();
  return (parameter, language) => {
    const ofLanguage = known.get(language) ?? new WeakMap<ParameterConfig, ReadonlySet<string>>();
    known.set(language, ofLanguage);
    const stems = ofLanguage.get(parameter) ?? compute(parameter, language);
    ofLanguage.set(parameter, stems);
    return stems;
  };
}

/** The stems of the given texts, without words that weigh nothing. */
export function stemsOf(texts: readonly string[], language: Language): ReadonlySet<string> {
  const stems = new Set<string>();
  for (const text of texts)
    for (const word of foldWords(text.replaceAll('_', ' ')))
      if (!language.stopWords.has(word)) stems.add(stemIn(language, word));
  return stems;
}
