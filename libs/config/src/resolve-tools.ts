import {
  type ExtractRule,
  type OperationType,
  type ParameterConfig,
  type ParameterMapping,
  type ToolConfig,
  type WorkflowConfig,
} from '@latch/contracts';
import { type MappingEntry, type MappingFile } from './mapping-file.ts';
import { type PoliciesFile } from './policies-file.ts';
import { type PolicyEntry } from './policy-keys.ts';
import { type ArgumentEntry, type ToolEntry, type ToolsFile } from './tools-file.ts';
import { type WorkflowEntry, type WorkflowsFile } from './workflows-file.ts';

/** The files about tools, of the whole folder or of one agent; null: not there. */
export type ToolLayer = {
  readonly tools: ToolsFile | null;
  readonly policies: PoliciesFile | null;
  readonly mapping: MappingFile | null;
  readonly workflows: WorkflowsFile | null;
};

/**
 * Merges the files about tools into one configuration per tool. Later layers win, key by key; lists are replaced whole. Arguments that the
 * tool does not declare never get a mapping or a default: only declared arguments are ever sent.
 */
export function resolveTools(layers: readonly ToolLayer[]): ReadonlyMap<string, ToolConfig> {
  const names = new Set(layers.flatMap(({ tools }) => Object.keys(tools ?? {})));
  const defaults = overlay(layers.map(({ policies }) => policies?.defaults));
  const workflows = overlayRecords(layers.map((layer) => layer.workflows ?? undefined));
  const plain = new Map([...names].map((name) => [name, resolveTool({ name, layers, defaults })]));
  return new Map(
    [...plain].map(([name, { tool, policy }]) => [name, withWorkflow(tool, { policy, workflows, plain })]),
  );
}

type ResolvedTool = { readonly tool: ToolConfig; readonly policy: PolicyEntry };

/** A tool that is run as a workflow has the server of its primary step where it names none: it is called step by step and never itself. */
function withWorkflow(
  tool: ToolConfig,
  of: {
    readonly policy: PolicyEntry;
    readonly workflows: Readonly<Record<string, WorkflowEntry>>;
    readonly plain: ReadonlyMap<string, ResolvedTool>;
  },
): ToolConfig {
  const entry = workflowOf(tool.name, of);
  if (entry === undefined) return tool;
  const workflow = toWorkflowConfig(entry);
  const primary = workflow.steps.find(({ id }) => id === workflow.primary);
  const steps = workflow.steps.map((step) => (step.tool === tool.name ? tool : of.plain.get(step.tool)?.tool));
  const isIdempotent = steps.every(
    (step) => step === undefined || step.operationType === 'read_only' || step.declaredIdempotent,
  );
  return {
    ...tool,
    server: tool.server === '' ? (of.plain.get(primary?.tool ?? '')?.tool.server ?? '') : tool.server,
    declaredIdempotent: of.policy.declaredIdempotent ?? isIdempotent,
    workflow,
  };
}

/** The workflow that the policy names, else the one that names the tool, else the one of its name. */
function workflowOf(
  name: string,
  { policy, workflows }: { readonly policy: PolicyEntry; readonly workflows: Readonly<Record<string, WorkflowEntry>> },
): WorkflowEntry | undefined {
  if (policy.workflow === null) return undefined;
  if (policy.workflow !== undefined) return own(workflows, policy.workflow);
  const named = Object.values(workflows).find(({ tool }) => tool === name);
  const sameName = own(workflows, name);
  return named ?? (sameName?.tool === null ? sameName : undefined);
}

function toWorkflowConfig({ name, steps }: WorkflowEntry): WorkflowConfig {
  return {
    name,
    steps: steps.map(({ id, tool, arguments: args, onError, forEach, maxParallel }) => ({
      id,
      tool,
      arguments: args,
      onError,
      forEach,
      maxParallel,
    })),
    primary: steps.find(({ isPrimary }) => isPrimary)?.id ?? '',
  };
}

type ToolSources = { readonly name: string; readonly layers: readonly ToolLayer[]; readonly defaults: PolicyEntry };

function resolveTool({ name, layers, defaults }: ToolSources): ResolvedTool {
  const entries = layers.map(({ tools }) => own(tools, name));
  const tool = overlay<ToolEntry>(entries);
  const inTools = overlay(entries.map((entry) => entry?.policy));
  const inPolicies = overlay(layers.map(({ policies }) => own(policies?.policies, name)));
  const policy = overlay<PolicyEntry>([inTools, inPolicies]);
  const parameters = resolveParameters(entries);
  const resolved = {
    name,
    ...resolveContract(name, tool),
    ...resolvePolicy({ policy, typeHint: tool.typeHint, defaults }),
    requires: [...new Set([...(inPolicies.requires ?? []), ...(inTools.requires ?? []), ...requiredIn(entries)])],
    parameters,
    mapping: resolveMapping({ name, layers, declared: new Set(Object.keys(parameters)) }),
  };
  return { tool: resolved, policy };
}

function resolveContract(
  name: string,
  tool: Partial<ToolEntry>,
): Pick<ToolConfig, 'description' | 'label' | 'server' | 'enabled'> {
  return {
    description: tool.description ?? '',
    label: tool.label ?? inWords(name),
    server: tool.server ?? '',
    enabled: tool.enabled ?? true,
  };
}

type RunningRules = Pick<
  ToolConfig,
  | 'operationType'
  | 'requiresConfirmation'
  | 'preValidation'
  | 'declaredIdempotent'
  | 'reconcileTool'
  | 'timeoutMs'
  | 'maxAttempts'
  | 'cacheTtlSeconds'
  | 'channels'
  | 'limits'
>;

function resolvePolicy(of: {
  readonly policy: PolicyEntry;
  readonly typeHint: OperationType | undefined;
  readonly defaults: PolicyEntry;
}): RunningRules {
  const { policy, defaults } = of;
  const shared = overlay([defaults, policy]);
  const operationType = policy.operationType ?? of.typeHint ?? defaults.operationType ?? 'read_only';
  return {
    operationType,
    requiresConfirmation: policy.requiresConfirmation ?? confirmsByDefault(operationType, defaults),
    preValidation: policy.preValidation ?? null,
    declaredIdempotent: shared.declaredIdempotent ?? false,
    reconcileTool: shared.reconcileTool ?? null,
    timeoutMs: shared.timeoutMs ?? 10_000,
    maxAttempts: shared.maxAttempts ?? 3,
    ...only('cacheTtlSeconds', policy.cacheTtlSeconds),
    ...only('channels', shared.channels),
    ...only('limits', policy.limits),
  };
}

/**
 * A transactional tool asks unless the tool itself says otherwise: `defaults.require_confirmation: false` was written for reads, and must
 * not take the question away from a tool that somebody forgot to give a policy.
 */
function confirmsByDefault(operationType: OperationType, defaults: PolicyEntry): boolean {
  return operationType === 'transactional' || (defaults.requiresConfirmation ?? false);
}

function resolveParameters(entries: readonly (ToolEntry | undefined)[]): ToolConfig['parameters'] {
  const declared = overlayRecords(entries.map((entry) => entry?.parameters));
  return recordOf(Object.entries(declared).map(([name, argument]) => [name, toParameter(name, argument)]));
}

function toParameter(name: string, argument: ArgumentEntry): ParameterConfig {
  return {
    name,
    type: argument.type,
    format: argument.format ?? null,
    label: argument.label ?? inWords(name),
    description: argument.description ?? null,
    userPrompt: argument.user_prompt ?? null,
    pattern: argument.pattern ?? null,
    enum: argument.enum ?? null,
    minimum: argument.minimum ?? null,
    maximum: argument.maximum ?? null,
    default: argument.default ?? null,
  };
}

function requiredIn(entries: readonly (ToolEntry | undefined)[]): string[] {
  const declared = overlayRecords(entries.map((entry) => entry?.parameters));
  return Object.entries(declared).flatMap(([name, { required }]) => (required === true ? [name] : []));
}

function resolveMapping(of: {
  readonly name: string;
  readonly layers: readonly ToolLayer[];
  readonly declared: ReadonlySet<string>;
}): ParameterMapping {
  const entries = of.layers.map(({ mapping }) => own(mapping?.tools, of.name));
  const shared = of.layers.map(({ mapping }) => mapping?.defaults);
  const map = Object.entries(overlayRecords(entries.map((entry) => entry?.map)));
  const defaults = Object.entries(overlayRecords([...shared, ...entries.map((entry) => entry?.defaults)]));
  return {
    map: recordOf(map.filter(([, argument]) => of.declared.has(argument))),
    defaults: recordOf(defaults.filter(([argument]) => of.declared.has(argument))),
    idempotencyArgument: overlay(entries).idempotencyArgument ?? null,
    ...extractOf(entries, of.declared),
  };
}

/** Absent where nothing is extracted, so that the digests of configurations without it stay as they are. */
function extractOf(
  entries: readonly (MappingEntry | undefined)[],
  declared: ReadonlySet<string>,
): Pick<ParameterMapping, 'extract'> {
  const rules = Object.entries(overlayRecords(entries.map((entry) => entry?.extract))).flatMap(
    ([argument, rule]): [string, ExtractRule][] =>
      rule === 'llm' || !declared.has(argument) ? [] : [[argument, rule]],
  );
  return rules.length === 0 ? {} : { extract: recordOf(rules) };
}

/** A key that is there only where somebody said it, so that a configuration without it keeps its digest. */
function only<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  const said: { [P in K]?: T } = {};
  if (value !== undefined) said[key] = value;
  return said;
}

/** Puts later values over earlier ones; what a layer leaves out or does not say stays as it was. */
function overlay<T extends object>(layers: readonly (Partial<T> | undefined)[]): Partial<T> {
  const said = layers.flatMap((layer) => Object.entries(layer ?? {}).filter(([, value]) => value !== undefined));
  return Object.assign<Partial<T>, object>({}, Object.fromEntries(said));
}

function overlayRecords<T>(layers: readonly (Readonly<Record<string, T>> | undefined)[]): Readonly<Record<string, T>> {
  return recordOf(layers.flatMap((layer) => Object.entries(layer ?? {})));
}

function own<T>(record: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return record !== null && record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A record without a prototype: `tools["constructor"]` is undefined, as a reader of the type expects. */
export function recordOf<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  const record: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) record[name] = value;
  return record;
}

function inWords(name: string): string {
  return name.replaceAll(/[_.-]+/g, ' ');
}
