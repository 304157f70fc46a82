import { failure, type PlatformConfig, type Result, success } from '@latch/contracts';
import { type AgentsFile, readAgentsFile } from './agents-file.ts';
import { checkAgents, checkRouting } from './check-references.ts';
import { checkMapping, checkPolicies, checkTools } from './check-tool-references.ts';
import { checkWorkflows } from './check-workflows.ts';
import { type ConfigProblem, formatProblems, sortProblems } from './config-problem.ts';
import { type FolderFile, readConfigFolder } from './config-folder.ts';
import { type IdentityFile, readIdentityFile } from './identity-file.ts';
import { type MappingFile, readMappingFile } from './mapping-file.ts';
import { type Parsed } from './parse-section.ts';
import { type PoliciesFile, readPoliciesFile } from './policies-file.ts';
import { readPrivacyFile } from './privacy-file.ts';
import { type Environment } from './read-environment.ts';
import { type AgentParts, resolvePlatform } from './resolve-agents.ts';
import { resolveIdentity } from './resolve-identity.ts';
import { resolveTools, type ToolLayer } from './resolve-tools.ts';
import { type IntentEntry, readRoutingFile, type RoutingFile } from './routing-file.ts';
import { readServersFile, type ServersFile } from './servers-file.ts';
import { readToolsFile, type ToolsFile } from './tools-file.ts';
import { readWorkflowsFile, type WorkflowsFile } from './workflows-file.ts';
import { type YamlFile } from './yaml-file.ts';

/**
 * Reads and checks the configuration folder.
 *
 * @param env fills in `${NAME}` and `${NAME:-default}` in the files.
 * @returns the frozen configuration, or every problem (warnings included) when at least one is an error. Nothing is half loaded.
 * @see docs/reference/configuration.md
 */
export async function loadPlatformConfig(
  dir: string,
  env: Environment = process.env,
): Promise<Result<PlatformConfig, ConfigProblem[]>> {
  const { config, problems } = await checkPlatformConfig(dir, env);
  return config === null ? failure(problems) : success(config);
}

/** The same, for a service that cannot begin without its configuration. @throws Error with every problem. */
export async function readPlatformOrThrow(dir: string): Promise<PlatformConfig> {
  const platform = await loadPlatformConfig(dir);
  if (platform.ok) return platform.value;
  throw new Error(`The configuration in ${dir} cannot be used:\n${formatProblems(platform.error, dir)}`);
}

/** The same, for `config check`: warnings are told although the configuration can be used. `config` is null when there is an error. */
export async function checkPlatformConfig(
  dir: string,
  env: Environment = process.env,
): Promise<{ readonly config: PlatformConfig | null; readonly problems: ConfigProblem[] }> {
  const folder = await readConfigFolder(dir, env);
  const shared = readLayer(folder.shared);
  const agents = readOne(folder.shared.get('agents.yaml'), readAgentsFile);
  const servers = readOne(folder.shared.get('mcp_servers.yaml'), readServersFile);
  const overrides = new Map([...folder.agents].map(([id, files]) => [id, readLayer(files)]));
  const read: ReadFolder = { shared, agents, servers, overrides };
  const privacy = readOne(folder.shared.get('privacy.yaml'), readPrivacyFile);
  const found = [privacy.problems, folder.problems, agents.problems, servers.problems, layerProblems(read)].flat();
  const problems = sortProblems(unique([...found, ...checkLayers(read), ...checkAgentNames(read)]));
  const isUsable = problems.every(({ severity }) => severity === 'warning');
  const config = isUsable ? buildPlatform(read) : null;
  return { config, problems };
}

type ReadFile<T> = {
  readonly file: YamlFile | null;
  readonly value: T | null;
  readonly problems: readonly ConfigProblem[];
};

type Layer = {
  readonly tools: ReadFile<ToolsFile>;
  readonly policies: ReadFile<PoliciesFile>;
  readonly mapping: ReadFile<MappingFile>;
  readonly routing: ReadFile<RoutingFile>;
  readonly identity: ReadFile<IdentityFile>;
  readonly workflows: ReadFile<WorkflowsFile>;
};

type ReadFolder = {
  readonly shared: Layer;
  readonly agents: ReadFile<AgentsFile>;
  readonly servers: ReadFile<ServersFile>;
  readonly overrides: ReadonlyMap<string, Layer>;
};

function readLayer(files: ReadonlyMap<string, FolderFile>): Layer {
  return {
    tools: readOne(files.get('tools.yaml'), readToolsFile),
    policies: readOne(files.get('tool_policies.yaml'), readPoliciesFile),
    mapping: readOne(files.get('mcp_parameter_mapping.yaml'), readMappingFile),
    routing: readOne(files.get('routing.yaml'), readRoutingFile),
    identity: readOne(files.get('identity.yaml'), readIdentityFile),
    workflows: readOne(files.get('workflows.yaml'), readWorkflowsFile),
  };
}

function readOne<T>(file: FolderFile | undefined, read: (file: YamlFile) => Parsed<T>): ReadFile<T> {
  if (file === undefined || file === 'unusable') return { file: null, value: null, problems: [] };
  return { file, ...read(file) };
}

function layerProblems({ shared, overrides }: ReadFolder): ConfigProblem[] {
  return [shared, ...overrides.values()].flatMap(({ tools, policies, mapping, routing, identity, workflows }) =>
    [tools, policies, mapping, routing, identity, workflows].flatMap(({ problems }) => problems),
  );
}

/** Each layer is checked against the tools as they are there: the shared files alone, an agent's files over the shared ones. */
function checkLayers(read: ReadFolder): ConfigProblem[] {
  const servers = read.servers.value === null ? null : new Set(Object.keys(read.servers.value));
  const layers = [[read.shared], ...[...read.overrides.values()].map((layer) => [read.shared, layer])];
  return layers.flatMap((stack) => {
    const layer = stack.at(-1);
    const isComplete =
      stack.every(({ tools }) => tools.file === null || tools.value !== null) && read.shared.tools.value !== null;
    if (layer === undefined || !isComplete) return [];
    const tools = resolveTools(stack.map(toToolLayer));
    return [
      ...check(layer.tools, (place) => checkTools(place, { tools, servers })),
      ...check(layer.policies, (place) => checkPolicies(place, tools)),
      ...check(layer.mapping, (place) => checkMapping(place, tools)),
      ...check(layer.routing, (place) => checkRouting(place, tools)),
      ...check(layer.workflows, (place) => checkWorkflows(place, tools)),
    ];
  });
}

function check<T>(
  { file, value }: ReadFile<T>,
  run: (place: { readonly file: YamlFile; readonly value: T }) => ConfigProblem[],
): ConfigProblem[] {
  return file === null || value === null ? [] : run({ file, value });
}

function toToolLayer({ tools, policies, mapping, workflows }: Layer): ToolLayer {
  return { tools: tools.value, policies: policies.value, mapping: mapping.value, workflows: workflows.value };
}

function checkAgentNames(read: ReadFolder): ConfigProblem[] {
  if (read.shared.routing.value === null) return [];
  const intentsOf = (agentId: string): ReadonlySet<string> =>
    new Set(intentEntries(read, agentId).map(({ intent }) => intent));
  const tools = read.shared.tools.value === null ? null : new Set(resolveTools(allToolLayers(read)).keys());
  return check(read.agents, (place) => checkAgents(place, { intentsOf, tools }));
}

function allToolLayers({ shared, overrides }: ReadFolder): ToolLayer[] {
  return [shared, ...overrides.values()].map(toToolLayer);
}

/** The shared intents with the agent's own over them: an own intent replaces the shared one of the same name. */
function intentEntries(read: ReadFolder, agentId: string): IntentEntry[] {
  const own = read.overrides.get(agentId)?.routing.value ?? [];
  const names = new Set(own.map(({ intent }) => intent));
  return [...(read.shared.routing.value ?? []).filter(({ intent }) => !names.has(intent)), ...own];
}

function buildPlatform(read: ReadFolder): PlatformConfig | null {
  const { agents, servers } = read;
  if (agents.value === null || servers.value === null) return null;
  const parts = agents.value.agents.map((agent): AgentParts => {
    const override = read.overrides.get(agent.agentId);
    const layers = override === undefined ? [read.shared] : [read.shared, override];
    return {
      agent,
      intents: intentEntries(read, agent.agentId),
      tools: resolveTools(layers.map(toToolLayer)),
      identity: resolveIdentity(layers.map(({ identity }) => identity.value)),
    };
  });
  return resolvePlatform({ agentsFile: agents.value, servers: servers.value, parts });
}

/** A mistake in a shared file is found again under each agent's override; it is told once. */
function unique(problems: readonly ConfigProblem[]): ConfigProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}
