import { type RawOutcome, failure, type Result, success } from '@latch/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallScope, currentScope } from './call-scope.ts';
import { type FetchTarget, guardedFetch } from './guarded-fetch.ts';
import { outcomeOfError } from './outcome-of-error.ts';

/** An initialized MCP session; `id` is absent where the server keeps none. */
export type Session = { readonly client: Client; readonly id: string | undefined; close(): Promise<void> };

/** How a session is opened. */
export type SessionOptions = FetchTarget & {
  readonly clientName: string;
  readonly clientVersion: string;
  /** Such as the bearer token of the server, from the secret environment. */
  readonly headers: Readonly<Record<string, string>>;
  readonly openTimeoutMs: number;
  /** Gives the opening up. */
  readonly signal: AbortSignal;
};

/**
 * Opens a session: connects and shakes hands. It runs in a scope of its own, because several calls may wait for one session.
 *
 * @returns the failure as an outcome of which it is certain that no tool was called: `sent` is false.
 */
export async function openSession(options: SessionOptions): Promise<Result<Session, RawOutcome>> {
  const scope = new CallScope();
  const release = bindEnd(options, scope);
  const transport = new StreamableHTTPClientTransport(options.url, {
    fetch: guardedFetch(options),
    requestInit: { headers: { ...options.headers }, redirect: 'manual' },
    // An interrupted answer is a lost one: it is told at once, and not waited for on a second stream.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = new Client({ name: options.clientName, version: options.clientVersion });
  try {
    const failed = await currentScope.run(scope, () => Promise.race([connect(client, transport), scope.failure]));
    if (failed === null)
      return success({ client, id: transport.sessionId, close: () => closeSession(client, transport) });
    void client.close();
    return failure(unsent(failed));
  } catch (error) {
    void client.close();
    return failure(unsent(await settled(scope, error)));
  } finally {
    release();
    scope.finish();
  }
}

async function connect(client: Client, transport: StreamableHTTPClientTransport): Promise<null> {
  await client.connect(transport, { timeout: 2 ** 30 });
  return null;
}

/** What the wire said before the SDK threw outranks what the SDK says. */
export async function settled(scope: CallScope, error: unknown): Promise<RawOutcome> {
  return Promise.race([scope.failure, Promise.resolve(outcomeOfError(error, scope))]);
}

/** No tool was called yet, whatever the handshake came to. */
function unsent(outcome: RawOutcome): RawOutcome {
  return { ...outcome, sent: false };
}

function bindEnd({ openTimeoutMs, signal }: SessionOptions, scope: CallScope): () => void {
  const timer = setTimeout(
    () => scope.fail({ kind: 'timeout', timeout_ms: openTimeoutMs, sent: false }),
    openTimeoutMs,
  );
  const onAbort = (): void => {
    scope.fail({ kind: 'transport_error', code: 'aborted', message: 'The session was given up.', sent: false });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
}

/** Tells the server that the session ends, without waiting for long: it may be gone. */
async function closeSession(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  try {
    await transport.terminateSession();
  } catch {
    // The server ends it by itself.
  }
  await client.close();
}
