import { type Locale } from '@latch/contracts';
import { z } from 'zod';
import { type ConfigProblem } from './config-problem.ts';
import { Name, type Parsed, parseSection, section } from './parse-section.ts';
import { refuseTwoSpellings } from './policy-keys.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

/** One agent of `agents.yaml`, defaults filled in. */
export type AgentEntry = {
  readonly agentId: string;
  readonly name: string;
  readonly domain: string | null;
  readonly locale: Locale;
  readonly timeZone: string;
  /** null: the default tenant only. */
  readonly tenants: readonly string[] | null;
  readonly channels: readonly string[];
  /** null: the intents of the agent's domain, and those without a domain. */
  readonly intents: readonly string[] | null;
  /** Tools that the agent may use beside those of its intents. */
  readonly tools: readonly string[];
  readonly domainWords: readonly string[];
  readonly maxClarifications: number;
  readonly confirmationTtlSeconds: number;
  readonly collectionTtlSeconds: number;
  readonly maxParked: number;
  /** Where the agent stands in the file. */
  readonly path: YamlPath;
};

/** `agents.yaml`. */
export type AgentsFile = {
  readonly defaultAgentId: string | null;
  readonly defaultTenantId: string;
  readonly agents: readonly AgentEntry[];
};

/** Reads `agents.yaml`. `agents` is a list of entries with an `agent_id` (or `id`), or a map from id to entry. */
export function readAgentsFile(file: YamlFile): Parsed<AgentsFile> {
  const isList =
    typeof file.value === 'object' && file.value !== null && Array.isArray(Reflect.get(file.value, 'agents'));
  const parsed = parseSection(file, isList ? ListSchema : MapSchema);
  if (parsed.value === null) return parsed;
  return { value: parsed.value, problems: [...parsed.problems, ...repeatedAgents(file, parsed.value.agents)] };
}

/** Under these names stand things that are no tenant's: alarms of the installation, messages in which no tenant could be read, and all tenants together. */
const notTenants: readonly string[] = ['platform', 'unknown', '*'];

const TenantId = z
  .string()
  .min(1)
  .refine(
    (name) => !notTenants.includes(name),
    `is a name that Latch keeps for what belongs to no tenant (${notTenants.join(', ')}). Choose another one.`,
  );

const shape = {
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  domain: z.string().min(1).optional(),
  metadata: z.looseObject({ domain: z.string().optional() }).optional(),
  locale: z.enum(['pt-BR', 'en', 'es']).default('pt-BR'),
  time_zone: z
    .string()
    .refine(isTimeZone, 'is no time zone. Write an IANA name such as America/Sao_Paulo.')
    .default('America/Sao_Paulo'),
  tenants: z.array(TenantId).min(1).optional(),
  channels: z.array(z.string().min(1)).min(1).default(['web', 'whatsapp', 'voice', 'teams']),
  intents: z.array(Name).optional(),
  tools: z.array(Name).default([]),
  domain_words: z.array(z.string().min(1)).default([]),
  max_clarifications: z.int().min(1).max(20).default(3),
  confirmation_ttl_seconds: z.int().min(1).max(604_800).default(900),
  collection_ttl_seconds: z.int().min(1).max(2_592_000).default(3_600),
  max_parked: z.int().min(0).max(10).default(2),
};

const head = {
  version: z.unknown().optional(),
  default_agent_id: Name.optional(),
  default_tenant_id: TenantId.default('default'),
};

const ListSchema = section({
  ...head,
  agents: z.array(
    section({ agent_id: Name.optional(), id: Name.optional(), ...shape })
      .superRefine(refuseTwoSpellings(['agent_id', 'id']))
      .refine((keys) => (keys.agent_id ?? keys.id) !== undefined, {
        path: ['agent_id'],
        error: 'is missing. Give the agent an id.',
      }),
  ),
}).transform(({ agents, ...keys }): AgentsFile => ({
  ...toHead(keys),
  agents: agents.map((entry, index) =>
    toAgent(entry, { agentId: entry.agent_id ?? entry.id ?? '', path: ['agents', index] }),
  ),
}));

const MapSchema = section({ ...head, agents: z.record(Name, section(shape)) }).transform(
  ({ agents, ...keys }): AgentsFile => ({
    ...toHead(keys),
    agents: Object.entries(agents).map(([agentId, entry]) => toAgent(entry, { agentId, path: ['agents', agentId] })),
  }),
);

function toHead(keys: z.output<z.ZodObject<typeof head>>): Omit<AgentsFile, 'agents'> {
  return { defaultAgentId: keys.default_agent_id ?? null, defaultTenantId: keys.default_tenant_id };
}

function toAgent(
  keys: z.output<z.ZodObject<typeof shape>>,
  of: { readonly agentId: string; readonly path: YamlPath },
): AgentEntry {
  return {
    ...of,
    name: keys.name ?? of.agentId,
    domain: keys.domain ?? keys.metadata?.domain ?? null,
    locale: keys.locale,
    timeZone: keys.time_zone,
    tenants: keys.tenants ?? null,
    channels: keys.channels,
    intents: keys.intents ?? null,
    tools: keys.tools,
    domainWords: keys.domain_words,
    maxClarifications: keys.max_clarifications,
    confirmationTtlSeconds: keys.confirmation_ttl_seconds,
    collectionTtlSeconds: keys.collection_ttl_seconds,
    maxParked: keys.max_parked,
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function repeatedAgents(file: YamlFile, agents: readonly AgentEntry[]): ConfigProblem[] {
  const seen = new Set<string>();
  return agents.flatMap(({ agentId, path }) => {
    if (!seen.has(agentId)) {
      seen.add(agentId);
      return [];
    }
    return [file.problem(path, `The agent "${agentId}" stands here a second time. Merge the two, or rename one.`)];
  });
}
