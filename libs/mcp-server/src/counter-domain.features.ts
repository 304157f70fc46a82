import { type Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { afterEach } from '@jest/globals';
import { type RunningService } from '@latch/observability';
import { z } from 'zod';
import { mcpMeta } from '@latch/contracts';
import { connectToDomain } from './connect-to-domain.ts';
import { answerWith, defineTool, type DomainTool, refuseWith } from './domain-tool.ts';
import { reconcileTool } from './reconcile-tool.ts';
import { type DomainServer, serveDomain } from './serve-domain.ts';

const running: RunningService[] = [];
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map(async (client) => await client.close().catch(() => undefined)));
  await Promise.all(running.splice(0).map(async (server) => await server.stop()));
});

/** A counter: the smallest domain in which a second effect shows. */
export function counterTools(counter: { value: number }): DomainTool[] {
  const add = defineTool({
    name: 'add',
    title: 'Add',
    description: 'Adds to the counter.',
    input: z.object({ by: z.number(), items: z.array(z.string()).optional() }),
    isReadOnly: false,
    handle: ({ arguments: args, itemLimit }) => {
      if (args.by < 0) return refuseWith({ errorCategory: 'business', isRetryable: false, message: 'Only upwards.' });
      const items = args.items ?? ['one'];
      const results = items.map((id, index) => ({ id, success: itemLimit === null || index < itemLimit }));
      const effects = results.filter(({ success }) => success).length;
      counter.value += args.by * effects;
      return answerWith({ total: counter.value, results }, effects);
    },
  });
  const read = defineTool({
    name: 'read',
    title: 'Read',
    description: 'Reads the counter.',
    input: z.object({}),
    output: z.object({ total: z.number() }),
    isReadOnly: true,
    handle: () => answerWith({ total: counter.value }),
  });
  const whatBecame = reconcileTool({ name: 'what_became', title: 'What became', description: 'Of a call.' });
  return [add, read, whatBecame];
}

/** Starts a counter server on a free port; it is stopped after the test. */
export async function startCounter(
  more: Partial<DomainServer> = {},
): Promise<{ readonly url: string; readonly counter: { value: number }; stop(): Promise<void> }> {
  const counter = { value: 0 };
  const server = await serveDomain({
    ...{ name: 'counter', version: '1.0.0', port: 0, tools: counterTools(counter) },
    reset: () => {
      counter.value = 0;
    },
    ...more,
  });
  running.push(server);
  return { url: server.url, counter, stop: server.stop };
}

/** An SDK client in a session of its own; it is closed after the test. */
export async function connect(url: string, capabilities: ClientCapabilities = {}): Promise<Client> {
  const { client } = await connectToDomain(url, capabilities);
  clients.push(client);
  return client;
}

/** Calls a tool under a key. */
export async function call(
  client: Client,
  tool: string,
  of: { readonly args?: Record<string, unknown>; readonly key?: string; readonly timeoutMs?: number } = {},
): Promise<z.infer<typeof CallToolResultSchema>> {
  const _meta = of.key === undefined ? {} : { [mcpMeta.idempotencyKey]: of.key };
  const request = { name: tool, arguments: of.args ?? {}, _meta };
  const result = await client.callTool(request, CallToolResultSchema, { timeout: of.timeoutMs ?? 5_000 });
  return CallToolResultSchema.parse(result);
}

/** Posts JSON to one of the control routes. */
export async function post(url: string, body: unknown = {}): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const Report = z.object({
  calls: z.array(
    z.looseObject({ tool: z.string(), key: z.string().nullable(), effects: z.number(), outcome: z.string() }),
  ),
  effects: z.number(),
  totalEffects: z.number(),
  dropped: z.number(),
});

/** What `GET /calls` says. */
export async function callsOf(url: string, query = ''): Promise<z.infer<typeof Report>> {
  return Report.parse(await (await fetch(`${url}/calls${query}`)).json());
}
