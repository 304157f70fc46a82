import { z } from 'zod';

/** A JSON Schema as a server wrote it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as `tools/list` describes it. All of it is the server's word: hints say what the server claims, and count only with the operator's declaration. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Schema of `structuredContent`; null where the tool declares none. */
  readonly outputSchema: JsonSchema | null;
  readonly annotations: Readonly<Record<string, unknown>>;
  /** Whether the tool may, must or cannot run as a task (MCP tasks); left out where the server says nothing. */
  readonly taskSupport?: 'forbidden' | 'optional' | 'required';
};

const Tool = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().catch(''),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).nullish(),
  annotations: z.record(z.string(), z.unknown()).catch({}),
  execution: z
    .looseObject({ taskSupport: z.enum(['forbidden', 'optional', 'required']).optional().catch(undefined) })
    .catch({}),
});

/** Reads one entry of a list; null for an entry that is no tool, which must not take the other tools with it. */
export function readListedTool(entry: unknown): ListedTool | null {
  const tool = Tool.safeParse(entry);
  if (!tool.success) return null;
  const { name, description, inputSchema, outputSchema, annotations, execution } = tool.data;
  const { taskSupport } = execution;
  return {
    ...{ name, description, inputSchema, annotations },
    outputSchema: outputSchema ?? null,
    ...(taskSupport === undefined ? {} : { taskSupport }),
  };
}
