import { type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID } from 'node:crypto';

type Session = { readonly transport: StreamableHTTPServerTransport; readonly server: McpServer };

/**
 * The open MCP sessions, each with a server object of its own, as the SDK wants it. At most `limit`: the one that was used longest ago is closed, and its
 * client gets 404 and initializes again, as the specification says.
 */
export class Sessions {
  private readonly open = new Map<string, Session>();

  constructor(
    private readonly make: {
      readonly server: () => McpServer;
      /** Answer with plain JSON instead of an SSE stream. */
      readonly asJson: boolean;
      readonly limit: number;
    },
  ) {}

  /** The transport of a session, now the most recently used; null when it is not (or no longer) open. */
  find(sessionId: string): StreamableHTTPServerTransport | null {
    const session = this.open.get(sessionId);
    if (session === undefined) return null;
    this.open.delete(sessionId);
    this.open.set(sessionId, session);
    return session.transport;
  }

  /** A transport for a client that initializes; it becomes a session when the client succeeds. */
  async start(): Promise<StreamableHTTPServerTransport> {
    const server = this.make.server();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: this.make.asJson,
      onsessioninitialized: async (sessionId) => {
        this.open.set(sessionId, { transport, server });
        await this.closeOldest();
      },
      onsessionclosed: (sessionId) => {
        this.open.delete(sessionId);
      },
    });
    await server.connect(transport);
    return transport;
  }

  /** How many are open. */
  get size(): number {
    return this.open.size;
  }

  /** The server objects of all open sessions. */
  get servers(): readonly McpServer[] {
    return [...this.open.values()].map(({ server }) => server);
  }

  /** Closes all. Running calls are aborted. */
  async closeAll(): Promise<void> {
    const sessions = [...this.open.values()];
    this.open.clear();
    await Promise.all(sessions.map(async ({ server }) => await server.close()));
  }

  private async closeOldest(): Promise<void> {
    for (const [sessionId, { server }] of this.open) {
      if (this.open.size <= this.make.limit) return;
      this.open.delete(sessionId);
      await server.close();
    }
  }
}
