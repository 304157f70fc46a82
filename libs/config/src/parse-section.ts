import { z } from 'zod';
import { type ConfigProblem } from './config-problem.ts';
import { suggestName } from './nearest-name.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

/** What a file says, checked; `value: null` when an error keeps it from being used. */
export type Parsed<T> = { readonly value: T | null; readonly problems: readonly ConfigProblem[] };

/**
 * Keys that the Python ancestor reads and that change nothing here. Each is reported as a warning, so that nobody believes in a setting
 * without effect.
 */
const withoutEffect = new Set([
  ...['prompt_policy_path', 'routing_config_path', 'guardrails_config_path', 'judges_config_path'],
  ...['mcp_servers_config_path', 'tools_config_path', 'router', 'state_policies', 'priority'],
  ...['selection_keywords', 'response', 'cache', 'extract', 'currency', 'items'],
  ...['retry', 'pause', 'resume_from'],
]);

/**
 * A map with a fixed set of keys. Any other key is a warning of {@link parseSection}, never a reason to refuse the file: a newer file must
 * stay readable by an older program.
 */
export function section<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  // The known names ride in the message of the issue: it is the only thing that zod hands on from here.
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : undefined),
  });
}

/**
 * Checks a file against its schema: every unknown key is a warning, everything else an error, each at its line and column.
 *
 * @param consequence what comes of an unknown key, in the words of the warning.
 */
export function parseSection<T>(file: YamlFile, schema: z.ZodType<T>, consequence = 'is ignored'): Parsed<T> {
  const first = schema.safeParse(file.value, { error: describeIssue });
  if (first.success) return { value: first.data, problems: [] };
  const unknown = first.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? [issue] : []));
  const warnings = unknown.flatMap((issue) => issue.keys.map((key) => unknownKey(file, { issue, key, consequence })));
  const second = schema.safeParse(withoutKeys(file.value, unknown), { error: describeIssue });
  if (second.success) return { value: second.data, problems: warnings };
  const errors = second.error.issues.map((issue) => file.problem(issue.path, sentenceOf(issue)));
  return { value: null, problems: [...warnings, ...errors] };
}

type UnknownKeys = { readonly path: YamlPath; readonly message: string; readonly keys: readonly string[] };

function unknownKey(
  file: YamlFile,
  { issue, key, consequence }: { readonly issue: UnknownKeys; readonly key: string; readonly consequence: string },
): ConfigProblem {
  const path = [...issue.path, key];
  const known = issue.message.split(' ');
  const message = withoutEffect.has(key)
    ? `${textOf(path)} is a key of the Python platform that has no effect in Latch. Remove it when nothing else reads this file.`
    : `${textOf(path)} is not a known key and ${consequence}.${suggestName(key, known) || ` Known here: ${known.join(', ')}.`}`;
  return file.problem(path, message, { severity: 'warning', at: 'key' });
}

function withoutKeys(value: unknown, unknown: readonly UnknownKeys[]): unknown {
  const copy = structuredClone(value);
  for (const { path, keys } of unknown) {
    const target = path.reduce<unknown>((node, step) => (isObject(node) ? Reflect.get(node, step) : undefined), copy);
    for (const key of keys) if (isObject(target)) Reflect.deleteProperty(target, key);
  }
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  return `${textOf(issue.path) || 'The file'} ${issue.message}`;
}

function textOf(path: YamlPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return describeType(issue.expected, issue.input);
  if (issue.code === 'invalid_value') return describeChoice(issue.values.map(String), issue.input);
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue.origin)}.`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue.origin)}.`;
  return issue.code === 'invalid_key'
    ? `is not a usable name: ${nameRule}`
    : 'has a value that cannot be used here. See docs/reference/configuration.md.';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

function describeType(expected: string, input: unknown): string {
  const wanted = typeWords[expected] ?? expected;
  if (input === undefined) return `is missing. It must be ${wanted}.`;
  return `must be ${wanted}, not ${kindOf(input)}.${hintFor(expected, input)}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'empty';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'a map';
  return typeof input === 'string'
    ? `the text ${JSON.stringify(input.slice(0, 60))}`
    : `the ${typeof input} ${String(input)}`;
}

function hintFor(expected: string, input: unknown): string {
  if (expected === 'string' && ['number', 'boolean'].includes(typeof input))
    return ` Put it in quotes: "${String(input)}".`;
  if (expected === 'boolean') return ' Write true or false without quotes; YAML 1.2 reads yes and no as text.';
  if (expected === 'array' && typeof input === 'string') return ` Write [${input}].`;
  return '';
}

function describeChoice(choices: readonly string[], input: unknown): string {
  if (input === undefined) return `is missing. It must be one of ${choices.join(', ')}.`;
  return `must be one of ${choices.join(', ')}, not ${kindOf(input)}.${suggestName(String(input), choices)}`;
}

const nameRule = 'use letters, digits, dot, dash and underscore, begin with a letter, at most 64 characters.';

/** A name that may be a key in records, logs and metrics. */
export const Name = z.string().regex(/^[\p{L}][\p{L}\p{N}_.-]{0,63}$/u, `is not a usable name: ${nameRule}`);
