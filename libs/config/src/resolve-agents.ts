import {
  type AgentConfig,
  agentDigest,
  digest,
  type IdentityConfig,
  type IntentConfig,
  type PlatformConfig,
  type ToolConfig,
} from '@latch/contracts';
import { type AgentEntry, type AgentsFile } from './agents-file.ts';
import { recordOf } from './resolve-tools.ts';
import { type IntentEntry } from './routing-file.ts';
import { type ServersFile } from './servers-file.ts';

/** What one agent is made of, its own overrides already over the shared files. */
export type AgentParts = {
  readonly agent: AgentEntry;
  readonly intents: readonly IntentEntry[];
  readonly tools: ReadonlyMap<string, ToolConfig>;
  /** null: no identity.yaml says anything. */
  readonly identity: IdentityConfig | null;
};

/** Puts the checked parts together. The order of keys in the files changes no digest where it changes nothing else (`agentDigest`). */
export function resolvePlatform(of: {
  readonly agentsFile: AgentsFile;
  readonly servers: ServersFile;
  readonly parts: readonly AgentParts[];
}): PlatformConfig {
  const { agentsFile, servers } = of;
  const { defaultTenantId } = agentsFile;
  const agents = of.parts.map((parts) => resolveAgent(parts, defaultTenantId));
  const defaultAgentId = agentsFile.defaultAgentId ?? (agents.length === 1 ? (agents[0]?.agentId ?? null) : null);
  const digests = Object.fromEntries(agents.map((agent) => [agent.agentId, agent.digest]));
  return deepFreeze({
    agents: recordOf(agents.map((agent) => [agent.agentId, agent] as const)),
    servers: recordOf(Object.entries(servers)),
    defaultAgentId,
    defaultTenantId,
    digest: digest({ agents: digests, servers, defaultAgentId, defaultTenantId }),
  });
}

function resolveAgent({ agent, intents, tools, identity }: AgentParts, defaultTenantId: string): AgentConfig {
  const own = intentsOf(agent, intents);
  const config = {
    agentId: agent.agentId,
    name: agent.name,
    locale: agent.locale,
    timeZone: agent.timeZone,
    tenants: agent.tenants ?? [defaultTenantId],
    channels: agent.channels,
    intents: own.map((intent) => resolveIntent(intent, { agent, tools })),
    tools: recordOf(toolsOf({ agent, intents: own, tools })),
    domainWords: agent.domainWords,
    maxClarifications: agent.maxClarifications,
    confirmationTtlSeconds: agent.confirmationTtlSeconds,
    collectionTtlSeconds: agent.collectionTtlSeconds,
    maxParked: agent.maxParked,
    ...(identity === null ? {} : { identity }),
  };
  return { ...config, digest: agentDigest(config) };
}

/** The intents of an agent: those that it names, or else those of its domain and those without one. */
export function intentsOf(agent: AgentEntry, intents: readonly IntentEntry[]): IntentEntry[] {
  const { intents: named } = agent;
  if (named !== null) return named.flatMap((name) => intents.filter(({ intent }) => intent === name));
  return intents.filter(({ domain }) => domain === undefined || agent.domain === null || domain === agent.domain);
}

/**
 * The tool that an intent starts. Where the ancestor's `mcp_tools` lists several, it is the first transactional one: a list such as
 * `[consultar_pedido, cancelar_pedido]` names the look-up before the deed. Without a transactional one it is the first.
 */
export function startedTool(intent: IntentEntry, tools: ReadonlyMap<string, ToolConfig>): string | null {
  const deed = intent.tools.find((name) => tools.get(name)?.operationType === 'transactional');
  return deed ?? intent.tools[0] ?? null;
}

function resolveIntent(
  entry: IntentEntry,
  { agent, tools }: { readonly agent: AgentEntry; readonly tools: ReadonlyMap<string, ToolConfig> },
): IntentConfig {
  return {
    intent: entry.intent,
    route: entry.route ?? agent.agentId,
    tool: startedTool(entry, tools),
    keywords: entry.keywords,
    examples: entry.examples,
    reply: entry.reply ?? null,
  };
}

/** Deny by default: the tools that the agent's intents name, those that it is given, and the validators, reconcile tools and workflow steps behind them. */
function toolsOf(of: {
  readonly agent: AgentEntry;
  readonly intents: readonly IntentEntry[];
  readonly tools: ReadonlyMap<string, ToolConfig>;
}): [string, ToolConfig][] {
  const named = [...of.intents.flatMap(({ tools }) => tools), ...of.agent.tools];
  const behind = named.flatMap((name) => {
    const tool = of.tools.get(name);
    return [tool?.preValidation?.tool, tool?.reconcileTool];
  });
  const steps = [...named, ...behind].flatMap(
    (name) => of.tools.get(name ?? '')?.workflow?.steps.map(({ tool }) => tool) ?? [],
  );
  return [...new Set([...named, ...behind, ...steps])].flatMap((name) => {
    const tool = of.tools.get(name ?? '');
    return tool === undefined ? [] : [[tool.name, tool]];
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
