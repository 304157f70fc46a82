import { type ProposalItem } from '@latch/contracts';
import { foldWords, type Token } from './fold-text.ts';
import { type Language } from './language.ts';
import { lookUp } from './phrases.ts';
import { type ItemRun } from './find-items.ts';

type Said = { readonly tokens: readonly Token[]; readonly language: Language };
type Places = ReadonlyMap<number, readonly number[]>;

const none: Places = new Map();

/**
 * Bare numbers that stand for places in the list, by token: "só o 1 e o 3", "only 1 and 3", "los números 1 y 3". Only where that is what they can mean: no item
 * is itself called by such a number, each of them is a place that there is, and either there are several of them or a word before them says that they count
 * ("o 2", "número 2"). "Só 2" may as well be any two, and says nothing.
 */
export function numberedPlaces(items: readonly ProposalItem[], said: Said, run: ItemRun): Places {
  const found = numbersIn(said, run);
  if (found.length === 0 || items.length < 2 || items.some(isNumbered)) return none;
  const isList = found.length > 1;
  if (found.some(({ at, value }) => value < 1 || value > items.length || !(isList || isMarked(said, at)))) return none;
  return new Map(found.map(({ at, value }) => [at, [value - 1]]));
}

/** More digits are an identifier. */
const place = /^\d{1,2}$/;

function numbersIn(said: Said, run: ItemRun): readonly { readonly at: number; readonly value: number }[] {
  const found = [];
  for (let at = run.from; at < run.to; at += 1) {
    const token = said.tokens[at];
    if (token?.kind !== 'number') continue;
    // One amount, date or longer number among them, and none of them is a place for certain.
    if (!place.test(token.text) || isOfValue(said, at)) return [];
    if (!isPartOfCode(said, at) && !isCount(said, at)) found.push({ at, value: Number(token.text) });
  }
  return found;
}

/** "2 de dezembro", "R$ 2", "2 reais", "2 dias": it counts or dates something. */
function isOfValue({ tokens, language }: Said, at: number): boolean {
  const { months, currencies, dayUnits } = language.lexicon;
  const near = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  return near.some(
    (token) =>
      token !== undefined &&
      (token.kind === 'symbol' ||
        months.includes(token.text) ||
        lookUp(currencies, token.text) !== undefined ||
        lookUp(dayUnits, token.text) !== undefined),
  );
}

/** "PED-3", "3G": glued to a word. */
function isPartOfCode({ tokens }: Said, at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  const isGlued = token?.isGlued === true && at > 0 && tokens[at - 1]?.kind === 'word';
  return isGlued || (next?.isGlued === true && next.kind === 'word');
}

/** "os 2 primeiros", "last 2": how many, not which. */
function isCount({ tokens, language }: Said, at: number): boolean {
  const { ordinals, last } = language.lexicon;
  return [tokens[at - 1]?.text, tokens[at + 1]?.text].some(
    (word) => word !== undefined && (lookUp(ordinals, word) !== undefined || last.includes(word)),
  );
}

function isMarked({ tokens, language }: Said, at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  const isHash = tokens[at]?.mark.includes('#') === true;
  return isHash || language.placeNouns.has(before) || language.placeArticles.has(before);
}

const knownNumbered = new WeakMap<ProposalItem, boolean>();

/** "Linha 3": a number in a name may be what is meant. */
function isNumbered(item: ProposalItem): boolean {
  const known = knownNumbered.get(item);
  if (known !== undefined) return known;
  const isSo = [item.label, item.id].some((text) => foldWords(text).some((word) => place.test(word)));
  knownNumbered.set(item, isSo);
  return isSo;
}
