/** A numeral of a text with every value that it may stand for, as decimal text: `1.234` is 1234 in pt-BR and 1.234 in en. */
export type TextNumber = { readonly text: string; readonly readings: readonly string[] };

const numeral = /(?<![\p{L}\p{N}#])\d{1,15}(?:[.,]\d{1,15}){0,6}(?![\p{L}\p{N}])/gu;

/** The numerals of a text; numbers that count the entries of a list ("1." at the start of a line) are none. */
export function numbersIn(text: string): readonly TextNumber[] {
  const withoutMarkers = text.replace(/^\s*\d{1,3}[.)]\s/gm, ' ');
  return [...withoutMarkers.matchAll(numeral)].map(([found]) => ({ text: found, readings: readingsOf(found) }));
}

/** Every value that digits anywhere in an evidence text may stand for, those inside identifiers and instants included. */
export function numbersOf(text: string): readonly string[] {
  const found = text.match(/\d{1,15}(?:[.,]\d{1,15}){0,6}/g) ?? [];
  return found.flatMap((number) => readingsOf(number));
}

function readingsOf(text: string): readonly string[] {
  const asWritten = text.replaceAll(/[.,]/g, '');
  const point = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (point < 0) return [canonical(text)];
  const decimal = `${text.slice(0, point).replaceAll(/[.,]/g, '')}.${text.slice(point + 1)}`;
  return [...new Set([canonical(decimal), canonical(asWritten)])];
}

/** `007.50` and `7.5` are the same number. */
function canonical(text: string): string {
  return String(Number(text));
}
