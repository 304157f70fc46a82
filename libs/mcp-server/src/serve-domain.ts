import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { hostHeaderValidation } from '@modelcontextprotocol/sdk/server/middleware/hostHeaderValidation.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { type RunningService } from '@latch/observability';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import { CallLog } from './call-log.ts';
import { controlRoutes } from './control-routes.ts';
import { type DomainTool } from './domain-tool.ts';
import { failRequest } from './fail-request.ts';
import { type Fault, Faults, isBeforeTheTool } from './faults.ts';
import { FirstAnswers } from './first-answers.ts';
import { readCall, type ReadCall } from './read-call.ts';
import { runTool } from './run-tool.ts';
import { Sessions } from './sessions.ts';

/** What a domain server is made of. */
export type DomainServer = {
  readonly name: string;
  readonly version: string;
  /** 0 takes a free port; `url` tells which. */
  readonly port: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** Host names that a request may be addressed to, beside the loopback names: protection against DNS rebinding. */
  readonly allowedHosts?: readonly string[];
  readonly tools: readonly DomainTool[];
  /** How tool calls are answered: one JSON body, or an SSE stream. Both are Streamable HTTP. @default 'json' */
  readonly answerAs?: 'json' | 'stream';
  /** Open sessions at most; one more closes the one that was used longest ago. @default 1000 */
  readonly maxSessions?: number;
  /** Faults that are switched on from the start. */
  readonly faults?: readonly Fault[];
  /** Puts the domain back to its first state. */
  readonly reset: () => void;
};

/**
 * Serves a domain's tools over MCP Streamable HTTP at `/mcp`, with sessions. A call that changes something is run once per idempotency key. Beside it:
 * `GET /health`, `GET /calls`, `GET|POST|DELETE /faults`, `POST /reset` (docs/reference/sample-mcp-servers.md).
 *
 * @throws when the port is taken.
 */
export async function serveDomain(domain: DomainServer): Promise<RunningService> {
  const faults = new Faults();
  for (const fault of domain.faults ?? []) faults.add(fault);
  const parts: Parts = {
    domain,
    faults,
    log: new CallLog(),
    firstAnswers: new FirstAnswers(),
    exchanges: new AsyncLocalStorage(),
  };
  const sessions = new Sessions({
    server: () => makeMcpServer(parts),
    asJson: domain.answerAs !== 'stream',
    limit: domain.maxSessions ?? 1_000,
  });
  const server = await listen(makeApp(parts, sessions), domain);
  return { url: urlOf(server, domain.host), stop: async () => await stop(server, sessions) };
}

/** The HTTP exchange that a tool call came in, for the tool behind MCP: the SDK hands on no socket. */
type Exchange = { readonly call: ReadCall; readonly fault: Fault | null; dropConnection(): void };

type Parts = {
  readonly domain: DomainServer;
  readonly faults: Faults;
  readonly log: CallLog;
  readonly firstAnswers: FirstAnswers;
  readonly exchanges: AsyncLocalStorage<Exchange>;
};

function makeMcpServer(parts: Parts): McpServer {
  const { name, version, tools } = parts.domain;
  const server = new McpServer({ name, version });
  for (const tool of tools) registerTool(server, tool, parts);
  return server;
}

function registerTool(server: McpServer, tool: DomainTool, { exchanges, log, firstAnswers }: Parts): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: tool.input,
      ...(tool.output === undefined ? {} : { outputSchema: tool.output }),
      annotations: { readOnlyHint: tool.isReadOnly, destructiveHint: !tool.isReadOnly, idempotentHint: true },
    },
    async (args: unknown, { signal }) => {
      const exchange = exchanges.getStore();
      const call = {
        arguments: args,
        idempotencyKey: exchange?.call.idempotencyKey ?? null,
        tenant: exchange?.call.tenant ?? null,
        signal,
        fault: exchange?.fault ?? null,
        dropConnection: () => exchange?.dropConnection(),
      };
      return await runTool(tool, call, { log, firstAnswers });
    },
  );
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

function makeApp(parts: Parts, sessions: Sessions): Express {
  const { name, version, reset, allowedHosts = [] } = parts.domain;
  const hosts = [...loopbackNames, ...allowedHosts];
  const app = express();
  app.disable('x-powered-by');
  app.use(hostHeaderValidation(hosts));
  app.use(refuseForeignOrigins(hosts));
  app.use(readBody);
  const resetAll = (): void => {
    parts.faults.clear();
    parts.log.clear();
    parts.firstAnswers.clear();
    reset();
  };
  app.use(controlRoutes({ name, version, ...parts, sessionCount: () => sessions.size, reset: resetAll }));
  app.all('/mcp', async (request, response) => {
    try {
      await handleMcp({ parts, sessions }, request, response);
    } catch {
      // A bug of this server: the client must learn of it, and the process lives on for the other calls.
      if (!response.headersSent) sendRpcError(response, { status: 500, message: 'The server failed on this request.' });
    }
  });
  return app;
}

/** A page of another origin in somebody's browser must not be able to drive a server on that machine. */
function refuseForeignOrigins(
  hosts: readonly string[],
): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || (URL.canParse(origin) && hosts.includes(new URL(origin).hostname))) next();
    else sendRpcError(response, { status: 403, message: 'This origin may not call the server.' });
  };
}

async function handleMcp(
  { parts, sessions }: { readonly parts: Parts; readonly sessions: Sessions },
  request: Request,
  response: Response,
): Promise<void> {
  const sessionId = request.headers['mcp-session-id'];
  const body: unknown = request.body;
  const known = typeof sessionId === 'string' ? sessions.find(sessionId) : null;
  if (known === null && typeof sessionId === 'string') {
    sendRpcError(response, { status: 404, message: 'Session not found. Initialize again.' });
    return;
  }
  if (known === null && !isInitializeRequest(body)) {
    sendRpcError(response, { status: 400, message: 'No session. Send `initialize` first.' });
    return;
  }
  const call = readCall(body, request.headers);
  const fault = call === null ? null : parts.faults.take(call.tool);
  if (call !== null && fault !== null && isBeforeTheTool(fault)) {
    await failRequest({ fault, call, log: parts.log }, response);
    return;
  }
  const transport = known ?? (await sessions.start());
  const handle = async (): Promise<void> => await transport.handleRequest(request, response, body);
  if (call === null) await handle();
  else await parts.exchanges.run({ call, fault, dropConnection: () => void response.destroy() }, handle);
}

function sendRpcError(response: Response, of: { readonly status: number; readonly message: string }): void {
  response.status(of.status).json({ jsonrpc: '2.0', error: { code: -32_000, message: of.message }, id: null });
}

const parseJson = express.json({ limit: 1_048_576 });

function readBody(request: Request, response: Response, next: NextFunction): void {
  parseJson(request, response, (error: unknown) => {
    if (error === undefined) next();
    else if (typeof error === 'object' && error !== null && Reflect.get(error, 'status') === 413) {
      sendRpcError(response, { status: 413, message: 'The body is larger than 1 MiB.' });
    } else sendRpcError(response, { status: 400, message: 'The body is no JSON in UTF-8.' });
  });
}

async function listen(app: Express, { port, host = '127.0.0.1' }: DomainServer): Promise<Server> {
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

function urlOf(server: Server, host = '127.0.0.1'): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Running calls get a moment to end; open streams would keep the server from ever closing. */
async function stop(server: Server, sessions: Sessions): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await sessions.closeAll();
  const force = setTimeout(() => server.closeAllConnections(), 1_000);
  await closed;
  clearTimeout(force);
}
