import { canonicalJson } from '@latch/contracts';

/** Where two JSON values differ first, and what stands there. */
export type ValueDifference = { readonly path: string; readonly stored: unknown; readonly found: unknown };

/** The first difference of two JSON values, in the order of their canonical form; null when they are equal byte for byte. */
export function firstDifference(stored: unknown, found: unknown, path = '$'): ValueDifference | null {
  if (textOf(stored) === textOf(found)) return null;
  if (!isNested(stored) || !isNested(found) || Array.isArray(stored) !== Array.isArray(found)) {
    return { path, stored, found };
  }
  const names = [...new Set([...Object.keys(stored), ...Object.keys(found)])].sort();
  for (const name of names) {
    const place = Array.isArray(stored) ? `${path}[${name}]` : `${path}.${name}`;
    const difference = firstDifference(memberOf(stored, name), memberOf(found, name), place);
    if (difference !== null) return difference;
  }
  return { path, stored, found };
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
