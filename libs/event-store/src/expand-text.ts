import { codes, firstLiteral, literals, mostSeen, quoted, wordAfterComma, wordCode } from './compact-codes.ts';
import { type CompactingOptions } from './compact-text.ts';
import { storedWords } from './stored-words.ts';

/**
 * The text that was made compact.
 *
 * @throws RangeError when the bytes are none that `compactText` makes.
 */
export function expandText(bytes: Buffer, options: Pick<CompactingOptions, 'context'> = {}): string {
  return expandBytes(bytes, options).toString('utf8');
}

/**
 * The same as UTF-8, without making a text of it: what is only hashed needs none. The bytes hold until the next call.
 *
 * @throws RangeError when the bytes are none that `compactText` makes.
 */
export function expandBytes(bytes: Buffer, { context = [], from = 0 }: ExpandingOptions = {}): Buffer {
  for (let index = 0; index < context.length; index += 1) {
    const id = context[index] ?? '';
    if (context.indexOf(id) === index) expander.see(id);
  }
  return expander.expand(bytes, from);
}

type ExpandingOptions = Pick<CompactingOptions, 'context'> & {
  /** Where the compact text begins. @default 0 */
  readonly from?: number;
};

const lastLow = 0x08;
const firstHigh = 0x0e;
const firstPlain = 0x20;

/** 1 for each byte that is a code, and none of the text. */
const isCode = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < firstPlain && byte !== 0 && (byte <= lastLow || byte >= firstHigh) ? 1 : 0,
);

const words: readonly Uint8Array[] = storedWords.map((word) => Buffer.from(word));
const literalBytes: readonly Uint8Array[] = literals.map((text) => Buffer.from(text));

/** How many bytes an id of each code takes in the compact text, but for sealed values, which say so. */
const sizes: Readonly<Record<number, number>> = {
  [codes.uuid]: 16,
  [codes.digest]: 32,
  [codes.trace]: 16,
  [codes.instant]: 6,
  [codes.key]: 32,
};

const hexDigits = Buffer.from('0123456789abcdef');
const base64Digits = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const quote = 0x22;
const comma = 0x2c;
const dash = 0x2d;

/** What stays allocated between two texts; the room of a larger one is given back. */
const usualBytes = 65_536;

/** Writes one text after the other into one buffer: each piece is a handful of bytes, for which a call into the runtime costs more than a loop. */
class Expander {
  private out = Buffer.allocUnsafe(usualBytes);
  private at = 0;
  /** Where the ids begin and end that can be named again. */
  private readonly begins = new Int32Array(mostSeen);
  private readonly ends = new Int32Array(mostSeen);
  private seen = 0;

  /** An id that the text may name without holding it. It stands before the text. */
  see(id: string): void {
    this.room(id.length * 3);
    const begin = this.at;
    this.at += this.out.write(id, begin, 'utf8');
    this.remember(begin);
  }

  expand(bytes: Buffer, from: number): Buffer {
    const begin = this.at;
    try {
      for (let next = from; next < bytes.length;) next = this.piece(bytes, next);
      return this.out.subarray(begin, this.at);
    } finally {
      if (this.out.length > usualBytes) this.out = Buffer.allocUnsafe(usualBytes);
      this.at = 0;
      this.seen = 0;
    }
  }

  /** @returns where the next piece begins. */
  private piece(bytes: Buffer, from: number): number {
    const code = bytes[from] ?? 0;
    if (isCode[code] === 0) return this.plain(bytes, from);
    if (code === wordCode || code === wordAfterComma) return this.word(bytes, from, code);
    const literal = literalBytes[code - firstLiteral];
    if (literal !== undefined) {
      this.copy(literal);
      return from + 1;
    }
    if (code <= quoted) return this.id(bytes, from, code);
    this.byte(quote);
    const next = this.id(bytes, from, code - quoted);
    this.byte(quote);
    return next;
  }

  private plain(bytes: Buffer, from: number): number {
    this.room(bytes.length - from);
    const { out } = this;
    let { at } = this;
    let next = from;
    while (next < bytes.length) {
      const byte = bytes[next] ?? 0;
      if (isCode[byte] === 1) break;
      out[at] = byte;
      at += 1;
      next += 1;
    }
    this.at = at;
    return next;
  }

  private word(bytes: Buffer, from: number, code: number): number {
    const word = words[bytes[from + 1] ?? words.length];
    if (word === undefined) throw new RangeError('A stored text names a word that is not known');
    if (code === wordAfterComma) this.byte(comma);
    this.copy(word);
    return from + 2;
  }

  private id(bytes: Buffer, from: number, code: number): number {
    if (code === codes.seen) return this.again(bytes, from);
    const begin = code === codes.sealed ? from + 5 : from + 1;
    const size = code === codes.sealed ? bytes.readUInt32BE(from + 1) : sizes[code];
    if (size === undefined || begin + size > bytes.length)
      throw new RangeError('A stored text is cut, or no such text');
    this.room(size * 2 + 32);
    const at = this.at;
    this.decode(bytes, begin, { code, end: begin + size });
    if (code !== codes.sealed) this.remember(at);
    return begin + size;
  }

  private again(bytes: Buffer, from: number): number {
    const number = bytes[from + 1] ?? mostSeen;
    if (number >= this.seen) throw new RangeError('A stored text names an id that was not there before');
    const begin = this.begins[number] ?? 0;
    const end = this.ends[number] ?? 0;
    this.room(end - begin);
    const { out } = this;
    let { at } = this;
    for (let next = begin; next < end; next += 1, at += 1) out[at] = out[next] ?? 0;
    this.at = at;
    return from + 2;
  }

  private remember(begin: number): void {
    if (this.seen >= mostSeen) return;
    this.begins[this.seen] = begin;
    this.ends[this.seen] = this.at;
    this.seen += 1;
  }

  private decode(bytes: Buffer, from: number, { code, end }: { readonly code: number; readonly end: number }): void {
    if (code === codes.instant) {
      this.at += this.out.write(new Date(bytes.readUIntBE(from, 6)).toISOString(), this.at, 'latin1');
    } else if (code === codes.uuid) this.uuid(bytes, from);
    else if (code === codes.key) this.base64(bytes, from, end);
    else if (code === codes.sealed) {
      this.at += this.out.write('~1', this.at, 'latin1');
      this.base64(bytes, from, end);
    } else this.hex(bytes, from, end);
  }

  private uuid(bytes: Buffer, from: number): void {
    this.hex(bytes, from, from + 4);
    for (let group = from + 4; group < from + 10; group += 2) {
      this.byte(dash);
      this.hex(bytes, group, group + 2);
    }
    this.byte(dash);
    this.hex(bytes, from + 10, from + 16);
  }

  private hex(bytes: Buffer, from: number, end: number): void {
    const { out } = this;
    let { at } = this;
    for (let next = from; next < end; next += 1) {
      const byte = bytes[next] ?? 0;
      out[at] = hexDigits[byte >> 4] ?? 0;
      out[at + 1] = hexDigits[byte & 15] ?? 0;
      at += 2;
    }
    this.at = at;
  }

  private base64(bytes: Buffer, from: number, end: number): void {
    const { out } = this;
    let { at } = this;
    for (let next = from; next < end; next += 3) {
      const left = Math.min(3, end - next);
      const three =
        ((bytes[next] ?? 0) << 16) |
        (left > 1 ? (bytes[next + 1] ?? 0) << 8 : 0) |
        (left > 2 ? (bytes[next + 2] ?? 0) : 0);
      for (let digit = 0; digit <= left; digit += 1, at += 1)
        out[at] = base64Digits[(three >> (18 - 6 * digit)) & 63] ?? 0;
    }
    this.at = at;
  }

  private copy(piece: Uint8Array): void {
    this.room(piece.length);
    const { out } = this;
    let { at } = this;
    for (let from = 0; from < piece.length; from += 1, at += 1) out[at] = piece[from] ?? 0;
    this.at = at;
  }

  private byte(value: number): void {
    this.room(1);
    this.out[this.at] = value;
    this.at += 1;
  }

  /** Makes room for so many bytes more. */
  private room(bytes: number): void {
    if (this.at + bytes <= this.out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.out.length * 2, this.at + bytes));
    this.out.copy(larger, 0, 0, this.at);
    this.out = larger;
  }
}

const expander = new Expander();
