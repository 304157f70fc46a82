/** What a token is: letters, a numeral with its separators (`1.234,56`), or a symbol that carries meaning (currency, emoji). */
export type TokenKind = 'word' | 'number' | 'symbol';

/** One token of an utterance, folded for comparison, with its place in the original text. */
export type Token = {
  readonly kind: TokenKind;
  /** Lower case, without accents; a numeral keeps its separators. */
  readonly text: string;
  /** What the text is compared by with words of the configuration; see `foldText`. */
  readonly stem: string;
  /** UTF-16 offsets `[from, to)` in the original text. */
  readonly from: number;
  readonly to: number;
  /** Punctuation between the token before and this one, without blanks; a line break is `\n`. */
  readonly mark: string;
  /** No blank stands between the token before and this one. */
  readonly isGlued: boolean;
};

/** An utterance as tokens. */
export type FoldedText = {
  readonly original: string;
  readonly tokens: readonly Token[];
  /** Punctuation after the last token. */
  readonly tail: string;
  /**
   * Whether the text holds only characters that people type in pt-BR, en and es. Full-width letters, zero-width and direction marks and look-alike letters of
   * other scripts make it false; such a text can give values, but it is never a yes, a no or a farewell.
   */
  readonly isPlain: boolean;
};

/**
 * Splits a text into folded tokens in one pass, linear in its length; any UTF-16 string is accepted. Case and the accents of pt, en and es are removed,
 * full-width forms become plain ones, zero-width characters vanish; look-alike letters stay what they are.
 *
 * @param stemOf how the language of the reader makes stems; without one, a word is its own.
 */
export function foldText(original: string, stemOf = (word: string): string => word): FoldedText {
  const scan: Scan = { original, stemOf, at: 0, tokens: [], mark: '', isGlued: true, isPlain: true };
  while (scan.at < original.length) readNext(scan);
  return { original, tokens: scan.tokens, tail: scan.mark, isPlain: scan.isPlain };
}

/** The folded words of a phrase, as the lexicons and configurations write them. */
export function foldWords(phrase: string): readonly string[] {
  return foldText(phrase).tokens.map((token) => token.text);
}

/** The folded text of the token at a position; empty where there is none. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.text ?? '';
}

/** The punctuation before the token at a position; empty where there is no token. */
export function markAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.mark ?? '';
}

type Scan = {
  readonly original: string;
  readonly stemOf: (word: string) => string;
  at: number;
  readonly tokens: Token[];
  mark: string;
  isGlued: boolean;
  isPlain: boolean;
};

/** Folded letter per code unit below 256; an empty string where the code unit is no letter. */
const latinLetters: readonly string[] = Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  if (!/\p{L}/u.test(letter) || letter === 'ª' || letter === 'º') return '';
  return letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
});

/** Accents that phones and macOS send as separate characters. */
const isAccent = (code: number): boolean => code >= 0x300 && code <= 0x36f;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x202f;
const currencySymbols = '$€£¥₾₹₩元円₽';
const plainPunctuation = '¡¿«»·´“”‘’–—…ªº°§¨¬×•';
const skinTone = /[\u{1f3fb}-\u{1f3ff}]/u;
const letter = /\p{L}/u;
const pictograph = /\p{Extended_Pictographic}/u;

/** A full-width ASCII code unit becomes its plain form; any other stays. */
const narrow = (code: number): number => (code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : code);

function readNext(scan: Scan): void {
  const code = narrow(scan.original.charCodeAt(scan.at));
  if (isBlank(code)) return readBlank(scan, code);
  if (isDigit(code)) return readNumber(scan);
  if (code < 256 && latinLetters[code] !== '') return readWord(scan);
  if (code < 128 && code !== 36) return readMark(scan);
  readOther(scan);
}

function readBlank(scan: Scan, code: number): void {
  if (code === 10) scan.mark += '\n';
  scan.isGlued = false;
  scan.at += 1;
}

function readMark(scan: Scan): void {
  const code = scan.original.charCodeAt(scan.at);
  if (code < 32 || code === 127 || code !== narrow(code)) scan.isPlain = false;
  scan.mark += String.fromCharCode(narrow(code));
  scan.at += 1;
}

function readWord(scan: Scan): void {
  const from = scan.at;
  let text = '';
  let before = '';
  let isStretched = false;
  while (scan.at < scan.original.length) {
    const code = scan.original.charCodeAt(scan.at);
    const folded = latinLetters[narrow(code)] ?? '';
    if (folded === '' && !skipInvisible(scan, code)) break;
    if (code > 255) scan.isPlain = scan.isPlain && isAccent(code);
    isStretched = isStretched || (folded !== '' && folded === before && text.endsWith(folded + folded));
    before = folded;
    text += folded;
    scan.at += 1;
  }
  push(scan, { kind: 'word', text: isStretched ? text.replace(stretched, '$1') : text, from });
}

/** Whether a code unit belongs to the word without being a letter of it: an accent of its own, or something that cannot be seen. */
function skipInvisible(scan: Scan, code: number): boolean {
  if (isAccent(code)) checkAccent(scan);
  return isAccent(code) || isInvisible(code);
}

/** "siiim", "nãããão": a letter three times or more counts once. */
const stretched = /(.)\1{2,}/g;

/** An accent is plain only where it composes to a letter of Latin-1 with the letter before it. */
function checkAccent(scan: Scan): void {
  const composed = scan.original.slice(scan.at - 1, scan.at + 1).normalize('NFC');
  if (composed.length !== 1 || composed.charCodeAt(0) > 255) scan.isPlain = false;
}

function readNumber(scan: Scan): void {
  const from = scan.at;
  let text = '';
  for (;;) {
    const code = narrow(scan.original.charCodeAt(scan.at));
    const isSeparator = (code === 44 || code === 46) && isDigit(narrow(scan.original.charCodeAt(scan.at + 1)));
    if (!isDigit(code) && !isSeparator) break;
    if (scan.original.charCodeAt(scan.at) > 127) scan.isPlain = false;
    text += String.fromCharCode(code);
    scan.at += 1;
  }
  push(scan, { kind: 'number', text, from });
}

/** Zero-width, direction and variation characters. */
function isInvisible(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    code === 0x2060 ||
    code === 0xfeff ||
    code === 0xad
  );
}

function readOther(scan: Scan): void {
  const from = scan.at;
  const character = String.fromCodePoint(scan.original.codePointAt(from) ?? 0);
  scan.at += character.length;
  if (character === '\ufe0f' || skinTone.test(character)) return;
  if (currencySymbols.includes(character) || pictograph.test(character)) {
    return push(scan, { kind: 'symbol', text: character, from });
  }
  if (plainPunctuation.includes(character)) {
    scan.mark += character === '’' ? "'" : character;
    return;
  }
  scan.isPlain = false;
  if (letter.test(character)) push(scan, { kind: 'word', text: character.toLowerCase(), from });
}

function push(scan: Scan, token: { readonly kind: TokenKind; readonly text: string; readonly from: number }): void {
  const { kind, text, from } = token;
  const stem = scan.stemOf(text);
  scan.tokens.push({ kind, text, stem, from, to: scan.at, mark: scan.mark, isGlued: scan.isGlued });
  scan.mark = '';
  scan.isGlued = true;
}
