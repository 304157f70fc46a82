import { hostHeaderValidation } from '@modelcontextprotocol/sdk/server/middleware/hostHeaderValidation.js';
import { type RunningService } from '@latch/observability';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import { CallLog } from './call-log.ts';
import { controlRoutes } from './control-routes.ts';
import { type DomainTool } from './domain-tool.ts';
import { type DomainParts, makeMcpServer, toldOfOtherSchemas } from './domain-mcp-server.ts';
import { type Fault, Faults } from './faults.ts';
import { FirstAnswers } from './first-answers.ts';
import { handleMcp, sendRpcError } from './handle-mcp.ts';
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
  const parts: DomainParts = {
    ...{ name: domain.name, version: domain.version, tools: domain.tools },
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
  const server = await listen(makeApp(domain, parts, sessions), domain);
  return { url: urlOf(server, domain.host), stop: async () => await stop(server, sessions) };
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

function makeApp({ reset, allowedHosts = [] }: DomainServer, parts: DomainParts, sessions: Sessions): Express {
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
    onFaultsChanged();
    reset();
  };
  const onFaultsChanged = (): void => toldOfOtherSchemas(sessions.servers, parts);
  app.use(controlRoutes({ ...parts, onFaultsChanged, sessionCount: () => sessions.size, reset: resetAll }));
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
