import { type Result, failure, type StructuredError } from '@latch/contracts';
import { type ObservedTool } from '@latch/event-store';
import { compileSchema, type ListedTool, type SchemaCheck, schemaHash, type SchemaProblem } from '@latch/mcp';

/** A tool as its server listed it last. */
export type SeenTool = {
  readonly name: string;
  readonly hash: string;
  readonly observed: Omit<ObservedTool, 'isAcceptedOnChange'>;
  /** Why these arguments must not be sent; null: they fit. It names arguments and repeats no value of them. */
  problemOf(given: Readonly<Record<string, unknown>>): StructuredError | null;
  /** In what an answer breaks the output schema. */
  outputProblems(structuredContent: unknown): readonly string[];
};

/** The tools of a listing that somebody asked for. One whose schema cannot even be digested is as good as not listed. */
export function seenTools(listed: readonly ListedTool[], wanted: ReadonlySet<string>): ReadonlyMap<string, SeenTool> {
  const tools = listed.filter(({ name }) => wanted.has(name)).flatMap((tool) => seenTool(tool) ?? []);
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function seenTool(tool: ListedTool): SeenTool | null {
  const hash = hashOf(tool);
  if (hash === null) return null;
  const { name, inputSchema, outputSchema } = tool;
  const input = once(() => compileSchema(inputSchema));
  const output = once(() => (outputSchema === null ? failure('none') : compileSchema(outputSchema, 'first')));
  return {
    name,
    hash,
    observed: { tool: name, hash, inputSchema, outputSchema },
    problemOf: (given) => argumentProblem(name, input(), given),
    outputProblems: (content) => outputProblems(output(), content),
  };
}

function hashOf(tool: ListedTool): string | null {
  try {
    return schemaHash(tool);
  } catch {
    return null;
  }
}

function argumentProblem(
  name: string,
  check: Result<SchemaCheck, string>,
  given: Readonly<Record<string, unknown>>,
): StructuredError | null {
  if (!check.ok) {
    const message = `The input schema of ${name} cannot be used: ${check.error}`;
    return { errorCategory: 'permission', isRetryable: false, message, code: 'tool.not_allowed' };
  }
  const problems = check.value(given);
  const parameter = problems.find((problem) => problem.parameter !== null)?.parameter ?? null;
  if (problems.length === 0) return null;
  const message = `The arguments do not fit the input schema of ${name}: ${problems.map(inWords).join('; ')}.`;
  return {
    errorCategory: 'validation',
    isRetryable: false,
    message,
    code: 'tool.arguments_invalid',
    ...(parameter === null ? {} : { parameter }),
  };
}

function outputProblems(check: Result<SchemaCheck, string>, content: unknown): readonly string[] {
  if (!check.ok) return [];
  if (content === undefined || content === null)
    return ['structuredContent is missing, and the tool declares a schema for it'];
  return check.value(content).map(inWords);
}

function inWords({ path, message }: SchemaProblem): string {
  return path === '' ? message : `${path} ${message}`;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
