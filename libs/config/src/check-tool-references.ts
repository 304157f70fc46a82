import { type ToolConfig } from '@latch/contracts';
import { checkExtract } from './check-extract.ts';
import { checkNames, unknownName } from './check-references.ts';
import { type ConfigProblem } from './config-problem.ts';
import { type MappingFile } from './mapping-file.ts';
import { suggestName } from './nearest-name.ts';
import { type PoliciesFile } from './policies-file.ts';
import { type PolicyEntry } from './policy-keys.ts';
import { businessKeys } from './identity-file.ts';
import { type ToolsFile } from './tools-file.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

type Tools = ReadonlyMap<string, ToolConfig>;

/** Checks each tool's server, and the policy keys that stand in `tools.yaml` itself. */
export function checkTools(
  { file, value }: { readonly file: YamlFile; readonly value: ToolsFile },
  known: { readonly tools: Tools; readonly servers: ReadonlySet<string> | null },
): ConfigProblem[] {
  return Object.entries(value).flatMap(([name, entry]) => {
    const path = ['tools', name];
    const tool = known.tools.get(name);
    return [
      ...checkServer({ file, path, server: entry.server ?? tool?.server ?? '', servers: known.servers }),
      ...checkPolicy({ file, path, policy: entry.policy, tool, tools: known.tools }),
    ];
  });
}

/** Checks that every policy belongs to a tool, and that what it names exists and may be used so. */
export function checkPolicies(
  { file, value }: { readonly file: YamlFile; readonly value: PoliciesFile },
  tools: Tools,
): ConfigProblem[] {
  return Object.entries(value.policies).flatMap(([name, policy]) => {
    const path = ['tool_policies', name];
    const tool = tools.get(name);
    if (tool === undefined)
      return [unknownName({ file, path, kind: 'tool', name, known: tools.keys(), where: 'tools.yaml' })];
    return checkPolicy({ file, path, policy, tool, tools });
  });
}

/** Checks that every mapping belongs to a tool, reads a known business key and fills a declared argument. */
export function checkMapping(
  { file, value }: { readonly file: YamlFile; readonly value: MappingFile },
  tools: Tools,
): ConfigProblem[] {
  return Object.entries(value.tools).flatMap(([name, entry]) => {
    const path = [...value.root, 'tools', name];
    const tool = tools.get(name);
    if (tool === undefined)
      return [unknownName({ file, path, kind: 'tool', name, known: tools.keys(), where: 'tools.yaml' })];
    const map = Object.entries(entry.map).flatMap(([key, argument]) => [
      ...checkBusinessKey(file, { path: [...path, 'map', key], key }),
      ...checkArgument(file, { path: [...path, 'map', key], argument, tool }),
    ]);
    const defaults = Object.keys(entry.defaults).flatMap((argument) =>
      checkArgument(file, { path: [...path, 'defaults', argument], argument, tool }),
    );
    const extract = Object.keys(entry.extract).flatMap((argument) =>
      checkArgument(file, { path: [...path, 'extract', argument], argument, tool }),
    );
    return [
      ...map,
      ...defaults,
      ...extract,
      ...checkExtract({ file, path, entries: entry.extract, tool }),
      ...checkIdempotencyArgument(file, { path, argument: entry.idempotencyArgument, tool }),
    ];
  });
}

function checkServer(of: {
  readonly file: YamlFile;
  readonly path: YamlPath;
  readonly server: string;
  readonly servers: ReadonlySet<string> | null;
}): ConfigProblem[] {
  if (of.server === '') {
    return [
      of.file.problem(
        [...of.path, 'mcp_server'],
        `The tool ${String(of.path[1])} names no server. Add \`mcp_server:\` with a name from mcp_servers.yaml.`,
      ),
    ];
  }
  const { servers, server } = of;
  if (servers === null || servers.has(server)) return [];
  const key = ['mcp_server', 'server'].find((name) => isIn(of.file.value, [...of.path, name])) ?? 'mcp_server';
  return [
    unknownName({
      file: of.file,
      path: [...of.path, key],
      kind: 'server',
      name: server,
      known: servers,
      where: 'mcp_servers.yaml',
    }),
  ];
}

function isIn(value: unknown, path: YamlPath): boolean {
  const found = path.reduce<unknown>((node, step) => {
    return typeof node === 'object' && node !== null ? Reflect.get(node, step) : undefined;
  }, value);
  return found !== undefined;
}

type PolicyPlace = {
  readonly file: YamlFile;
  readonly path: YamlPath;
  readonly policy: PolicyEntry;
  readonly tool: ToolConfig | undefined;
  readonly tools: Tools;
};

function checkPolicy({ file, path, policy, tool, tools }: PolicyPlace): ConfigProblem[] {
  const declared = new Set(Object.keys(tool?.parameters ?? {}));
  const where = `args_schema of ${tool?.name ?? 'the tool'}`;
  return [
    ...checkNames({
      file,
      path: [...path, 'requires'],
      kind: 'parameter',
      names: policy.requires ?? [],
      known: declared,
      where,
    }),
    ...checkAskedTool({
      ...{ file, tools, path: [...path, 'pre_validation', 'tool'], name: policy.preValidation?.tool },
      ...{ allowed: ['read_only', 'internal', 'conversational'], use: 'a pre-validation must have no effect' },
    }),
    ...checkAskedTool({
      ...{ file, tools, path: [...path, 'reconcile_tool'], name: policy.reconcileTool },
      ...{ allowed: ['read_only', 'internal'], use: 'a reconcile tool only asks what became of a call' },
    }),
    ...checkWorkflowName({ file, path, policy, tool }),
    ...checkCache({ file, path, policy, tool }),
    ...checkNames({
      ...{ file, path: [...path, 'limits', 'max_amounts'], kind: 'parameter', known: declared, where },
      names: Object.keys(policy.limits?.maxAmounts ?? {}),
    }),
  ];
}

/** Only the answer of a read may be given again: a call with an effect must go out each time it is approved. */
function checkCache({ file, path, policy, tool }: Omit<PolicyPlace, 'tools'>): ConfigProblem[] {
  if (policy.cacheTtlSeconds === undefined || tool === undefined) return [];
  const isRead = tool.operationType === 'read_only' && !tool.requiresConfirmation && tool.workflow === undefined;
  if (isRead) return [];
  const message = `${tool.name} is no plain read, and only the answer of one may be given again. Take \`cache\` out, or set its operation_type to read_only.`;
  return [file.problem([...path, 'cache'], message)];
}

/** A workflow that is there is in the tool's configuration already. */
function checkWorkflowName({ file, path, policy, tool }: Omit<PolicyPlace, 'tools'>): ConfigProblem[] {
  const { workflow: name } = policy;
  if (typeof name !== 'string' || tool === undefined || tool.workflow?.name === name) return [];
  const message = `No workflow "${name}" is declared in workflows.yaml. Declare it there, or correct the name.`;
  return [file.problem([...path, 'execution', 'workflow'], message)];
}

function checkAskedTool(of: {
  readonly file: YamlFile;
  readonly tools: Tools;
  readonly path: YamlPath;
  readonly name: string | undefined;
  readonly allowed: readonly string[];
  readonly use: string;
}): ConfigProblem[] {
  if (of.name === undefined) return [];
  const asked = of.tools.get(of.name);
  if (asked === undefined) {
    return [unknownName({ ...of, kind: 'tool', name: of.name, known: of.tools.keys(), where: 'tools.yaml' })];
  }
  if (of.allowed.includes(asked.operationType)) return [];
  const message = `"${of.name}" is ${asked.operationType}, but ${of.use}. Name another tool, or set its operation_type to ${of.allowed[0]}.`;
  return [of.file.problem(of.path, message)];
}

function checkBusinessKey(
  file: YamlFile,
  { path, key }: { readonly path: YamlPath; readonly key: string },
): ConfigProblem[] {
  if (businessKeys.some((known) => known === key)) return [];
  const message = `"${key}" is not a key of the business context and never has a value unless a channel adds it.${suggestName(key, businessKeys)} Known: ${businessKeys.join(', ')}.`;
  return [file.problem(path, message, { severity: 'warning', at: 'key' })];
}

type ArgumentPlace = { readonly path: YamlPath; readonly tool: ToolConfig };

function checkArgument(
  file: YamlFile,
  { path, argument, tool }: ArgumentPlace & { readonly argument: string },
): ConfigProblem[] {
  const declared = Object.keys(tool.parameters);
  if (declared.includes(argument)) return [];
  const message = `"${argument}" is not in the args_schema of ${tool.name} and is therefore never sent.${suggestName(argument, declared)} Declare it, or take the line out.`;
  return [file.problem(path, message, { severity: 'warning' })];
}

function checkIdempotencyArgument(
  file: YamlFile,
  { path, argument, tool }: ArgumentPlace & { readonly argument: string | undefined },
): ConfigProblem[] {
  if (argument === undefined || !tool.requires.includes(argument)) return [];
  const message = `"${argument}" carries the idempotency key and is never asked for. Take it out of \`requires\` of ${tool.name}.`;
  return [file.problem([...path, 'idempotency_argument'], message)];
}
