import { type Scope, plainText, textOf } from './scope.ts';
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
  for (let at = 0; at < pieces.length; at += 1) {
    const match = patternAt(scope, pieces.slice(at, at + mostPieces), expression);
    if (match === null) continue;
    found.push(match);
    while ((pieces[at + 1]?.to ?? Infinity) <= match.to) at += 1;
  }
  return found;
}

function patternAt(scope: Scope, pieces: readonly Piece[], expression: RegExp): CodeMatch | null {
  for (let count = 1; count <= pieces.length; count += 1) {
    const value = variants(scope, pieces.slice(0, count)).find((text) => expression.test(text));
    if (value !== undefined) return { value, from: pieces[0]?.from ?? 0, to: pieces[count - 1]?.to ?? 0 };
  }
  return null;
}

function variants(scope: Scope, pieces: readonly Piece[]): readonly string[] {
  const texts = pieces.map((piece) => plainText(textOf(scope, piece.from, piece.to)));
  const joined = pieces.length === 1 ? texts : [texts.join('-'), texts.join(''), texts.join(' ')];
  return joined
    .filter((text) => text.length <= longestCode)
    .flatMap((text) => [text, text.toUpperCase(), text.toLowerCase()]);
}

/** Every piece that looks like an identifier: it holds a digit. Pieces that mix letters and digits outrank plain numbers. */
export function findCodes(scope: Scope): readonly CodeMatch[] {
  const codes = piecesOf(scope)
    .filter((piece) => scope.tokens.slice(piece.from, piece.to).some((token) => token.kind === 'number'))
    .map((piece) => ({ ...piece, value: plainText(textOf(scope, piece.from, piece.to)) }))
    .filter((code) => code.value.length <= longestCode);
  const mixed = codes.filter((code) => /\p{L}/u.test(code.value));
  return mixed.length > 0 ? mixed : codes;
}

type Piece = { readonly from: number; readonly to: number };

/** Runs of tokens without a blank or a separating mark between them. */
function piecesOf(scope: Scope): readonly Piece[] {
  const pieces: { from: number; to: number }[] = [];
  scope.tokens.forEach((token, at) => {
    const last = pieces.at(-1);
    const isSame = last !== undefined && token.isGlued && !/[,;:!?"()“”\n]/.test(token.mark) && token.kind !== 'symbol';
    if (isSame) last.to = at + 1;
    else pieces.push({ from: at, to: at + 1 });
  });
  return pieces;
}
