import { type ProposalItem } from '@latch/contracts';
import { foldWords, type Token } from './fold-text.ts';
import { type Language } from './language.ts';
import { lookUp } from './phrases.ts';

/** Items of the open proposal that a stretch of an utterance names, with the tokens that named the first and last of them. */
export type Mention = { readonly itemIds: readonly string[]; readonly from: number; readonly to: number };

/**
 * The items that tokens `[from, to)` name: by id, by label, by a word that only one of them has ("o Neymar"), or by place ("os dois primeiros", "o último").
 * Ids come in the order of the proposal.
 */
export function findItems(
  items: readonly ProposalItem[],
  said: { readonly tokens: readonly Token[]; readonly language: Language },
  run: { readonly from: number; readonly to: number },
): Mention {
  const owners = ownersOf(items);
  const named = new Set<number>();
  let first = run.to;
  let last = run.from;
  for (let at = run.from; at < run.to; at += 1) {
    const byPlace = placesAt(said, at, items.length);
    const owner = owners.get(said.tokens[at]?.text ?? '');
    const found = byPlace.length > 0 ? byPlace : owner === undefined ? [] : [owner];
    found.forEach((index) => named.add(index));
    if (found.length === 0) continue;
    first = Math.min(first, at);
    last = at + 1;
  }
  const itemIds = items.filter((_, index) => named.has(index)).map((item) => item.id);
  return { itemIds, from: Math.min(first, last), to: last };
}

const knownOwners = new WeakMap<readonly ProposalItem[], ReadonlyMap<string, number>>();

/** Words that belong to exactly one item. */
function ownersOf(items: readonly ProposalItem[]): ReadonlyMap<string, number> {
  const owners = knownOwners.get(items) ?? buildOwners(items);
  knownOwners.set(items, owners);
  return owners;
}

function buildOwners(items: readonly ProposalItem[]): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  const shared = new Set<string>();
  items.forEach((item, index) => {
    for (const word of new Set([...foldWords(item.label), ...foldWords(item.id)])) {
      if (owners.has(word) && owners.get(word) !== index) shared.add(word);
      owners.set(word, index);
    }
  });
  for (const word of [...owners.keys()])
    if (shared.has(word) || word.length < 2 || tooCommon.has(word)) owners.delete(word);
  return owners;
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
