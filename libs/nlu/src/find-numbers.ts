import { markAt, type Token, wordAt } from './fold-text.ts';
import { type Lexicon } from './lexicon.ts';
import { lookUp, mayOpen } from './phrases.ts';

/** A number found in an utterance, as token positions `[from, to)`. */
export type NumberMatch = {
  readonly value: number;
  readonly from: number;
  readonly to: number;
  /** Written with digits. */
  readonly isLiteral: boolean;
  /** The literal had a fraction of its own. */
  readonly hasFraction: boolean;
};

/**
 * The value of a numeral with separators, or null where the groups make no sense. A lone separator before exactly three digits groups thousands when it is the
 * language's grouping character; any other lone separator is the decimal one, whatever the language.
 */
export function parseNumeral(text: string, grouping: '.' | ','): number | null {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return Number(text);
  const separator = text.slice(last, last + 1);
  const other = separator === '.' ? ',' : '.';
  const isRepeated = text.indexOf(separator) !== last;
  if (text.includes(other)) return isRepeated ? null : parseDecimal(text, last, other);
  const isGroup = text.length - last === 4 && !text.startsWith('0') && separator === grouping;
  if (!isRepeated && !isGroup) return parseDecimal(text, last, other);
  return hasGroups(text, separator) ? Number(text.replaceAll(separator, '')) : null;
}

function parseDecimal(text: string, point: number, grouping: string): number | null {
  const whole = text.slice(0, point);
  if (whole.includes(grouping) && !hasGroups(whole, grouping)) return null;
  return Number(`${whole.replaceAll(grouping, '')}.${text.slice(point + 1)}`);
}

/** Groups of three digits, or of two before the last one as India writes them. */
function hasGroups(text: string, separator: string): boolean {
  const groups = text.split(separator);
  const last = groups.pop();
  const isTwos = groups.slice(1).every((group) => group.length === 2);
  return (
    last?.length === 3 &&
    (isTwos || groups.slice(1).every((group) => group.length === 3)) &&
    (groups[0]?.length ?? 9) <= 3
  );
}

/** Every number of an utterance, in digits or in words, from left to right. */
export function findNumbers(tokens: readonly Token[], lexicon: Lexicon): readonly NumberMatch[] {
  const found: NumberMatch[] = [];
  for (let at = 0; at < tokens.length;) {
    const match = numberAt(tokens, at, lexicon);
    if (match !== null) found.push(match);
    at = match === null ? at + 1 : match.to;
  }
  return found;
}

/** The longest number that begins at token `at`: a cardinal, then a decimal part, a division or a fraction. */
export function numberAt(tokens: readonly Token[], at: number, lexicon: Lexicon): NumberMatch | null {
  const lone = lexicon.decimalWords.includes(wordAt(tokens, at)) ? decimalsAt(tokens, at, lexicon) : null;
  if (lone !== null)
    return { value: Number(`0.${lone.digits}`), from: at, to: lone.to, isLiteral: false, hasFraction: true };
  const first = cardinalAt(tokens, at, lexicon);
  if (first === null) return null;
  return (
    withDecimals(tokens, first, lexicon) ??
    withDivision(tokens, first, lexicon) ??
    withFraction(tokens, first, lexicon) ??
    first
  );
}

function decimalsAt(tokens: readonly Token[], at: number, lexicon: Lexicon): { digits: string; to: number } | null {
  if (!lexicon.decimalWords.includes(wordAt(tokens, at))) return null;
  const next = cardinalAt(tokens, at + 1, lexicon);
  if (next === null || !Number.isInteger(next.value)) return null;
  return { digits: String(next.value), to: next.to };
}

function withDecimals(tokens: readonly Token[], first: NumberMatch, lexicon: Lexicon): NumberMatch | null {
  const decimals = decimalsAt(tokens, first.to, lexicon);
  if (decimals === null || !Number.isInteger(first.value)) return null;
  return { ...first, value: Number(`${first.value}.${decimals.digits}`), to: decimals.to, hasFraction: true };
}

function withDivision(tokens: readonly Token[], first: NumberMatch, lexicon: Lexicon): NumberMatch | null {
  if (!lexicon.divisionWords.includes(wordAt(tokens, first.to))) return null;
  const divisor = cardinalAt(tokens, first.to + 1, lexicon);
  if (divisor === null || divisor.value === 0) return null;
  return { ...first, value: first.value / divisor.value, to: divisor.to, hasFraction: true };
}

/** "um milésimo", "três dois milésimos" (3/2000), "vinte vinte e cinco avos" (20/25). */
function withFraction(tokens: readonly Token[], first: NumberMatch, lexicon: Lexicon): NumberMatch | null {
  const second = cardinalAt(tokens, first.to, lexicon);
  const at = second === null ? first.to : second.to;
  const word = wordAt(tokens, at);
  const factor = second === null ? 1 : second.value;
  if (second !== null && lexicon.fractionWords.includes(word)) return fraction(first, factor, at + 1);
  const unit = lookUp(lexicon.fractions, word);
  return unit !== undefined && isFractionName(word, unit) ? fraction(first, factor * unit, at + 1) : null;
}

/** "quarto" and "quinto" are ordinals too, and "meia" is often something else: only the plural of those counts. */
function isFractionName(word: string, unit: number): boolean {
  return unit > 5 || (unit > 2 && word.endsWith('s'));
}

function fraction(first: NumberMatch, denominator: number, to: number): NumberMatch | null {
  if (denominator === 0) return null;
  return { ...first, value: first.value / denominator, to, hasFraction: true };
}

/** `isOpen`: a number word may follow; after digits only behind a scale ("2 mil e quinhentos", but "100 and fifty" are two numbers). */
type Sum = { parts: number[]; to: number; isLiteral: boolean; hasFraction: boolean; isOpen: boolean };

/** The words that a number may begin with. */
export function numberOpeners(lexicon: Lexicon): ReadonlySet<string> {
  const known = knownOpeners.get(lexicon);
  if (known !== undefined) return known;
  const { numbers, scales, decimalWords } = lexicon;
  const openers = new Set([...Object.keys(numbers), ...Object.keys(scales), ...decimalWords]);
  knownOpeners.set(lexicon, openers);
  return openers;
}

const knownOpeners = new WeakMap<Lexicon, ReadonlySet<string>>();

function cardinalAt(tokens: readonly Token[], at: number, lexicon: Lexicon): NumberMatch | null {
  if (!mayOpen(numberOpeners(lexicon), tokens[at])) return null;
  const sum: Sum = { parts: [], to: at, isLiteral: false, hasFraction: false, isOpen: true };
  while (addNext(sum, tokens, lexicon));
  if (sum.parts.length === 0) return null;
  const value = sum.parts.reduce((total, part) => total + part, 0);
  const isNegative = sum.isLiteral && isSigned(tokens, at);
  return {
    value: isNegative ? -value : value,
    from: at,
    to: sum.to,
    isLiteral: sum.isLiteral,
    hasFraction: sum.hasFraction,
  };
}

function isSigned(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return token !== undefined && token.mark.endsWith('-') && (at === 0 || !token.isGlued);
}

/** Takes one more word into the sum, over a joining word where there is one; false when the number ends before it. */
function addNext(sum: Sum, tokens: readonly Token[], lexicon: Lexicon): boolean {
  const isFirst = sum.parts.length === 0;
  if (isFirst && takeLiteral(sum, tokens, lexicon)) return true;
  const isJoined = !isFirst && lexicon.numberJoin.includes(wordAt(tokens, sum.to));
  const at = isJoined ? sum.to + 1 : sum.to;
  const token = tokens[at];
  const isApart = !isFirst && (markAt(tokens, at) !== '' || markAt(tokens, sum.to) !== '');
  if (token === undefined || isApart) return false;
  const isTaken = takeScale(sum, token, lexicon) || takeWord(sum, token, lexicon);
  if (isTaken) sum.to = at + 1;
  return isTaken;
}

function takeLiteral(sum: Sum, tokens: readonly Token[], lexicon: Lexicon): boolean {
  const token = tokens[sum.to];
  const value = token?.kind === 'number' ? parseNumeral(token.text, lexicon.grouping) : null;
  if (value === null) return false;
  const exponent = exponentAt(tokens, sum.to + 1);
  sum.parts = [exponent === null ? value : Number(`${value}e${exponent}`)];
  sum.isLiteral = true;
  sum.isOpen = false;
  sum.hasFraction = !Number.isInteger(value);
  sum.to += exponent === null ? 1 : 3;
  return true;
}

/** The `e13` of `127,32e13`. */
function exponentAt(tokens: readonly Token[], at: number): string | null {
  const [letter, digits] = [tokens[at], tokens[at + 1]];
  const isGlued = letter?.isGlued === true && digits?.isGlued === true && letter.mark + digits.mark === '';
  return isGlued && letter.text === 'e' && /^\d{1,2}$/.test(digits.text) ? digits.text : null;
}

function takeScale(sum: Sum, token: Token, lexicon: Lexicon): boolean {
  const scale = lookUp(lexicon.scales, token.text);
  if (scale === undefined || (scale < 100 && sum.parts.length === 0)) return false;
  let multiplied = 0;
  let hasFactor = false;
  while (sum.parts.length > 0 && (sum.parts.at(-1) ?? scale) < scale) {
    multiplied += sum.parts.pop() ?? 0;
    hasFactor = true;
  }
  if (!hasFactor && (sum.parts.at(-1) ?? Infinity) <= scale) return false;
  sum.parts.push(hasFactor ? times(multiplied, scale) : scale);
  sum.isOpen = true;
  return true;
}

/** Exact for powers of ten, where a product of floats would not be. */
function times(value: number, scale: number): number {
  const power = Math.round(Math.log10(scale));
  const text = String(value);
  return 10 ** power === scale && !text.includes('e') ? Number(`${text}e${power}`) : value * scale;
}

function takeWord(sum: Sum, token: Token, lexicon: Lexicon): boolean {
  const value = lookUp(lexicon.numbers, token.text);
  if (value === undefined || !sum.isOpen) return false;
  const last = sum.parts.at(-1);
  const step = value === 0 ? 10 : 10 ** String(value).length;
  if (last !== undefined && (last < 20 || !Number.isInteger(last) || last % step !== 0 || value === 0)) return false;
  sum.parts.push(value);
  return true;
}
