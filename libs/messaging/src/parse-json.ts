import { failure, type Result, success } from '@latch/contracts';

const maxDepth = 200;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON text that a stranger wrote. Refused beside what is not JSON: bytes that are not UTF-8, nesting deeper than 200 levels, lone surrogates, and
 * keys that could change a prototype when somebody copies the value (`__proto__`, and `constructor` holding a `prototype`).
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
  return problem === undefined ? success(value) : failure(problem);
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
