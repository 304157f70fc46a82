import { failure, type Result, success } from '@latch/contracts';

const maxDepth = 200;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON text that a stranger wrote. Refused beside what is not JSON: bytes that are not UTF-8, nesting deeper than 200 levels, lone surrogates, a name
 * given twice in one object, and keys that could change a prototype when somebody copies the value (`__proto__`, and `constructor` holding a `prototype`).
 *
 * @returns the value, or a sentence that says what is wrong and repeats nothing of the text.
 */
export function parseJson(bytes: Buffer | string): Result<unknown, string> {
  let text: string;
  try {
    text = typeof bytes === 'string' ? bytes : decoder.decode(bytes);
  } catch {
    return failure('the text is not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure('the text is not JSON');
  }
  const problem = needsLook(text) ? findProblem(value) : undefined;
  if (problem !== undefined) return failure(problem);
  return countNames(text) === countKeys(value) ? success(value) : failure('a name is given twice in one object');
}

/** Most texts can hold neither a forbidden key nor a deep nesting, and are not walked. An escape may hide a key. */
function needsLook(text: string): boolean {
  return text.includes('__proto__') || text.includes('"constructor"') || text.includes('\\u') || hasManyBrackets(text);
}

/** Jumps from bracket to bracket: a twentieth of the cost of looking at each character. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > maxDepth) return true;
    }
  }
  return false;
}

/** How many names of members the text holds. It jumps from quote to quote, since JSON.parse has found the text well-formed. */
function countNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfString(text, at);
    if (isFollowedByColon(text, end)) count += 1;
    at = text.indexOf('"', end + 1);
  }
  return count;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

/** How many members the parsed objects have: fewer than names where the last of two equal ones won. */
function countKeys(root: unknown): number {
  let count = 0;
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const members: readonly unknown[] = Object.values(value);
    if (!Array.isArray(value)) count += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return count;
}

/** Iterative: a nesting of a million levels must not overflow the stack. */
function findProblem(root: unknown): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 1 }];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const { value, depth } = current;
    if (typeof value === 'string' && hasLoneSurrogate(value)) return 'a text holds half of a character';
    if (typeof value !== 'object' || value === null) continue;
    if (depth > maxDepth) return `the value nests deeper than ${maxDepth} levels`;
    if (Object.hasOwn(value, '__proto__')) return 'a key is named "__proto__"';
    if (holdsPrototype(value)) return 'a key "constructor" holds a "prototype"';
    if (Object.keys(value).some(hasLoneSurrogate)) return 'a key holds half of a character';
    for (const member of Object.values(value)) open.push({ value: member, depth: depth + 1 });
  }
  return undefined;
}

/** In Unicode mode a surrogate matches only where it has no partner. No database holds such a text. */
function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function holdsPrototype(value: object): boolean {
  if (!Object.hasOwn(value, 'constructor')) return false;
  const inner: unknown = Reflect.get(value, 'constructor');
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype');
}
