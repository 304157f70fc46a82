import { type AgentConfig, type McpServerConfig, type PlatformConfig, type ToolConfig } from '@latch/contracts';
import { answerWith, defineTool, type Fault, serveDomain } from '@latch/mcp-server';
import { z } from 'zod';

/** A running domain server, what it did, and how to make it fail. */
export type Domain = {
  readonly url: string;
  /** How often the effect came about. */
  readonly effects: { count: number };
  /** Calls that are in a tool now: one with `hold` stays until `letGo`. */
  readonly running: { count: number };
  letGo(): void;
  /** The keys of all calls that reached a tool or a fault in front of it. */
  keys(): Promise<readonly string[]>;
  fail(fault: Partial<Fault> & Pick<Fault, 'kind'>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a domain with tools that have an effect and one that has none; each waits `ms`, or until it is let go, when it is told to. */
export async function startDomain(port = 0): Promise<Domain> {
  const effects = { count: 0 };
  const running = { count: 0 };
  const gate = openGate();
  const input = z.object({
    ms: z.number().optional(),
    hold: z.boolean().optional(),
    items: z.array(z.string()).optional(),
  });
  const tool = (name: string, isReadOnly: boolean): ReturnType<typeof defineTool> =>
    defineTool({
      name,
      title: name,
      description: name,
      input,
      isReadOnly,
      handle: async ({ arguments: args }) => {
        running.count += 1;
        await (args.hold ? gate.opened : new Promise((resolve) => setTimeout(resolve, args.ms ?? 0)));
        running.count -= 1;
        if (!isReadOnly) effects.count += 1;
        return answerWith({ success: true, protocol: 'P-1', count: effects.count }, isReadOnly ? 0 : 1);
      },
    });
  const tools = [tool('cancel', false), tool('cancel_once', false), tool('look', true)];
  const server = await serveDomain({ name: 'domain', version: '1.0.0', port, tools, reset: () => {} });
  return {
    url: `${server.url}/mcp`,
    effects,
    running,
    letGo: gate.open,
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
    stop: () => {
      gate.open();
      return server.stop();
    },
  };
}

function openGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
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
    connectTimeoutMs: 5_000,
    maxConcurrentCalls: 16,
    maxResultBytes: 1_048_576,
    breaker: { failures: 3, openMs: 400 },
  };
}

/**
 * One agent with `cancel` (declared idempotent), `cancel_once` (not), `look` (a read) on `main`, and `look_elsewhere` on `other`.
 *
 * @param urls `timeoutMs`: the deadline of every tool. @default 2 s for `cancel_once`, 3 s for the others
 */
export function platformConfig(urls: {
  readonly main: string;
  readonly other?: string;
  readonly timeoutMs?: number;
}): PlatformConfig {
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
    tools: Object.fromEntries(
      tools.map((tool) => [tool.name, urls.timeoutMs ? { ...tool, timeoutMs: urls.timeoutMs } : tool]),
    ),
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
