import { codes, firstLiteral, literals, mostSeen, quoted, wordAfterComma, wordCode } from './compact-codes.ts';
import { storedWords } from './stored-words.ts';

/** What a compact text is read with; the same as it was written with. */
export type CompactingOptions = {
  /** Ids and instants that whoever reads the text knows anyway. */
  readonly context?: readonly string[];
  /** Whether known words are written as codes too. A compressor behind it does better without. */
  readonly withWords?: boolean;
};

/**
 * A JSON text in fewer bytes, and back, byte for byte. Ids, digests, instants and sealed values stand there as bytes behind a control character, which no JSON text
 * holds, and known words as their numbers; everything else stays as it is, in UTF-8. An id that was seen before, in the text or in its context, is only named.
 * For a text of a few hundred bytes that is mostly ids this is shorter than what a compressor makes of it, at a fraction of the cost.
 */
export function compactText(text: string, { context = [], withWords = false }: CompactingOptions = {}): Buffer {
  const writer = new CompactWriter(text, context, withWords);
  for (let from = text.indexOf('"'); from >= 0;) {
    const end = endOfString(text, from);
    if (end < 0) break;
    writer.string(from, end);
    from = text.indexOf('"', end + 1);
  }
  return writer.end();
}

/** The place of the quote that ends a string; -1 when none does. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end > 0 && text[end - 1] === '\\' && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Whether a text can be made compact: it holds none of the characters that mean something there, and is one that UTF-8 can hold. */
export function isCompactable(text: string): boolean {
  return !reserved.test(text);
}

const reserved = /[\x01-\x08\x0e-\x1f\p{Surrogate}]/u;

const literalCodes: ReadonlyMap<string, number> = new Map(literals.map((text, index) => [text, firstLiteral + index]));
const wordNumbers: ReadonlyMap<string, number> = new Map(storedWords.map((word, index) => [word, index]));

class CompactWriter {
  private readonly out: Buffer;
  private at = 0;
  private from = 0;
  private readonly seen: Map<string, number>;

  constructor(
    private readonly text: string,
    context: readonly string[],
    private readonly withWords: boolean,
  ) {
    this.out = Buffer.allocUnsafe(text.length * 3 + 1);
    this.seen = new Map([...new Set(context)].map((id, index) => [id, index]));
  }

  /** A string of the text, from its quote to its quote. What is neither known nor an id stays as it is. */
  string(from: number, end: number): void {
    if (this.withWords && this.word(from, end)) return;
    const isId = this.id(this.text.slice(from + 1, end), from, quoted);
    const tail = end - 36;
    if (!isId && this.text[tail - 1] === ':') this.id(this.text.slice(tail, end), tail, 0);
  }

  end(): Buffer {
    this.plain(this.text.length);
    return this.out.subarray(0, this.at);
  }

  private word(from: number, end: number): boolean {
    const until = this.text[end + 1] === ':' ? end + 2 : end + 1;
    const number = wordNumbers.get(this.text.slice(from, until));
    if (number === undefined) return false;
    const hasComma = from > this.from && this.text[from - 1] === ',';
    const literal = hasComma ? literalCodes.get(this.text.slice(this.from, from)) : undefined;
    if (literal === undefined) this.plain(hasComma ? from - 1 : from);
    else this.byte(literal);
    this.byte(hasComma && literal === undefined ? wordAfterComma : wordCode).byte(number);
    this.from = until;
    return true;
  }

  /** @param shift what to add to the code of an id whose quotes belong to it. */
  private id(id: string, from: number, shift: number): boolean {
    const known = this.seen.get(id);
    const bytes = known === undefined ? bytesOf(id) : undefined;
    if (known === undefined && bytes === undefined) return false;
    this.plain(from);
    if (known !== undefined) this.byte(codes.seen + shift).byte(known);
    else if (bytes !== undefined) this.firstSeen(id, bytes, shift);
    this.from = from + id.length + (shift === 0 ? 0 : 2);
    return true;
  }

  private firstSeen(id: string, bytes: Buffer, shift: number): void {
    const code = codeOf(id) ?? codes.key;
    this.byte(code + shift);
    if (code === codes.sealed) this.at = this.out.writeUIntBE(bytes.length, this.at, 4);
    else if (this.seen.size < mostSeen) this.seen.set(id, this.seen.size);
    this.at += bytes.copy(this.out, this.at);
  }

  private plain(until: number): void {
    if (until > this.from) this.at += this.out.write(this.text.slice(this.from, until), this.at, 'utf8');
  }

  private byte(value: number): this {
    this.out[this.at] = value;
    this.at += 1;
    return this;
  }
}

const codesByLength: ReadonlyMap<number, number> = new Map([
  [36, codes.uuid],
  [64, codes.digest],
  [32, codes.trace],
  [24, codes.instant],
  [43, codes.key],
]);

/** Below it nothing is gained. */
const shortestSealed = 16;

function codeOf(id: string): number | undefined {
  return id.startsWith('~1') && id.length > shortestSealed ? codes.sealed : codesByLength.get(id.length);
}

/** The bytes of an id, as long as they give back the same text. */
function bytesOf(id: string): Buffer | undefined {
  const code = codeOf(id);
  if (code === undefined) return undefined;
  const shape = shapes[code];
  if (shape !== undefined) return shape.test(id) ? encodeId(id, code) : undefined;
  const bytes = encodeId(id, code);
  return decodeId(bytes, code) === id ? bytes : undefined;
}

/** Ids that their bytes give back whenever they look so; the others are tried. */
const shapes: Readonly<Record<number, RegExp>> = {
  [codes.uuid]: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
  [codes.digest]: /^[\da-f]+$/,
  [codes.trace]: /^[\da-f]+$/,
};

function encodeId(id: string, code: number): Buffer {
  if (code === codes.sealed) return Buffer.from(id.slice(2), 'base64url');
  if (code === codes.key) return Buffer.from(id, 'base64url');
  if (code !== codes.instant) return Buffer.from(id.replaceAll('-', ''), 'hex');
  const instant = Buffer.alloc(6);
  const milliseconds = Date.parse(id);
  if (milliseconds >= 0) instant.writeUIntBE(milliseconds, 0, 6);
  return instant;
}

function decodeId(bytes: Buffer, code: number): string {
  if (code === codes.sealed) return `~1${bytes.toString('base64url')}`;
  if (code === codes.key) return bytes.toString('base64url');
  if (code === codes.instant) return new Date(bytes.readUIntBE(0, 6)).toISOString();
  const hex = bytes.toString('hex');
  if (code !== codes.uuid) return hex;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
