import { type AgentConfig, type McpServerConfig, type PlatformConfig, type ToolConfig } from '@latch/contracts';
import { answerWith, defineTool, type Fault, serveDomain } from '@latch/mcp-server';
import { z } from 'zod';

/** A running domain server, what it did, and how to make it fail. */
export type Domain = {
  readonly url: string;
  /** How often the effect came about. */
  readonly effects: { count: number };
  /** The keys of all calls that reached a tool or a fault in front of it. */
  keys(): Promise<readonly string[]>;
  fail(fault: Partial<Fault> & Pick<Fault, 'kind'>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a domain with one tool that has an effect and one that has none; both wait `ms` when they are told to. */
export async function startDomain(port = 0): Promise<Domain> {
  const effects = { count: 0 };
  const input = z.object({ ms: z.number().optional(), items: z.array(z.string()).optional() });
  const tool = (name: string, isReadOnly: boolean): ReturnType<typeof defineTool> =>
    defineTool({
      name,
      title: name,
      description: name,
      input,
      isReadOnly,
      handle: async ({ arguments: args }) => {
        await new Promise((resolve) => setTimeout(resolve, args.ms ?? 0));
        if (!isReadOnly) effects.count += 1;
        return answerWith({ success: true, protocol: 'P-1', count: effects.count }, isReadOnly ? 0 : 1);
      },
    });
  const tools = [tool('cancel', false), tool('cancel_once', false), tool('look', true)];
  const server = await serveDomain({ name: 'domain', version: '1.0.0', port, tools, reset: () => {} });
  return {
    url: `${server.url}/mcp`,
    effects,
    async keys() {
      const report = CallReport.parse(await (await fetch(`${server.url}/calls`)).json());
      return report.calls.map(({ key }) => key ?? 'none');
    },
    async fail(fault) {
      const body = JSON.stringify({ tool: '*', ...fault });
      const answer = await fetch(`${server.url}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (answer.status !== 201) throw new Error(await answer.text());
    },
    stop: () => server.stop(),
  };
}

const CallReport = z.looseObject({ calls: z.array(z.looseObject({ key: z.string().nullish() })) });

function toolConfig(name: string, server: string, more: Partial<ToolConfig> = {}): ToolConfig {
  return {
    name,
    description: name,
    label: name,
    server,
    enabled: true,
    operationType: 'transactional',
    requiresConfirmation: true,
    requires: [],
    parameters: {},
    preValidation: null,
    mapping: { map: {}, defaults: {}, idempotencyArgument: null },
    declaredIdempotent: true,
    reconcileTool: null,
    timeoutMs: 3_000,
    maxAttempts: 8,
    ...more,
  };
}

function serverConfig(name: string, url: string): McpServerConfig {
  return {
    name,
    url,
    enabled: true,
    connectTimeoutMs: 500,
    maxConcurrentCalls: 16,
    maxResultBytes: 1_048_576,
    breaker: { failures: 3, openMs: 400 },
  };
}

/** One agent with `cancel` (declared idempotent), `cancel_once` (not), `look` (a read) on `main`, and `look_elsewhere` on `other`. */
export function platformConfig(urls: { readonly main: string; readonly other?: string }): PlatformConfig {
  const reads = { operationType: 'read_only', requiresConfirmation: false } as const;
  const tools = [
    toolConfig('cancel', 'main'),
    toolConfig('cancel_once', 'main', { declaredIdempotent: false, timeoutMs: 2_000 }),
    toolConfig('look', 'main', reads),
    toolConfig('cancel_elsewhere', 'other'),
    toolConfig('off', 'main', { enabled: false }),
  ];
  const agent: AgentConfig = {
    agentId: 'agent',
    name: 'agent',
    locale: 'pt-BR',
    timeZone: 'America/Sao_Paulo',
    tenants: ['default'],
    channels: [],
    intents: [],
    tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
    domainWords: [],
    maxClarifications: 3,
    confirmationTtlSeconds: 600,
    collectionTtlSeconds: 600,
    maxParked: 2,
    digest: 'config-1',
  };
  const servers = {
    main: serverConfig('main', urls.main),
    other: serverConfig('other', urls.other ?? 'http://127.0.0.1:9/mcp'),
  };
  return { agents: { agent }, servers, defaultAgentId: 'agent', defaultTenantId: 'default', digest: 'config-1' };
}
