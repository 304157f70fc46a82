import { type ServerEnvironment } from '@latch/config';
import { failure, type McpServerConfig, type McpServerProcess, type RawOutcome, type Result } from '@latch/contracts';
import { Agent, buildConnector } from 'undici';
import { callTool } from './call-tool.ts';
import { type Connection } from './connection.ts';
import { guardedLookup, isRefusedAddress } from './guarded-lookup.ts';
import { connectHttp } from './http-connection.ts';
import { listTools, type ToolListing } from './list-tools.ts';
import { type ListedTool } from './listed-tool.ts';
import { type McpCall, type SessionOwner } from './mcp-call.ts';
import { openSession } from './session.ts';
import { SessionPool } from './session-pool.ts';
import { connectStdio } from './stdio-connection.ts';

/** What a pool needs to know. */
export type McpClientPoolOptions = {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly clientName: string;
  readonly clientVersion: string;
  /** Extra headers per server, such as its bearer token from the secret environment. */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Environment per server that is a process: all that it gets to see (`serverEnvironments` of `@latch/config`). A server without an entry is not started. */
  readonly environments?: Readonly<Record<string, ServerEnvironment>>;
  /** @default 300_000 */
  readonly sessionIdleMs?: number;
  /** @default 1_000 */
  readonly maxSessions?: number;
  /** Server processes at the same time, over all servers, tenants and principals. @default 32 */
  readonly maxProcesses?: number;
  /** Longest silence within an answer that has begun. @default 15_000 */
  readonly idleTimeoutMs?: number;
  /** A server says that its tools are other ones now. One session per server listens. */
  readonly onToolsChanged?: (server: string) => void;
  /** A line that a server process wrote to its standard error, masked and bounded. */
  readonly onServerLog?: (server: string, line: string) => void;
};

/** Budget of a handshake beyond the connection itself. */
const handshakeMs = 5_000;

/**
 * The connections to all configured MCP servers: one socket pool per server, one MCP session per (server, tenant, principal); of a server that is a process,
 * one process per session.
 *
 * @see docs/reference/tool-execution.md
 */
export class McpClientPool {
  private readonly agents = new Map<string, Agent>();
  private readonly sessions: SessionPool;
  private readonly processes: SessionPool;
  private readonly closing = new AbortController();
  /** The session per server that listens to the server's own messages. */
  private readonly listeners = new Map<string, object>();

  constructor(private readonly options: McpClientPoolOptions) {
    const idleMs = options.sessionIdleMs ?? 300_000;
    const open = (owner: SessionOwner): ReturnType<typeof openSession> => this.open(owner);
    this.sessions = new SessionPool(open, { idleMs, maxSessions: options.maxSessions ?? 1_000 });
    this.processes = new SessionPool(open, { idleMs, maxSessions: options.maxProcesses ?? 32, isHard: true });
  }

  /**
   * Makes one attempt of a tool call. Never throws on what a server does or does not do.
   *
   * @returns what came back; `sent` tells whether the request may have reached the server, and is false for every failure of the session's opening.
   */
  async callTool(call: McpCall): Promise<RawOutcome> {
    const server = this.options.servers[call.server];
    return server === undefined ? unknownServer(call.server) : callTool(call, this.poolOf(server));
  }

  /**
   * Lists the tools of a server, all pages, within bounds.
   *
   * @returns a failure with `sent: false`: no tool was called, whatever came of it.
   */
  async listTools(listing: ToolListing): Promise<Result<readonly ListedTool[], RawOutcome>> {
    const server = this.options.servers[listing.server];
    return server === undefined ? failure(unknownServer(listing.server)) : listTools(listing, this.poolOf(server));
  }

  /** Open sessions, for health and tests. */
  get sessionCount(): number {
    return this.sessions.size + this.processes.size;
  }

  /** Ends all sessions, sockets and processes. Running calls end as given up. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.sessions.close(), this.processes.close()]);
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  private poolOf({ process }: McpServerConfig): SessionPool {
    return process === undefined ? this.sessions : this.processes;
  }

  private async open(owner: SessionOwner): ReturnType<typeof openSession> {
    const server = this.options.servers[owner.server];
    if (server === undefined) return failure(unknownServer(owner.server));
    const token = {};
    const connection =
      server.process === undefined ? this.connectHttp(server, token) : this.connectStdio(server, server.process);
    if (connection === null) return failure(noEnvironment(server.name));
    const opened = await openSession({
      connection,
      clientName: this.options.clientName,
      clientVersion: this.options.clientVersion,
      openTimeoutMs: server.connectTimeoutMs + handshakeMs,
      signal: this.closing.signal,
      onToolsChanged: () => this.options.onToolsChanged?.(server.name),
    });
    if (!opened.ok) this.stopListening(server.name, token);
    else void opened.value.ended.then(() => this.stopListening(server.name, token));
    return opened;
  }

  private connectHttp(server: McpServerConfig, token: object): Connection {
    return connectHttp({
      url: new URL(server.url),
      dispatcher: this.agentOf(server),
      limits: {
        connectTimeoutMs: server.connectTimeoutMs,
        idleTimeoutMs: this.options.idleTimeoutMs ?? 15_000,
        maxBytes: server.maxResultBytes,
      },
      headers: this.options.headers?.[server.name] ?? {},
      mayListen: () => this.mayListen(server.name, token),
    });
  }

  private connectStdio(
    { name, maxResultBytes }: McpServerConfig,
    { command, args }: McpServerProcess,
  ): Connection | null {
    const environment = this.options.environments?.[name];
    if (environment === undefined) return null;
    return connectStdio({
      ...{ command, args, environment: environment.variables, secrets: environment.secrets },
      maxBytes: maxResultBytes,
      idleTimeoutMs: this.options.idleTimeoutMs ?? 15_000,
      onLog: (line) => this.options.onServerLog?.(name, line),
    });
  }

  private mayListen(server: string, token: object): boolean {
    if (this.options.onToolsChanged === undefined) return false;
    const listener = this.listeners.get(server) ?? token;
    this.listeners.set(server, listener);
    return listener === token;
  }

  private stopListening(server: string, token: object): void {
    if (this.listeners.get(server) === token) this.listeners.delete(server);
  }

  private agentOf(server: McpServerConfig): Agent {
    const agent = this.agents.get(server.name) ?? newAgent(server);
    this.agents.set(server.name, agent);
    return agent;
  }
}

function newAgent(server: McpServerConfig): Agent {
  const connect = buildConnector({ timeout: server.connectTimeoutMs, lookup: guardedLookup });
  return new Agent({
    connect: (target, callback) => {
      if (isRefusedAddress(target.hostname.replace(/^\[|\]$/g, ''))) {
        const error = Object.assign(new Error(`${target.hostname} is no address of an MCP server.`), {
          code: 'origin_not_allowed',
        });
        callback(error, null);
        return;
      }
      connect(target, callback);
    },
    pipelining: 1,
  });
}

function noEnvironment(server: string): RawOutcome {
  return notAllowed(`No environment is known for the process of the MCP server "${server}".`);
}

function unknownServer(server: string): RawOutcome {
  return notAllowed(`No MCP server named "${server}" is configured.`);
}

function notAllowed(message: string): RawOutcome {
  return {
    kind: 'refused',
    error: { errorCategory: 'permission', isRetryable: false, message, code: 'tool.not_allowed' },
  };
}
