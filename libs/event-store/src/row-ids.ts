import { compactText } from './compact-text.ts';
import { expandText } from './expand-text.ts';

/** Ids and digests that a row carries and that nothing is looked up by, as one compact value. */
export function packIds(ids: readonly (string | null)[]): Buffer {
  return compactText(JSON.stringify(ids));
}

/** The ids that the bytes hold, in their order. */
export function unpackIds(bytes: Buffer): readonly (string | null)[] {
  const ids: unknown = JSON.parse(expandText(bytes));
  return Array.isArray(ids) ? ids.map((id: unknown) => (typeof id === 'string' ? id : null)) : [];
}
