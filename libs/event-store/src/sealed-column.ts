import { isSealed } from './seal-value.ts';

/** A stored value as its two columns hold it: as it is, or, when it is sealed, the bytes alone. */
export type StoredValue = { readonly clear: string | null; readonly sealed: Buffer | null };

/** @param value what is to be stored: text, JSON text, or what was sealed. */
export function storedValue(value: string | null): StoredValue {
  return isSealed(value) ? { clear: null, sealed: bytesOfSealed(value) } : { clear: value, sealed: null };
}

/** What was sealed, as bytes: three quarters of its text. */
export function bytesOfSealed(sealed: string): Buffer {
  return Buffer.from(sealed.slice(mark.length), 'base64url');
}

/** The sealed value that the bytes are. */
export function sealedOfBytes(bytes: Buffer): string {
  return mark + bytes.toString('base64url');
}

const mark = '~1';
