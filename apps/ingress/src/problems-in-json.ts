import { type InputProblem, jsonPath } from '@latch/contracts';

/** Levels that a body may nest, values that it may hold, and problems that are told of it. */
export const maxJsonDepth = 32;
export const maxJsonValues = 5_000;
const maxProblems = 20;

/**
 * What is wrong with a text that is syntactically JSON: a name given twice in one object (which of the two counts?), the names `__proto__`,
 * `constructor` and `prototype`, lone surrogates and NUL characters (no database holds them), numbers that change when they are read,
 * more than 32 levels or 5,000 values. `JSON.parse` passes all of them silently.
 */
export function problemsInJson(json: string): readonly InputProblem[] {
  const scan: Scan = { frames: [], problems: [], values: 0 };
  for (const [token] of json.matchAll(tokens)) {
    step(scan, token);
    if (scan.values > maxJsonValues) return [{ path: '$', message: `holds more than ${maxJsonValues} values` }];
    if (scan.frames.length > maxJsonDepth) return [{ path: '$', message: `nests deeper than ${maxJsonDepth} levels` }];
    if (scan.problems.length >= maxProblems) break;
  }
  return scan.problems;
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null/g;

type ObjectFrame = { readonly names: Set<string>; step: string; expectsName: boolean };
type ArrayFrame = { readonly names: null; step: number };
type Scan = {
  readonly frames: (ObjectFrame | ArrayFrame)[];
  readonly problems: InputProblem[];
  values: number;
};

function step(scan: Scan, token: string): void {
  switch (token.charAt(0)) {
    case '{':
      return open(scan, { names: new Set(), step: '', expectsName: true });
    case '[':
      return open(scan, { names: null, step: 0 });
    case '}':
    case ']':
      return void scan.frames.pop();
    case ',':
      return next(scan.frames.at(-1));
    case ':':
      return;
    case '"':
      return readString(scan, token);
    default:
      return readScalar(scan, token);
  }
}

function open(scan: Scan, frame: ObjectFrame | ArrayFrame): void {
  scan.values += 1;
  scan.frames.push(frame);
}

function next(frame: ObjectFrame | ArrayFrame | undefined): void {
  if (frame?.names === null) frame.step += 1;
  else if (frame) frame.expectsName = true;
}

function readString(scan: Scan, token: string): void {
  const text = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
  const frame = scan.frames.at(-1);
  if (frame?.names && frame.expectsName) return readName(scan, frame, text);
  scan.values += 1;
  if (!isStorable(text)) report(scan, 'holds a lone surrogate or a NUL character');
}

const poisonedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function readName(scan: Scan, frame: ObjectFrame, name: string): void {
  frame.step = name;
  frame.expectsName = false;
  if (frame.names.has(name)) report(scan, 'is given twice');
  if (poisonedNames.has(name)) report(scan, 'is a name that is not accepted');
  if (!isStorable(name)) report(scan, 'has a name with a lone surrogate or a NUL character');
  frame.names.add(name);
}

/** In Unicode mode a surrogate matches only where it has no partner. */
function isStorable(text: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(text);
}

function readScalar(scan: Scan, token: string): void {
  scan.values += 1;
  if (/^[tfn]/.test(token)) return;
  const value = Number(token);
  const isWhole = /^-?\d+$/.test(token);
  if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) {
    report(scan, 'is a number too large to be read exactly; send it as a string');
  }
}

const maxShownName = 60;

function report(scan: Scan, message: string): void {
  const path = scan.frames.map(({ step: at }) => (typeof at === 'string' ? showable(at) : at));
  scan.problems.push({ path: jsonPath(path), message });
}

/** A path goes into the answer: long names are cut and unprintable characters replaced. */
function showable(name: string): string {
  const clean = name.replaceAll(/[\p{Surrogate}\p{Cc}]/gu, '\u{fffd}');
  return clean.length > maxShownName ? `${clean.slice(0, maxShownName)}…` : clean;
}
