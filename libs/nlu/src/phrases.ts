import { foldWords, type Token } from './fold-text.ts';

/** Splits a list of phrases that is written with `|` or line breaks between them. */
export function phrases(list: string): readonly string[] {
  return list
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}

/** A set of phrases, each with a value, in which the longest one that begins at a token is found in one step per phrase of that first word. */
export type PhraseTable<V> = ReadonlyMap<string, readonly { readonly words: readonly string[]; readonly value: V }[]>;

/** A phrase found in an utterance, as token positions `[from, to)`. */
export type PhraseMatch<V> = { readonly from: number; readonly to: number; readonly value: V };

/** Compiles phrases. Of equal phrases the first one wins. */
export function compilePhrases<V>(entries: Iterable<readonly [string, V]>): PhraseTable<V> {
  const table = new Map<string, { words: readonly string[]; value: V }[]>();
  for (const [phrase, value] of entries) {
    const words = foldWords(phrase);
    const first = words[0];
    if (first === undefined) continue;
    const sameStart = table.get(first) ?? [];
    if (sameStart.some((entry) => entry.words.join(' ') === words.join(' '))) continue;
    sameStart.push({ words, value });
    table.set(first, sameStart);
  }
  for (const sameStart of table.values()) sameStart.sort((a, b) => b.words.length - a.words.length);
  return table;
}

/** Puts tables together under one value each; of equal phrases the one of the earlier table wins. */
export function joinTables<K>(tables: Iterable<readonly [K, PhraseTable<string>]>): PhraseTable<K> {
  const joined = [...tables].flatMap(([kind, table]) =>
    [...table.values()].flatMap((sameStart) => sameStart.map(({ value }) => [value, kind] as const)),
  );
  return compilePhrases(joined);
}

/** Compiles a plain list; the value of each phrase is the phrase itself. */
export function compileList(list: readonly string[]): PhraseTable<string> {
  return compilePhrases(list.map((phrase) => [phrase, phrase] as const));
}

/** The longest phrase that begins at token `at`. A phrase never runs over punctuation other than an apostrophe or a hyphen. */
export function phraseAt<V>(table: PhraseTable<V>, tokens: readonly Token[], at: number): PhraseMatch<V> | null {
  const first = tokens[at];
  if (first === undefined) return null;
  const sameStart = table.get(first.text);
  if (sameStart === undefined) return null;
  for (const { words, value } of sameStart) {
    let length = 1;
    while (length < words.length && continues(tokens[at + length], words[length] ?? '')) length += 1;
    if (length === words.length) return { from: at, to: at + length, value };
  }
  return null;
}

function continues(token: Token | undefined, word: string): boolean {
  if (token?.text !== word) return false;
  return token.mark === '' || token.mark === "'" || token.mark === '-' || token.mark === '"';
}

/** The words that something may begin with, so that a reader passes over all others at one look. Figures and symbols always may. */
export function mayOpen(openers: ReadonlySet<string>, token: Token | undefined): boolean {
  return token !== undefined && (token.kind !== 'word' || openers.has(token.text));
}

/** The first phrase of the table anywhere from token `from` on. */
export function findPhrase<V>(table: PhraseTable<V>, tokens: readonly Token[], from = 0): PhraseMatch<V> | null {
  for (let at = from; at < tokens.length; at += 1) {
    const match = phraseAt(table, tokens, at);
    if (match !== null) return match;
  }
  return null;
}

/** Whether a clause ends before token `at`: the end of the text, or punctuation that separates. A hyphen or a quote does not. */
export function isBoundary(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || at === 0) return true;
  if (token.mark === '') return false;
  return /[.,;:!?…\n—–()]/.test(token.mark) || (token.mark === '-' && !token.isGlued);
}

/** The entry of a word list, never one that a record inherits (`constructor`). */
export function lookUp<V>(record: Readonly<Record<string, V>>, word: string | undefined): V | undefined {
  return word !== undefined && namesIn(record).has(word) ? record[word] : undefined;
}

const knownNames = new WeakMap<object, ReadonlySet<string>>();

/** The words of a list as a set, made once: V8 finds a piece of a text in a set several times faster than among the names of an object. */
function namesIn(record: object): ReadonlySet<string> {
  const known = knownNames.get(record);
  if (known !== undefined) return known;
  const names = new Set(Object.keys(record));
  knownNames.set(record, names);
  return names;
}
