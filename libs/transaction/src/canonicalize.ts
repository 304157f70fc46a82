import { failure, type ParameterConfig, type Result, success } from '@latch/contracts';

/** Whether a value counts as not given: missing, null, empty text or an empty list. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}

/**
 * Brings a value into the form that the tool's declaration asks for, whatever source gave it. Reading human notation ("R$ 71,99") is the work of the
 * language reader; here a value is only typed and checked.
 *
 * @returns `ok: false` with a short reason in English when the value breaks the declaration.
 */
export function canonicalize(parameter: ParameterConfig, value: unknown): Result<unknown, string> {
  if (nestsDeeperThan(value, maxDepth)) return failure(`must not nest deeper than ${maxDepth} levels`);
  const typed = readers[parameter.type](value);
  if (typed === undefined) return failure(`must be ${article(parameter.type)} ${parameter.type}`);
  const member = memberOf(parameter, typed);
  if (member === undefined) return failure(`must be one of ${(parameter.enum ?? []).join(', ')}`);
  const problem = shapeProblem(parameter, member) ?? rangeProblem(parameter, member);
  return problem === null ? success(member) : failure(problem);
}

/** Deeper values are nobody's argument, and canonical JSON would refuse them. */
export const maxDepth = 50;

/** Whether a JSON value nests deeper than so many levels; looks no further than that. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsDeeperThan(member, levels - 1));
}

const decimal = /^[+-]?\d+(\.\d+)?$/;

const readers: Readonly<Record<ParameterConfig['type'], (value: unknown) => unknown>> = {
  string: readText,
  integer: (value) => {
    const read = readNumber(value);
    return Number.isInteger(read) ? read : undefined;
  },
  number: readNumber,
  boolean: readBoolean,
  array: (value) => (Array.isArray(value) ? value : [value]),
  object: (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined),
};

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : undefined;
}

function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}

/** The declared member that the value means, letter case aside; the value itself where nothing is enumerated. */
function memberOf(parameter: ParameterConfig, value: unknown): unknown {
  if (parameter.enum === null || Array.isArray(value)) return value;
  const wanted = String(value).toLowerCase();
  return parameter.enum.find((member) => String(member).toLowerCase() === wanted);
}

/** Longer texts are no identifiers, and are not matched against a pattern: some patterns take time that grows with the square of the text. */
const longestMatched = 2_000;

function shapeProblem(parameter: ParameterConfig, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (parameter.format === 'money' && !decimal.test(value)) return 'must be an amount such as 71.99';
  if (parameter.format === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'must be a date such as 2026-11-30';
  if (parameter.pattern === null) return null;
  if (value.length > longestMatched) return `must be at most ${longestMatched} characters long`;
  return expressionOf(parameter.pattern).test(value) ? null : `must match ${parameter.pattern}`;
}

const expressions = new Map<string, RegExp>();

/** The patterns are those of the configuration; each is compiled once. */
function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(pattern);
  expressions.set(pattern, expression);
  return expression;
}

function rangeProblem(parameter: ParameterConfig, value: unknown): string | null {
  const amount = typeof value === 'number' || parameter.format === 'money' ? Number(value) : null;
  if (amount === null) return null;
  if (parameter.minimum !== null && amount < parameter.minimum) return `must be at least ${parameter.minimum}`;
  if (parameter.maximum !== null && amount > parameter.maximum) return `must be at most ${parameter.maximum}`;
  return null;
}

function article(type: ParameterConfig['type']): string {
  return /^[aeiou]/.test(type) ? 'an' : 'a';
}
