import { type OperationType, type ParameterType } from '@latch/contracts';
import { z } from 'zod';
import { type Parsed, Name, parseSection, section } from './parse-section.ts';
import {
  type PolicyEntry,
  policyShape,
  refuseTwoConfirmations,
  refuseTwoSpellings,
  toPolicyEntry,
} from './policy-keys.ts';
import { patternProblem } from './pattern-problem.ts';
import { type YamlFile } from './yaml-file.ts';

/** One parameter of `args_schema`, in its long form. */
export type ArgumentEntry = z.output<typeof Argument>;

/** One tool of `tools.yaml`. Absent keys stay absent, so that an agent's override replaces only what it says. */
export type ToolEntry = {
  readonly description?: string;
  readonly label?: string;
  readonly server?: string;
  readonly enabled?: boolean;
  /** What `tool_type` says; weaker than an `operation_type`. */
  readonly typeHint?: OperationType;
  readonly parameters?: Readonly<Record<string, ArgumentEntry>>;
  readonly policy: PolicyEntry;
};

/** `tools.yaml`: tool name -> tool. */
export type ToolsFile = Readonly<Record<string, ToolEntry>>;

/** Reads `tools.yaml`: the natural contract of each tool (seeds/000 section 1). */
export function readToolsFile(file: YamlFile): Parsed<ToolsFile> {
  return parseSection(file, ToolsSchema);
}

/** Every spelling of a type that people and the ancestor's files use, and what it means. */
const types = {
  string: 'string',
  str: 'string',
  text: 'string',
  date: 'string',
  integer: 'integer',
  int: 'integer',
  number: 'number',
  float: 'number',
  decimal: 'number',
  money: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  object: 'object',
  map: 'object',
  dict: 'object',
} as const satisfies Record<string, ParameterType>;

const typeNames = z.enum(keysOf(types));

const Argument = z.preprocess(
  // The short form `order_id: string` is the long form with nothing but a type.
  (value) => (typeof value === 'string' ? { type: value } : value),
  section({
    type: typeNames.default('string'),
    label: z.string().min(1).optional(),
    description: z.string().optional(),
    user_prompt: z.string().min(1).optional(),
    format: z.enum(['money', 'date']).optional(),
    pattern: z.string().min(1).max(500).optional(),
    enum: z
      .array(z.union([z.string(), z.number()], { error: 'must be text or a number.' }))
      .min(1)
      .optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.unknown().optional(),
    required: z.boolean().optional(),
  })
    .superRefine(refuseImpossibleLimits)
    .transform(({ type, format, ...rest }) => ({
      ...rest,
      type: types[type],
      format: format ?? (type === 'money' || type === 'date' ? type : undefined),
    }))
    .superRefine(refuseWrongDefault),
);

const toolTypes = {
  action: 'transactional',
  transactional: 'transactional',
  query: 'read_only',
  read: 'read_only',
  read_only: 'read_only',
  conversational: 'conversational',
  internal: 'internal',
} as const satisfies Record<string, OperationType>;

const Tool = section({
  description: z.string().optional(),
  label: z.string().min(1).optional(),
  server: Name.optional(),
  mcp_server: Name.optional(),
  enabled: z.boolean().optional(),
  tool_type: z.enum(keysOf(toolTypes)).optional(),
  args_schema: z.record(Name, Argument).optional(),
  ...policyShape,
})
  .superRefine(refuseTwoSpellings(['mcp_server', 'server']))
  .superRefine(refuseTwoConfirmations)
  .transform((keys): ToolEntry => ({
    description: keys.description,
    label: keys.label,
    server: keys.mcp_server ?? keys.server,
    enabled: keys.enabled,
    typeHint: keys.tool_type === undefined ? undefined : toolTypes[keys.tool_type],
    parameters: keys.args_schema,
    policy: toPolicyEntry(keys),
  }));

const ToolsSchema = section({
  version: z.union([z.number(), z.string()]).optional(),
  tools: z.record(Name, Tool).default({}),
}).transform(({ tools }): ToolsFile => tools);

function refuseImpossibleLimits(
  value: { readonly pattern?: string; readonly minimum?: number; readonly maximum?: number },
  context: z.core.$RefinementCtx,
): void {
  const { pattern, minimum, maximum } = value;
  const problem = pattern === undefined ? null : patternProblem(pattern);
  if (problem !== null) context.addIssue({ code: 'custom', path: ['pattern'], message: problem });
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    context.addIssue({ code: 'custom', path: ['maximum'], message: `must not be below the minimum ${minimum}.` });
  }
}

function refuseWrongDefault(
  value: { readonly type: ParameterType; readonly default?: unknown },
  context: z.core.$RefinementCtx,
): void {
  const { type, default: byDefault } = value;
  if (byDefault === undefined || byDefault === null || hasType(byDefault, type)) return;
  context.addIssue({ code: 'custom', path: ['default'], message: `must be of the declared type ${type}.` });
}

function hasType(value: unknown, type: ParameterType): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return type satisfies never;
  }
}

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  const names: K[] = [];
  for (const name in record) names.push(name);
  return names;
}
