import { type CipherGCM, createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { canonicalJson, failure, type Result, success } from '@latch/contracts';
import { compactText, isCompactable } from './compact-text.ts';
import { expandText } from './expand-text.ts';
import { dictionaryFor, sealDictionaries } from './seal-dictionary.ts';

/** A key that seals one person's data of one month. */
export type DataKey = {
  /** Number of its row in `person_keys`; a sealed value carries it. */
  readonly keyId: number;
  readonly key: Buffer;
};

/** Where a sealed value belongs: it opens nowhere else (additional authenticated data). */
export type SealedPlace = {
  readonly tenantId: string;
  /** The stream, or what else names the row. */
  readonly stream: string;
  /** Version of the stream, or what else tells the rows of a stream apart. */
  readonly version: string | number;
  readonly field: string;
};

/**
 * Seals a text: AES-256-GCM with a random 96-bit iv, under a key of its own that a person's data key and the iv give, bound to its place. Any JavaScript string
 * comes back as it was, lone surrogates and U+0000 included.
 *
 * @returns `~1` and base64url of flags (1 byte), key id (6), iv (12), ciphertext, tag (16). The text is compressed where that makes it shorter.
 */
export function sealText(text: string, { keyId, key }: DataKey, place: SealedPlace): string {
  const { flags, bytes } = pack(text, dictionaryFor(place.field));
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(flags, 0);
  header.writeUIntBE(keyId, 1, 6);
  takeIv().copy(header, 7);
  const cipher: CipherGCM = createCipheriv('aes-256-gcm', valueKey(header, key), header.subarray(7));
  cipher.setAAD(aadOf(header, place));
  const sealed = Buffer.concat([header, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return mark + sealed.toString('base64url');
}

/** The text that was sealed for this place. @returns why it does not open: it was altered, moved, or sealed with another key. */
export function unsealText(sealed: string, { key }: DataKey, place: SealedPlace): Result<string, 'altered'> {
  const bytes = bytesOf(sealed);
  return openBytes(bytes, { opening: valueKey(bytes.subarray(0, headerBytes), key), place });
}

/**
 * What opens this one sealed value and no other of the person's: an evidence bundle carries it, so that its reader can check that the clear text is what
 * was sealed. 32 bytes.
 */
export function openingOf(sealed: string, { key }: Pick<DataKey, 'key'>): Buffer {
  return valueKey(bytesOf(sealed).subarray(0, headerBytes), key);
}

/** The text that was sealed for this place, with the opening of the value alone. */
export function unsealWith(sealed: string, opening: Buffer, place: SealedPlace): Result<string, 'altered'> {
  return openBytes(bytesOf(sealed), { opening, place });
}

type Opening = { readonly opening: Buffer; readonly place: SealedPlace };

function openBytes(bytes: Buffer, { opening, place }: Opening): Result<string, 'altered'> {
  if (bytes.length < headerBytes + tagBytes) return failure('altered');
  const header = bytes.subarray(0, headerBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', opening, header.subarray(7), { authTagLength: tagBytes });
    decipher.setAAD(aadOf(header, place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const opened = Buffer.concat([decipher.update(bytes.subarray(headerBytes, -tagBytes)), decipher.final()]);
    return success(unpack(header.readUInt8(0), opened));
  } catch {
    return failure('altered');
  }
}

/** Whether a text is a sealed value. No JSON text and nothing that Latch stores in the clear begins so. */
export function isSealed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(mark);
}

/** The key that a sealed value needs; undefined when it is too short to say. */
export function keyIdOf(sealed: string): number | undefined {
  const bytes = Buffer.from(sealed.slice(mark.length, mark.length + 12), 'base64url');
  return bytes.length < 7 ? undefined : bytes.readUIntBE(1, 6);
}

const mark = '~1';

function bytesOf(sealed: string): Buffer {
  return Buffer.from(sealed.slice(mark.length), 'base64url');
}

/** The key of one value. It tells nothing about the person's key, nor about that of another value. */
function valueKey(header: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(header).digest();
}

const ivBytes = 12;
const tagBytes = 16;
const headerBytes = 7 + ivBytes;

const isDeflated = 1;
const isUtf16 = 2;
const isCompact = 4;
/** The number of the dictionary stands in the upper half of the flags. */
const dictionaryShift = 4;

/** Measured: a small window and little memory cost half of zlib's defaults; the dictionary makes up for it. */
const deflating = { level: 6, memLevel: 3, windowBits: 12 };
/** Below it a text is not worth the trouble. */
const shortestToDeflate = 64;
const largestText = 64 * 1024 * 1024;

type Packed = { readonly flags: number; readonly bytes: Buffer };

function pack(text: string, dictionary: number): Packed {
  const { flags, bytes: plain } = encode(text);
  if (plain.length < shortestToDeflate) return { flags, bytes: plain };
  const options = { ...deflating, dictionary: sealDictionaries[dictionary], chunkSize: chunkFor(plain.length) };
  const deflated = deflateRawSync(plain, options);
  return deflated.length < plain.length
    ? { flags: flags | isDeflated | (dictionary << dictionaryShift), bytes: deflated }
    : { flags, bytes: plain };
}

function encode(text: string): Packed {
  if (isCompactable(text)) return { flags: isCompact, bytes: compactText(text) };
  return loneSurrogate.test(text)
    ? { flags: isUtf16, bytes: Buffer.from(text, 'utf16le') }
    : { flags: 0, bytes: Buffer.from(text) };
}

function unpack(flags: number, bytes: Buffer): string {
  const plain = (flags & isDeflated) === 0 ? bytes : inflate(bytes, flags >> dictionaryShift);
  if ((flags & isCompact) !== 0) return expandText(plain);
  return plain.toString((flags & isUtf16) === 0 ? 'utf8' : 'utf16le');
}

function inflate(bytes: Buffer, dictionary: number): Buffer {
  return inflateRawSync(bytes, {
    windowBits: 13,
    dictionary: sealDictionaries[dictionary],
    maxOutputLength: largestText,
    chunkSize: chunkFor(bytes.length * 6),
  });
}

/** zlib takes as much memory for its output as it is told to; the default is far more than an event needs. */
function chunkFor(bytes: number): number {
  return Math.min(16_384, Math.max(256, bytes));
}

const loneSurrogate = /\p{Surrogate}/u;

function aadOf(header: Buffer, { tenantId, stream, version, field }: SealedPlace): Buffer {
  const text = canonicalJson; // as `hashedText` has it: of a text without anything to escape it is three times as fast as JSON.stringify
  const place = `["latch-seal-v1",${text(tenantId)},${text(stream)},${text(String(version))},${text(field)}]`;
  return Buffer.concat([header.subarray(0, 7), Buffer.from(place)]);
}

/** Random bytes are taken from the system a page at a time: one call for each iv costs as much as the sealing. */
const ivPool = Buffer.alloc(ivBytes * 256);
let ivsTaken = ivPool.length;

function takeIv(): Buffer {
  if (ivsTaken >= ivPool.length) {
    randomFillSync(ivPool);
    ivsTaken = 0;
  }
  const iv = ivPool.subarray(ivsTaken, ivsTaken + ivBytes);
  ivsTaken += ivBytes;
  return iv;
}
