import { type OnStepError } from '@latch/contracts';
import { z } from 'zod';
import { Name, type Parsed, parseSection, section } from './parse-section.ts';
import { refuseTwoSpellings } from './policy-keys.ts';
import { normalizeWiring } from './wiring.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

/** One step as it is written. */
export type StepEntry = {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly onError: OnStepError;
  readonly forEach: string | null;
  readonly maxParallel: number;
  readonly isPrimary: boolean;
  /** Where the step stands, and the spellings of its keys that the file uses. */
  readonly path: YamlPath;
  readonly toolKey: 'tool' | 'action';
  readonly argumentsKey: 'arguments' | 'input';
};

/** An edge of the ancestor's graph. */
export type EdgeEntry = { readonly from: string; readonly to: string; readonly isConditional: boolean };

/** One workflow as it is written. */
export type WorkflowEntry = {
  readonly name: string;
  /** The tool that is run so; null: the tool of the same name, or the one whose policy names the workflow. */
  readonly tool: string | null;
  readonly steps: readonly StepEntry[];
  readonly start: string | null;
  readonly edges: readonly EdgeEntry[];
  readonly path: YamlPath;
};

/** `workflows.yaml`: workflow name -> workflow. */
export type WorkflowsFile = Readonly<Record<string, WorkflowEntry>>;

/**
 * Reads `workflows.yaml`: ordered steps of MCP calls (DESIGN section 6). The Python ancestor's spellings are read as ours: `nodes` for `steps`, `action` for
 * `tool`, `input` for `arguments`, and `$.input` and `$.nodes` in paths.
 */
export function readWorkflowsFile(file: YamlFile): Parsed<WorkflowsFile> {
  return parseSection(file, WorkflowsSchema);
}

/** Names a step in keys, in the ledger and in paths: neither a dot nor a colon. */
const StepId = z
  .string()
  .regex(/^[\p{L}][\p{L}\p{N}_-]{0,63}$/u, 'is not a usable name of a step: use letters, digits, dash and underscore.');

const wiredPath = z
  .string()
  .regex(/^\$\.[^\s]+$/, 'must be a path such as $.arguments.items or $.steps.search.orders.')
  .transform(normalizeWiring);

const stepShape = {
  id: StepId,
  description: z.string().optional(),
  tool: Name.optional(),
  action: Name.optional(),
  arguments: z.record(Name, z.unknown()).optional(),
  input: z.record(Name, z.unknown()).optional(),
  on_error: z
    .enum(['stop', 'continue'], {
      error: 'must be stop or continue. Undoing an effect is a call of its own that nobody has approved.',
    })
    .default('stop'),
  primary: z.boolean().default(false),
  for_each: wiredPath.optional(),
  max_parallel: z.int().min(1).max(64).default(4),
};
type StepKeys = z.output<z.ZodObject<typeof stepShape>>;

const Step = section(stepShape)
  .superRefine(refuseTwoSpellings(['tool', 'action']))
  .superRefine(refuseTwoSpellings(['arguments', 'input']))
  .refine(({ tool, action }) => (tool ?? action) !== undefined, {
    path: ['tool'],
    error: 'is missing. Name the tool that the step calls.',
  });

const Edge = section({ from: z.string(), to: z.string(), when: z.unknown().optional() }).transform(
  ({ from, to, when }): EdgeEntry => ({ from, to, isConditional: when !== undefined && when !== null }),
);

const Steps = z.array(Step).min(1).max(50);

const Workflow = section({
  description: z.string().optional(),
  name: Name.optional(),
  version: z.unknown().optional(),
  tool: Name.optional(),
  steps: Steps.optional(),
  nodes: Steps.optional(),
  start: z.string().optional(),
  edges: z.array(Edge).default([]),
}).refine(({ steps, nodes }) => (steps === undefined) !== (nodes === undefined), {
  path: ['steps'],
  error: 'must be there once: a list of steps under `steps`.',
});

const WorkflowsSchema = section({
  version: z.unknown().optional(),
  workflows: z.record(Name, Workflow).default({}),
}).transform(({ workflows }): WorkflowsFile =>
  Object.fromEntries(
    Object.entries(workflows).map(([name, keys]) => [name, toWorkflow(keys, { name, path: ['workflows', name] })]),
  ),
);

function toWorkflow(
  keys: z.output<typeof Workflow>,
  { name, path }: { readonly name: string; readonly path: YamlPath },
): WorkflowEntry {
  const key = keys.steps === undefined ? 'nodes' : 'steps';
  const steps = (keys.steps ?? keys.nodes ?? []).map((step, index) => toStep(step, [...path, key, index]));
  const [only] = steps;
  return {
    name,
    tool: keys.tool ?? null,
    // With one step there is no question which one counts.
    steps: steps.length === 1 && only !== undefined ? [{ ...only, isPrimary: true }] : steps,
    start: keys.start ?? null,
    edges: keys.edges,
    path,
  };
}

function toStep(keys: StepKeys, path: YamlPath): StepEntry {
  const given = keys.arguments ?? keys.input ?? {};
  return {
    id: keys.id,
    tool: keys.tool ?? keys.action ?? '',
    arguments: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, normalizeAll(value)])),
    onError: keys.on_error,
    forEach: keys.for_each ?? null,
    maxParallel: keys.max_parallel,
    isPrimary: keys.primary,
    path,
    toolKey: keys.tool === undefined ? 'action' : 'tool',
    argumentsKey: keys.arguments === undefined ? 'input' : 'arguments',
  };
}

/** Wired texts may stand at any depth of an argument. */
function normalizeAll(value: unknown): unknown {
  if (typeof value === 'string') return normalizeWiring(value);
  if (Array.isArray(value)) return value.map(normalizeAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalizeAll(member)]));
}
