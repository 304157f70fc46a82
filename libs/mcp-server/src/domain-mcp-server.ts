import { McpServer, type RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ElicitResultSchema, type ServerNotification, type ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { type AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import { type CallLog } from './call-log.ts';
import { type DomainTool } from './domain-tool.ts';
import { type Fault, type Faults } from './faults.ts';
import { type FirstAnswers } from './first-answers.ts';
import { type ReadCall } from './read-call.ts';
import { type IncomingCall, runTool } from './run-tool.ts';

/** The HTTP exchange that a tool call came in, for the tool behind MCP: the SDK hands on no socket. */
export type Exchange = { readonly call: ReadCall; readonly fault: Fault | null; dropConnection(): void };

/** What the sessions of a domain server share. */
export type DomainParts = {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly DomainTool[];
  readonly faults: Faults;
  readonly log: CallLog;
  readonly firstAnswers: FirstAnswers;
  readonly exchanges: AsyncLocalStorage<Exchange>;
};

type SessionTool = { readonly tool: DomainTool; readonly registered: RegisteredTool; hasOtherSchema: boolean };

const toolsOf = new WeakMap<McpServer, readonly SessionTool[]>();

/** A server object for one session. */
export function makeMcpServer(parts: DomainParts): McpServer {
  const server = new McpServer({ name: parts.name, version: parts.version });
  toolsOf.set(
    server,
    parts.tools.map((tool) => {
      const hasOtherSchema = parts.faults.hasOtherSchema(tool.name);
      return { tool, registered: registerTool(server, { tool, parts, hasOtherSchema }), hasOtherSchema };
    }),
  );
  return server;
}

/** Changes the schemas of open sessions to what the faults now say, and tells their clients with `notifications/tools/list_changed`. */
export function toldOfOtherSchemas(servers: readonly McpServer[], { faults }: DomainParts): void {
  for (const entry of servers.flatMap((server) => toolsOf.get(server) ?? [])) {
    const hasOtherSchema = faults.hasOtherSchema(entry.tool.name);
    if (hasOtherSchema === entry.hasOtherSchema) continue;
    entry.hasOtherSchema = hasOtherSchema;
    entry.registered.update({ paramsSchema: inputOf(entry.tool, hasOtherSchema).shape });
  }
}

/** With `schema_change` a tool takes one more argument, which does nothing: an old call still fits, so that a client that sends it is found out by its effect. */
function inputOf({ input }: DomainTool, hasOtherSchema: boolean): z.ZodObject {
  return hasOtherSchema ? input.extend({ nota_interna: z.string().max(200).optional() }) : input;
}

function registerTool(
  server: McpServer,
  {
    tool,
    parts,
    hasOtherSchema,
  }: { readonly tool: DomainTool; readonly parts: DomainParts; readonly hasOtherSchema: boolean },
): RegisteredTool {
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: inputOf(tool, hasOtherSchema),
    ...(tool.output === undefined ? {} : { outputSchema: tool.output }),
    annotations: { readOnlyHint: tool.isReadOnly, destructiveHint: !tool.isReadOnly, idempotentHint: true },
  };
  return server.registerTool(tool.name, config, async (args: unknown, extra) => {
    const { nota_interna: _unused, ...known } = z.record(z.string(), z.unknown()).parse(args);
    return await runTool(tool, toIncoming(known, extra, parts.exchanges.getStore()), parts);
  });
}

function toIncoming(
  args: unknown,
  { signal, sendRequest }: RequestHandlerExtra<ServerRequest, ServerNotification>,
  exchange: Exchange | undefined,
): IncomingCall {
  return {
    arguments: args,
    idempotencyKey: exchange?.call.idempotencyKey ?? null,
    tenant: exchange?.call.tenant ?? null,
    signal,
    fault: exchange?.fault ?? null,
    dropConnection: () => exchange?.dropConnection(),
    ask: (params) =>
      sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, { signal, timeout: 10_000 }),
  };
}
