import { type Scope, plainText, textOf } from './scope.ts';
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
  const pieces = piecesOf(scope);
  const found: CodeMatch[] = [];
  let end = 0;
  pieces.forEach((piece, at) => {
    if (piece.from < end) return;
    const match = patternAt(scope, pieces.slice(at, at + mostPieces), expression);
    if (match === null) return;
    found.push(match);
    end = match.to;
  });
  return found;
}

/** Several pieces are tried together only where one of them has a digit, a single one wherever the pattern can do without. */
function patternAt(scope: Scope, pieces: readonly Piece[], expression: RegExp): CodeMatch | null {
  const isDigitNeeded = needsDigit(expression);
  if (isDigitNeeded && !pieces.some((piece) => piece.hasDigit)) return null;
  const texts: string[] = [];
  let hasDigit = false;
  for (const piece of pieces) {
    texts.push(plainText(textOf(scope, piece.from, piece.to)));
    hasDigit = hasDigit || piece.hasDigit;
    if (!hasDigit && (isDigitNeeded || texts.length > 1)) continue;
    const value = firstAccepted(texts, expression);
    if (value !== null) return { value, from: pieces[0]?.from ?? 0, to: piece.to };
  }
  return null;
}

/** Whether a pattern certainly demands a digit: it has a mandatory digit class and neither alternatives nor groups that could do without. */
function needsDigit({ source }: RegExp): boolean {
  return !/[|(]|\\\\/.test(source) && /(?:\\d|\[0-9\])(?![*?]|\{0)/.test(source);
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

type Piece = { readonly from: number; readonly to: number; readonly hasDigit: boolean };

const knownPieces = new WeakMap<readonly Token[], readonly Piece[]>();

/** Runs of tokens without a blank or a separating mark between them; cut once per utterance. */
function piecesOf(scope: Scope): readonly Piece[] {
  const pieces = knownPieces.get(scope.tokens) ?? cutPieces(scope);
  knownPieces.set(scope.tokens, pieces);
  return pieces;
}

function cutPieces(scope: Scope): readonly Piece[] {
  const pieces: { from: number; to: number; hasDigit: boolean }[] = [];
  scope.tokens.forEach((token, at) => {
    const last = pieces.at(-1);
    const isSame = last !== undefined && token.isGlued && !/[,;:!?"()“”\n]/.test(token.mark) && token.kind !== 'symbol';
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
