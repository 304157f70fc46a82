import { type ProposalItem } from '@latch/contracts';
import { foldWords, type Token } from './fold-text.ts';
import { type Language } from './language.ts';
import { lookUp } from './phrases.ts';
import { numberedPlaces } from './numbered-places.ts';

/** Items of the open proposal that a stretch of an utterance names, with the tokens that named the first and last of them. */
export type Mention = { readonly itemIds: readonly string[]; readonly from: number; readonly to: number };

/** Where items are looked for. `isLenient`: a word with one letter wrong ("Neimar") names its item too; only where the sentence asks for a change in so many words. */
export type ItemRun = { readonly from: number; readonly to: number; readonly isLenient?: boolean };

/**
 * The items that tokens `[from, to)` name: by id, by label, by a word that only one of them has ("o Neymar"), or by place ("os dois primeiros", "o último").
 * Ids come in the order of the proposal.
 */
export function findItems(
  items: readonly ProposalItem[],
  said: { readonly tokens: readonly Token[]; readonly language: Language },
  run: ItemRun,
): Mention {
  const { exact, misspelt } = ownersOf(items);
  const byNumber = numberedPlaces(items, said, run);
  const named = new Set<number>();
  let first = run.to;
  let last = run.from;
  for (let at = run.from; at < run.to; at += 1) {
    const byPlace = byNumber.get(at) ?? placesAt(said, at, items.length);
    const word = said.tokens[at]?.text ?? '';
    const owner = exact.get(word) ?? (run.isLenient === true ? misspeltOwner(misspelt, word) : undefined);
    const found = byPlace.length > 0 ? byPlace : owner === undefined ? [] : [owner];
    found.forEach((index) => named.add(index));
    if (found.length === 0) continue;
    first = Math.min(first, at);
    last = at + 1;
  }
  const itemIds = items.filter((_, index) => named.has(index)).map((item) => item.id);
  return { itemIds, from: Math.min(first, last), to: last };
}

/** Word -> index of the one item that has it. `misspelt`: the same for words with one letter left out. */
type Owners = { readonly exact: ReadonlyMap<string, number>; readonly misspelt: ReadonlyMap<string, number> };

const knownOwners = new WeakMap<readonly ProposalItem[], Owners>();

function ownersOf(items: readonly ProposalItem[]): Owners {
  const owners = knownOwners.get(items) ?? buildOwners(items);
  knownOwners.set(items, owners);
  return owners;
}

function buildOwners(items: readonly ProposalItem[]): Owners {
  const words = items.map((item) => [...foldWords(item.label), ...foldWords(item.id)]);
  const exact = onlyOnce(words);
  for (const word of [...exact.keys()]) if (word.length < 2 || tooCommon.has(word)) exact.delete(word);
  const misspelt = onlyOnce(
    words.map((own) => own.filter(mayBeMisspelt).flatMap((word) => [word, ...shortened(word)])),
  );
  return { exact, misspelt };
}

/** Words that belong to exactly one item. */
function onlyOnce(words: readonly (readonly string[])[]): Map<string, number> {
  const owners = new Map<string, number>();
  const shared = new Set<string>();
  words.forEach((own, index) => {
    for (const word of new Set(own)) {
      if (owners.has(word)) shared.add(word);
      owners.set(word, index);
    }
  });
  for (const word of shared) owners.delete(word);
  return owners;
}

/**
 * The item that a word with one letter wrong, missing, added or swapped means: two words that far apart become the same when each loses a letter. The time does
 * not depend on the number of items (docs/adr/0009).
 */
function misspeltOwner(misspelt: Owners['misspelt'], word: string): number | undefined {
  if (!mayBeMisspelt(word)) return undefined;
  const found = [word, ...shortened(word)].flatMap((form) => misspelt.get(form) ?? []);
  return found.every((owner) => owner === found[0]) ? found[0] : undefined;
}

const longestMisspelt = 32;

/** Short words are too near to each other, and a number with a wrong digit is another number. */
function mayBeMisspelt(word: string): boolean {
  return word.length >= 5 && word.length <= longestMisspelt && /^\p{L}+$/u.test(word);
}

/** The word without each of its letters. */
function shortened(word: string): readonly string[] {
  return Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1));
}

const tooCommon = new Set([
  'de',
  'da',
  'do',
  'o',
  'a',
  'os',
  'as',
  'em',
  'no',
  'na',
  'um',
  'uma',
  'the',
  'of',
  'el',
  'la',
  'los',
  'las',
  'del',
  'por',
  'para',
  'com',
  'to',
  'by',
  'with',
  'e',
  'and',
  'y',
]);

/** "os dois primeiros", "primeiros 2", "o segundo", "last one": places in the list, counted from 0. */
function placesAt(
  said: { readonly tokens: readonly Token[]; readonly language: Language },
  at: number,
  count: number,
): readonly number[] {
  const { lexicon } = said.language;
  const word = said.tokens[at]?.text;
  const ordinal = lookUp(lexicon.ordinals, word);
  const isLast = lexicon.last.includes(word ?? '');
  if (ordinal === undefined && !isLast) return [];
  const size = countBeside(said, at);
  if (isLast) return range(count - (size ?? 1), count);
  if (ordinal === 1) return range(0, size ?? 1).filter((index) => index < count);
  return ordinal !== undefined && ordinal <= count ? [ordinal - 1] : [];
}

function countBeside(
  said: { readonly tokens: readonly Token[]; readonly language: Language },
  at: number,
): number | null {
  return countOf(said, at - 1) ?? countOf(said, at + 1);
}

function countOf(said: { readonly tokens: readonly Token[]; readonly language: Language }, at: number): number | null {
  const token = said.tokens[at];
  if (token === undefined) return null;
  const value = token.kind === 'number' ? Number(token.text) : lookUp(said.language.lexicon.numbers, token.text);
  return value !== undefined && Number.isInteger(value) && value > 0 && value <= 100 && token.text !== 'one'
    ? value
    : null;
}

function range(from: number, to: number): readonly number[] {
  const start = Math.max(0, from);
  return Array.from({ length: Math.max(0, to - start) }, (_, offset) => start + offset);
}
