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

/**
 * The text that was made compact.
 *
 * @throws RangeError when the bytes are none that `compactText` makes.
 */
export function expandText(bytes: Buffer, { context = [] }: Pick<CompactingOptions, 'context'> = {}): string {
  const seen = [...new Set(context)];
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const code = bytes[at] ?? 0;
    if (code >= firstPlain || code === 0 || (code > lastLow && code < firstHigh)) {
      at += 1;
      continue;
    }
    if (at > from) parts.push(bytes.toString('utf8', from, at));
    const { text, length } = readCode(bytes, at, seen);
    parts.push(text);
    at += length;
    from = at;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** Whether a text can be made compact: it holds none of the characters that mean something there, and is one that UTF-8 can hold. */
export function isCompactable(text: string): boolean {
  return !reserved.test(text);
}

/** Codes of ids; with `quoted` added they stand for the quotes around it too. */
const codes = { uuid: 1, digest: 2, trace: 3, instant: 4, key: 5, sealed: 6, seen: 7 } as const;
const quoted = 0x18;
const wordCode = 0x0e;
const wordAfterComma = 0x0f;
const literals = ['null,', 'true,', 'false,', '[],', '{},'] as const;
const firstLiteral = 0x10;

const lastLow = 0x08;
const firstHigh = 0x0e;
const firstPlain = 0x20;
const reserved = /[\x01-\x08\x0e-\x1f\p{Surrogate}]/u;

const literalCodes: ReadonlyMap<string, number> = new Map(literals.map((text, index) => [text, firstLiteral + index]));
const wordNumbers: ReadonlyMap<string, number> = new Map(storedWords.map((word, index) => [word, index]));
const mostSeen = 256;

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

type Read = { readonly text: string; readonly length: number };

function readCode(bytes: Buffer, at: number, seen: string[]): Read {
  const code = bytes.readUInt8(at);
  if (code > quoted) {
    const { text, length } = readId(bytes, { at, code: code - quoted, seen });
    return { text: `"${text}"`, length };
  }
  if (code === wordCode || code === wordAfterComma) {
    const word = storedWords[bytes.readUInt8(at + 1)];
    if (word === undefined) throw new RangeError('A stored text names a word that is not known');
    return { text: code === wordAfterComma ? `,${word}` : word, length: 2 };
  }
  const literal = literals[code - firstLiteral];
  return literal === undefined ? readId(bytes, { at, code, seen }) : { text: literal, length: 1 };
}

const sizes: Readonly<Record<number, number>> = {
  [codes.uuid]: 16,
  [codes.digest]: 32,
  [codes.trace]: 16,
  [codes.instant]: 6,
  [codes.key]: 32,
};

function readId(
  bytes: Buffer,
  { at, code, seen }: { readonly at: number; readonly code: number; readonly seen: string[] },
): Read {
  if (code === codes.seen) {
    const known = seen[bytes.readUInt8(at + 1)];
    if (known === undefined) throw new RangeError('A stored text names an id that was not there before');
    return { text: known, length: 2 };
  }
  const begin = code === codes.sealed ? at + 5 : at + 1;
  const size = code === codes.sealed ? bytes.readUInt32BE(at + 1) : sizes[code];
  if (size === undefined || begin + size > bytes.length) throw new RangeError('A stored text is cut, or no such text');
  const text = decodeId(bytes.subarray(begin, begin + size), code);
  if (code !== codes.sealed && seen.length < mostSeen) seen.push(text);
  return { text, length: begin + size - at };
}
