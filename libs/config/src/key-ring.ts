import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { failure, type Result, success } from '@latch/contracts';

/**
 * The keys of the secret environment (`LATCH_DATA_KEY`) by their ids. `current` seals; all of them open, so that a key can be exchanged while the system
 * runs. It never leaves the process and is never logged.
 */
export type KeyRing = {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
};

/** How personal data is kept at rest: sealed under this key ring, or in the clear where the operator has said so (`LATCH_PERSONAL_DATA=clear`). */
export type PersonalData = KeyRing | 'clear';

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Reads `id:base64[,id:base64]`; a single key may come without an id and is then called `1`.
 *
 * @returns a sentence that says what is wrong and never repeats a key.
 */
export function parseKeyRing(text: string): Result<KeyRing, string> {
  const entries = text.split(',').map((entry) => entry.trim());
  const keys = new Map<string, Buffer>();
  for (const [index, entry] of entries.entries()) {
    const [id, encoded] = splitEntry(entry, entries.length);
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) {
      return failure(`entry ${index + 1} needs an id of letters, digits, "_" or "-" before its colon: id:base64.`);
    }
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== keyBytes) {
      return failure(
        `key ${id} must be 32 bytes in base64 (make one with: openssl rand -base64 32); it has ${key.length}.`,
      );
    }
    if (keys.has(id)) return failure(`key id ${id} stands there twice.`);
    keys.set(id, key);
  }
  const [current = ''] = keys.keys();
  return success({ current, keys });
}

function splitEntry(entry: string, count: number): readonly [string, string] {
  const colon = entry.indexOf(':');
  if (colon < 0) return count === 1 ? ['1', entry] : ['', entry];
  return [entry.slice(0, colon), entry.slice(colon + 1)];
}

/**
 * Seals bytes under the current key: AES-256-GCM with a random iv. `about` says what the bytes are and where they belong; they open only there.
 *
 * @returns `<key id>.<base64url of iv, ciphertext and tag>`.
 */
export function sealWithRing(ring: KeyRing, bytes: Uint8Array, about: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(ring, ring.current), iv);
  cipher.setAAD(Buffer.from(about));
  const sealed = Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return `${ring.current}.${sealed.toString('base64url')}`;
}

/** Opens what `sealWithRing` sealed for the same `about`. @returns why it does not open: an unknown key id, or altered or moved bytes. */
export function openWithRing(ring: KeyRing, sealed: string, about: string): Result<Buffer, string> {
  const id = ringKeyIdOf(sealed);
  const key = ring.keys.get(id);
  if (key === undefined) return failure(`LATCH_DATA_KEY holds no key with the id ${id}`);
  const bytes = Buffer.from(sealed.slice(id.length + 1), 'base64url');
  if (bytes.length < ivBytes + tagBytes) return failure('the sealed text is cut');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(about));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return success(Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]));
  } catch {
    return failure(`the sealed text was altered, was moved, or key ${id} is another one than sealed it`);
  }
}

/** The id of the key that sealed a text. */
export function ringKeyIdOf(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf('.')));
}

function keyOf(ring: KeyRing, id: string): Buffer {
  const key = ring.keys.get(id);
  if (key === undefined) throw new TypeError(`The key ring holds no key ${id}`);
  return key;
}
