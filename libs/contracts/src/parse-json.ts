import { isAscii } from 'node:buffer';
import { isRecord } from './is-record.ts';
import { failure, type Result, success } from './result.ts';
import { scanJson } from './scan-json.ts';

const maxDepth = 200;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON text that a stranger wrote. Refused beside what is not JSON: bytes that are not UTF-8, nesting deeper than 200 levels, lone surrogates, a name
 * given twice in one object, and keys that could change a prototype when somebody copies the value (`__proto__`, and `constructor` holding a `prototype`).
 *
 * @returns the value, or a sentence that says what is wrong and repeats nothing of the text.
 */
export function parseJson(bytes: Buffer | string): Result<unknown, string> {
  const text = typeof bytes === 'string' ? bytes : textOf(bytes);
  if (text === undefined) return failure('the text is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure('the text is not JSON');
  }
  const problem = problemIn(value, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return problem === undefined ? success(value) : failure(problem);
}

/** ASCII, which most messages are, needs no decoder. */
function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What JSON.parse lets through silently. One look at the bytes and one at the value tell it for nearly every text. */
function problemIn(value: unknown, bytes: Buffer): string | undefined {
  const { names, depth, hasUnicodeEscape } = scanJson(bytes);
  if (depth > maxDepth) return `the value nests deeper than ${maxDepth} levels`;
  const keys = countKeys(value);
  if (typeof keys === 'string') return keys;
  const half = hasUnicodeEscape ? halfCharacterIn(value) : undefined;
  return half ?? (names === keys ? undefined : 'a name is given twice in one object');
}

/**
 * How many members the objects in a value have: fewer than names in the text where the last of two equal ones won. The depth is bounded by now.
 *
 * @returns a sentence where a key could change a prototype.
 */
function countKeys(value: unknown): number | string {
  if (Array.isArray(value)) return countInList(value);
  return isRecord(value) ? countInObject(value) : 0;
}

function countInList(list: readonly unknown[]): number | string {
  let count = 0;
  for (const member of list) {
    const inner = countKeys(member);
    if (typeof inner === 'string') return inner;
    count += inner;
  }
  return count;
}

function countInObject(value: Readonly<Record<string, unknown>>): number | string {
  let count = 0;
  for (const name in value) {
    if (name === '__proto__') return 'a key is named "__proto__"';
    const member = value[name];
    if (name === 'constructor' && holdsPrototype(member)) return 'a key "constructor" holds a "prototype"';
    count += 1;
    if (typeof member !== 'object' || member === null) continue;
    const inner = countKeys(member);
    if (typeof inner === 'string') return inner;
    count += inner;
  }
  return count;
}

function holdsPrototype(value: unknown): boolean {
  return isRecord(value) && Object.hasOwn(value, 'prototype');
}

/** Only an escape can write half of a character: in the bytes themselves it is no UTF-8. No database holds such a text. */
function halfCharacterIn(value: unknown): string | undefined {
  if (typeof value === 'string') return hasLoneSurrogate(value) ? 'a text holds half of a character' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && Object.keys(value).some(hasLoneSurrogate)) return 'a key holds half of a character';
  for (const member of Object.values(value)) {
    const problem = halfCharacterIn(member);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** In Unicode mode a surrogate matches only where it has no partner. */
function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
