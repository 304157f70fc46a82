import { mayBegin, patternDemand, type PatternDemand } from './pattern-demand.ts';
import { plainText, type Scope, textOf } from './scope.ts';
import { type Token } from './fold-text.ts';
import { compilePattern } from './parameter-shape.ts';

/** An identifier found in an utterance, as token positions `[from, to)`. */
export type CodeMatch = { readonly value: string; readonly from: number; readonly to: number };

/** Identifiers are short; longer runs of characters are not tried against a pattern. */
const longestCode = 64;
const mostPieces = 3;

/**
 * Every run of up to three pieces that a declared pattern accepts, as written or in upper or lower case: `PED-1001`, `"ped-1001".`, `01310 100`. Quotes and
 * sentence punctuation around it do not count; leading zeros stay.
 */
export function findByPattern(scope: Scope, pattern: string): readonly CodeMatch[] {
  const expression = compilePattern(pattern);
  if (expression === null) return [];
  const search: Search = { scope, pieces: piecesOf(scope), expression, demand: patternDemand(expression) };
  const found: CodeMatch[] = [];
  let end = 0;
  search.pieces.forEach((piece, at) => {
    if (piece.from < end) return;
    const match = patternAt(search, at);
    if (match === null) return;
    found.push(match);
    end = match.to;
  });
  return found;
}

type Search = {
  readonly scope: Scope;
  readonly pieces: readonly Piece[];
  readonly expression: RegExp;
  readonly demand: PatternDemand;
};

/** Several pieces are tried together only where one of them has a digit, a single one wherever the pattern can do without. */
function patternAt(search: Search, at: number): CodeMatch | null {
  const { scope, pieces, expression, demand } = search;
  const tried = pieces.slice(at, at + mostPieces);
  const [first] = tried;
  if (first === undefined || (demand.hasDigit && !tried.some(hasDigit))) return null;
  const texts: string[] = [];
  for (const piece of tried) {
    texts.push(plainText(textOf(scope, piece.from, piece.to)));
    if (!mayBegin(texts[0] ?? '', demand)) return null;
    const isAlone = texts.length === 1 && !demand.hasDigit;
    const value = isAlone || tried.slice(0, texts.length).some(hasDigit) ? firstAccepted(texts, expression) : null;
    if (value !== null) return { value, from: first.from, to: piece.to };
  }
  return null;
}

/** Pieces said apart ("PED 1001") may belong together with a hyphen, with nothing, or with a blank between them. */
function firstAccepted(texts: readonly string[], expression: RegExp): string | null {
  const joints = texts.length === 1 ? [''] : ['-', '', ' '];
  for (const joint of joints) {
    const text = texts.join(joint);
    if (text.length > longestCode) continue;
    if (expression.test(text)) return text;
    const upper = text.toUpperCase();
    if (upper !== text && expression.test(upper)) return upper;
    const lower = text.toLowerCase();
    if (lower !== text && expression.test(lower)) return lower;
  }
  return null;
}

/** Every piece that looks like an identifier: it holds a digit. Pieces that mix letters and digits outrank plain numbers. */
export function findCodes(scope: Scope): readonly CodeMatch[] {
  const codes = piecesOf(scope)
    .filter((piece) => piece.hasDigit)
    .map(({ from, to }) => ({ from, to, value: plainText(textOf(scope, from, to)) }))
    .filter((code) => code.value.length <= longestCode);
  const mixed = codes.filter((code) => /\p{L}/u.test(code.value));
  return mixed.length > 0 ? mixed : codes;
}

const hasDigit = (piece: Piece): boolean => piece.hasDigit;

type Piece = { readonly from: number; readonly to: number; readonly hasDigit: boolean };

const knownPieces = new WeakMap<readonly Token[], readonly Piece[]>();

/** Runs of tokens without a blank or a separating mark between them; cut once per utterance. */
function piecesOf(scope: Scope): readonly Piece[] {
  const pieces = knownPieces.get(scope.tokens) ?? cutPieces(scope);
  knownPieces.set(scope.tokens, pieces);
  return pieces;
}

/** A mark that parts what is written in one piece otherwise. */
function separates(mark: string): boolean {
  return mark !== '' && /[,;:!?"()“”\n]/.test(mark);
}

function cutPieces(scope: Scope): readonly Piece[] {
  const pieces: { from: number; to: number; hasDigit: boolean }[] = [];
  scope.tokens.forEach((token, at) => {
    const last = pieces.at(-1);
    const isSame = last !== undefined && token.isGlued && !separates(token.mark) && token.kind !== 'symbol';
    const hasDigit = token.kind === 'number';
    if (!isSame) {
      pieces.push({ from: at, to: at + 1, hasDigit });
      return;
    }
    last.to = at + 1;
    last.hasDigit = last.hasDigit || hasDigit;
  });
  return pieces;
}
