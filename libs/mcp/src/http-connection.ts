import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Connection } from './connection.ts';
import { type FetchTarget, guardedFetch } from './guarded-fetch.ts';

/** How a server is reached over Streamable HTTP. */
export type HttpTarget = FetchTarget & {
  /** Such as the bearer token of the server, from the secret environment. */
  readonly headers: Readonly<Record<string, string>>;
};

/** How an interrupted answer that the server can go on with is asked for again; a server that says `retry` decides itself how long that takes. */
const resumption = {
  maxRetries: 3,
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
};

/** A connection to a server over Streamable HTTP. */
export function connectHttp(target: HttpTarget): Connection {
  const transport = new StreamableHTTPClientTransport(target.url, {
    fetch: guardedFetch(target),
    requestInit: { headers: { ...target.headers }, redirect: 'manual' },
    reconnectionOptions: resumption,
  });
  return {
    transport,
    id: () => transport.sessionId,
    endsOnTimeout: false,
    async end() {
      // Tells the server that the session ends, without waiting for long: it may be gone.
      await transport.terminateSession().catch(() => undefined);
    },
  };
}
