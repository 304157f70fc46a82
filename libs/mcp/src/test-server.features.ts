import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type McpServerConfig } from '@latch/contracts';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { type ElicitRequestFormParams, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type McpCall } from './mcp-call.ts';
import { McpClientPool, type McpClientPoolOptions } from './mcp-client-pool.ts';

/** What the server saw of one `tools/call`. */
export type SeenCall = {
  readonly meta: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly session: string | undefined;
};

/** Answers a request in the place of the server; `id` is that of the JSON-RPC request. */
export type Fault = (response: ServerResponse, id: unknown, request: IncomingMessage) => void;

const Message = z.looseObject({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.looseObject({ _meta: z.unknown().optional() }).optional(),
});
type Message = z.output<typeof Message>;

/** What `ask` asks. */
export const question = {
  message: 'Why?',
  requestedSchema: {
    type: 'object' as const,
    properties: { reason: { type: 'string' as const } },
    required: ['reason'],
  },
} satisfies ElicitRequestFormParams;

/** A real MCP server (SDK, Streamable HTTP, sessions) in this process, with faults on the wire. */
export class TestServer {
  readonly calls: SeenCall[] = [];
  /** How often `slow` has begun. */
  slow = 0;
  /** Requests whose tool was told of a cancellation. */
  readonly cancelled: unknown[] = [];
  readonly sockets = new Set<Socket>();
  /** For the next `tools/call` requests, in order. */
  readonly faults: Fault[] = [];
  /** For the next `initialize` requests, in order. */
  readonly handshakeFaults: Fault[] = [];
  /** For the next `tools/list` requests, in order. */
  readonly listFaults: Fault[] = [];
  /** For the next `GET` requests, in order. */
  readonly streamFaults: Fault[] = [];
  /** Headers of the `GET` requests. */
  readonly streams: IncomingHttpHeaders[] = [];
  /** What the last client declared. */
  capabilities: unknown;
  /** Of the last `tools/call` that asked for progress. */
  progressToken: unknown;
  handshakes = 0;
  /** How long the server takes over the client's word that it is initialized. */
  initializedMs = 0;
  ended = 0;
  readonly http: Server;
  private readonly servers: McpServer[] = [];
  private readonly transports = new Map<string, StreamableHTTPServerTransport>();

  constructor(private readonly options: { readonly isJson?: boolean; readonly isStateless?: boolean } = {}) {
    this.http = createServer((request, response) => void this.handle(request, response));
    this.http.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.http.listen(port, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    const address = this.http.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Tells the clients that listen that the tools have changed. */
  async changeTools(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.server.sendToolListChanged()));
  }

  /** Forgets all sessions, as a restarted server does. */
  forgetSessions(): void {
    this.transports.clear();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.http.close(() => resolve()));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await readMessage(request);
    const session = request.headers['mcp-session-id']?.toString();
    const fault = this.faultFor(message, request, session);
    if (fault !== undefined) return fault(response, message?.id, request);
    if (message?.method === 'notifications/initialized') await sleep(this.initializedMs);
    if (request.method === 'DELETE') this.ended += 1;
    const transport = session === undefined ? await this.newTransport() : this.transports.get(session);
    if (transport === undefined) return sessionNotFound(response);
    await transport.handleRequest(request, response, message);
  }

  private faultFor(
    message: Message | undefined,
    { headers, method }: IncomingMessage,
    session: string | undefined,
  ): Fault | undefined {
    if (method === 'GET') {
      this.streams.push(headers);
      return this.streamFaults.shift();
    }
    if (message?.method === 'initialize') {
      this.handshakes += 1;
      this.capabilities = message.params?.['capabilities'];
      return this.handshakeFaults.shift();
    }
    if (message?.method === 'tools/list') return this.listFaults.shift();
    if (message?.method !== 'tools/call') return undefined;
    this.progressToken = z.looseObject({ progressToken: z.unknown() }).safeParse(message.params?._meta)
      .data?.progressToken;
    this.calls.push({ meta: message.params?._meta, headers, session });
    return this.faults.shift();
  }

  private async newTransport(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: this.options.isStateless === true ? undefined : () => randomUUID(),
      enableJsonResponse: this.options.isJson ?? false,
      onsessioninitialized: (id) => void this.transports.set(id, transport),
    });
    const server = this.domain();
    this.servers.push(server);
    await server.connect(transport);
    return transport;
  }

  /** `echo` answers with its arguments, `slow` after `ms`, `fail` throws. */
  private domain(): McpServer {
    const server = new McpServer({ name: 'test', version: '1.0.0' });
    server.registerTool('echo', { inputSchema: { value: z.unknown() } }, ({ value }) => ({
      content: [{ type: 'text', text: JSON.stringify({ value }) }],
      structuredContent: { value },
    }));
    server.registerTool('slow', { inputSchema: { ms: z.number() } }, async ({ ms }, { signal, requestId }) => {
      this.slow += 1;
      signal.addEventListener('abort', () => this.cancelled.push(requestId));
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      return { content: [{ type: 'text', text: 'done' }] };
    });
    const steps = { inputSchema: { ms: z.number().default(120) } };
    server.registerTool('steps', steps, async ({ ms }, { sendNotification, _meta }) => {
      for (const progress of [1, 2, 2, 3]) {
        const params = {
          progressToken: _meta?.progressToken ?? 'none',
          progress,
          total: 3,
          message: `step ${progress}`,
        };
        await sendNotification({ method: 'notifications/progress', params });
        await sleep(ms);
      }
      return { content: [{ type: 'text', text: 'done' }] };
    });
    server.registerTool('ask', { inputSchema: { then: z.string() } }, async ({ then }, { sendRequest }) => {
      const reply = await sendRequest({ method: 'elicitation/create', params: question }, ElicitResultSchema);
      if (then === 'fail') return { isError: true, content: [{ type: 'text', text: reply.action }] };
      return { content: [{ type: 'text', text: `did it all the same: ${reply.action}` }] };
    });
    server.registerTool('fail', {}, () => {
      throw new Error('kaboom');
    });
    return server;
  }
}

async function readMessage(request: IncomingMessage): Promise<Message | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : Message.parse(JSON.parse(text));
}

function sessionNotFound(response: ServerResponse): void {
  answerJson(response, 404, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } });
}

/** Answers with a status and a JSON body. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The configuration of a server, with short timers. */
export function serverConfig(name: string, port: number, more: Partial<McpServerConfig> = {}): McpServerConfig {
  return {
    name,
    url: `http://127.0.0.1:${port}/mcp`,
    enabled: true,
    connectTimeoutMs: 1_000,
    maxConcurrentCalls: 16,
    maxResultBytes: 1024 * 1024,
    breaker: { failures: 5, openMs: 1_000 },
    ...more,
  };
}

/** A pool that knows one server. */
export function poolFor(server: McpServerConfig, more: Partial<McpClientPoolOptions> = {}): McpClientPool {
  return new McpClientPool({
    servers: { [server.name]: server },
    clientName: 'latch-test',
    clientVersion: '1.0.0',
    ...more,
  });
}

/** A call of `echo` for one tenant. */
export function echo(more: Partial<McpCall> = {}): McpCall {
  return {
    server: 'test',
    tenant: 'tenant-1',
    principal: 'agent-1',
    name: 'echo',
    arguments: { value: 7 },
    idempotencyKey: 'key-1',
    timeoutMs: 5_000,
    ...more,
  };
}
