/** Where a call goes and on whose behalf; sessions are never shared beyond it (DESIGN section 6, invariant I12). */
export type SessionOwner = {
  /** Name of the server in `mcp_servers.yaml`. */
  readonly server: string;
  readonly tenant: string;
  /** The identity that the server sees, such as the agent. */
  readonly principal: string;
};

/** One attempt of a tool call. */
export type McpCall = SessionOwner & {
  /** Name of the tool on the server. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Travels as `_meta["latch/idempotency-key"]` and as the header `Idempotency-Key`; MCP itself has no field for it. */
  readonly idempotencyKey?: string;
  /** Total budget in milliseconds, the opening of a session included. Minimum 1. */
  readonly timeoutMs: number;
  /** W3C trace context, sent unprefixed in `_meta`. */
  readonly traceparent?: string;
  /** Gives the call up: it ends at once as `aborted`, and the server is sent `notifications/cancelled`. */
  readonly signal?: AbortSignal;
  /** Told of the server's progress, at most ten times a second; what it says is data. Asks the server for it, and never extends the budget. */
  readonly onProgress?: (progress: CallProgress) => void;
};

/** How far a running call is, in the server's words. `progress` only ever grows. */
export type CallProgress = { readonly progress: number; readonly total?: number; readonly message?: string };
