import { failure, type McpServerConfig, type RawOutcome, type Result } from '@latch/contracts';
import { Agent, buildConnector } from 'undici';
import { callTool } from './call-tool.ts';
import { guardedLookup, isRefusedAddress } from './guarded-lookup.ts';
import { listTools, type ToolListing } from './list-tools.ts';
import { type ListedTool } from './listed-tool.ts';
import { type McpCall, type SessionOwner } from './mcp-call.ts';
import { openSession } from './session.ts';
import { SessionPool } from './session-pool.ts';

/** What a pool needs to know. */
export type McpClientPoolOptions = {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly clientName: string;
  readonly clientVersion: string;
  /** Extra headers per server, such as its bearer token from the secret environment. */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** @default 300_000 */
  readonly sessionIdleMs?: number;
  /** @default 1_000 */
  readonly maxSessions?: number;
  /** Longest silence within an answer that has begun. @default 15_000 */
  readonly idleTimeoutMs?: number;
};

/** Budget of a handshake beyond the connection itself. */
const handshakeMs = 5_000;

/**
 * The connections to all configured MCP servers: one socket pool per server, one MCP session per (server, tenant, principal).
 *
 * @see docs/reference/tool-execution.md
 */
export class McpClientPool {
  private readonly agents = new Map<string, Agent>();
  private readonly sessions: SessionPool;
  private readonly closing = new AbortController();

  constructor(private readonly options: McpClientPoolOptions) {
    const limits = { idleMs: options.sessionIdleMs ?? 300_000, maxSessions: options.maxSessions ?? 1_000 };
    this.sessions = new SessionPool((owner) => this.open(owner), limits);
  }

  /**
   * Makes one attempt of a tool call. Never throws on what a server does or does not do.
   *
   * @returns what came back; `sent` tells whether the request may have reached the server, and is false for every failure of the session's opening.
   */
  async callTool(call: McpCall): Promise<RawOutcome> {
    if (this.options.servers[call.server] === undefined) return unknownServer(call.server);
    return callTool(call, this.sessions);
  }

  /**
   * Lists the tools of a server, all pages, within bounds.
   *
   * @returns a failure with `sent: false`: no tool was called, whatever came of it.
   */
  async listTools(listing: ToolListing): Promise<Result<readonly ListedTool[], RawOutcome>> {
    if (this.options.servers[listing.server] === undefined) return failure(unknownServer(listing.server));
    return listTools(listing, this.sessions);
  }

  /** Open sessions, for health and tests. */
  get sessionCount(): number {
    return this.sessions.size;
  }

  /** Ends all sessions and sockets. Running calls end as given up. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.sessions.close();
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  private open(owner: SessionOwner): ReturnType<typeof openSession> {
    const server = this.options.servers[owner.server];
    if (server === undefined) return Promise.resolve({ ok: false, error: unknownServer(owner.server) });
    return openSession({
      url: new URL(server.url),
      dispatcher: this.agentOf(server),
      limits: {
        connectTimeoutMs: server.connectTimeoutMs,
        idleTimeoutMs: this.options.idleTimeoutMs ?? 15_000,
        maxBytes: server.maxResultBytes,
      },
      clientName: this.options.clientName,
      clientVersion: this.options.clientVersion,
      headers: this.options.headers?.[server.name] ?? {},
      openTimeoutMs: server.connectTimeoutMs + handshakeMs,
      signal: this.closing.signal,
    });
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

function unknownServer(server: string): RawOutcome {
  const message = `No MCP server named "${server}" is configured.`;
  return {
    kind: 'refused',
    error: { errorCategory: 'permission', isRetryable: false, message, code: 'tool.not_allowed' },
  };
}
