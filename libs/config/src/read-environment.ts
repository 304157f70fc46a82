import { failure, type Result, success } from '@latch/contracts';
import { type z } from 'zod';

/** What the process was started with, or a test's stand-in for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of an app from environment variables, once, at its start. The keys of `schema` are the variable names; an empty
 * variable counts as not set, so that a blank line in an env file falls back to the default.
 *
 * @returns the frozen settings, or one message that lists every problem: the variable, what is wrong with it, what it means. Values of
 *   variables that may hold a secret (url, token, key, password, header, secret) are never repeated in the message.
 */
export function readEnvironment<S extends z.ZodObject>(
  schema: S,
  env: Environment = process.env,
): Result<Readonly<z.infer<S>>, string> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = env[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return success(Object.freeze(parsed.data));
  return failure(describeProblems(schema, given, parsed.error));
}

/** The same, for a process that cannot begin without its settings. @throws Error with every problem. */
export function readEnvironmentOrThrow<S extends z.ZodObject>(schema: S, env?: Environment): Readonly<z.infer<S>> {
  const settings = readEnvironment(schema, env);
  if (settings.ok) return settings.value;
  throw new Error(settings.error);
}

/** The environment for a child process: ours, with `overrides` on top; `undefined` takes a variable away. */
export function childEnvironment(overrides: Environment = {}, env: Environment = process.env): Record<string, string> {
  const entries = Object.entries({ ...env, ...overrides });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function describeProblems(schema: z.ZodObject, given: Record<string, string>, error: z.ZodError): string {
  const lines = error.issues.map((issue) => {
    const name = String(issue.path[0] ?? 'the settings');
    const field: z.ZodType | undefined = schema.shape[name];
    const meaning = field?.description === undefined ? '' : ` (${field.description})`;
    return `  - ${name} ${stateOf(name, given)}: ${issue.message}${meaning}`;
  });
  const count = lines.length === 1 ? 'One setting is wrong' : `${lines.length} settings are wrong`;
  return [`${count}. Set the environment variable and start again:`, ...lines].join('\n');
}

const mayHoldSecret = /URL|SECRET|TOKEN|KEY|PASSWORD|HEADER/;

function stateOf(name: string, given: Record<string, string>): string {
  const value = given[name];
  if (value === undefined) return 'is not set';
  return mayHoldSecret.test(name) ? 'has a wrong value' : `is ${JSON.stringify(value)}`;
}
