import { isRecord } from '@latch/contracts';
import { limits } from './limits.ts';

/** The value as a list; anything else is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The first of the named members that is a non-empty text, or a number written as text. */
export function firstText(record: Record<string, unknown>, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textOf(record[name]);
    if (text !== null) return text;
  }
  return null;
}

/** A non-empty text as it is, a finite number as text, null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/** Parses text that looks like a JSON object, list or literal; `undefined` for any other text, and for text over the limit. Never throws. */
export function parseJson(text: string): unknown {
  if (text.length > limits.jsonChars) return undefined;
  if (!/^\s*(?:[[{]|null\s*$|true\s*$|false\s*$)/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body and, where it has the wrapping of GraphQL, its `data` and what stands in it under the operations' names. */
export function bodiesOf(body: Record<string, unknown>): readonly Record<string, unknown>[] {
  if (!isRecord(body.data)) return [body];
  return [body, body.data, ...Object.values(body.data).slice(0, 16).filter(isRecord)];
}

/** What forbids reading a value. */
export type Defect = 'too_large' | 'too_deep';

/** Walks a value without recursion and stops at the limits; null when it is within them. */
export function defectOf(value: unknown): Defect | null {
  let level: readonly unknown[] = [value];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) return 'too_deep';
    seen += level.length;
    if (seen > limits.values) return 'too_large';
    level = childrenOf(level, limits.values - seen);
  }
  return null;
}

/** All members of all containers of a level; stops early once there are more than the budget allows. */
function childrenOf(level: readonly unknown[], budget: number): readonly unknown[] {
  const children: unknown[] = [];
  for (const value of level) {
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Array.isArray(value) ? value : Object.values(value)) {
      children.push(child);
      if (children.length > budget) return children;
    }
  }
  return children;
}
