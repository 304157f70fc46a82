import { type RawOutcome, failure, type Result, success } from '@latch/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { CallScope, currentScope } from './call-scope.ts';
import { type Connection } from './connection.ts';
import { outcomeOfError } from './outcome-of-error.ts';
import { whenAborted } from './when-aborted.ts';

/** An initialized MCP session. */
export type Session = {
  readonly client: Client;
  /** Absent where the server keeps none. */
  readonly id: string | undefined;
  readonly endsOnTimeout: boolean;
  /** The tool calls that run in it. */
  readonly running: Set<CallScope>;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

/** How a session is opened. */
export type SessionOptions = {
  readonly connection: Connection;
  readonly clientName: string;
  readonly clientVersion: string;
  readonly openTimeoutMs: number;
  /** Gives the opening up. */
  readonly signal: AbortSignal;
  /** The server says that its tools are other ones now. */
  readonly onToolsChanged: () => void;
};

/**
 * Opens a session: connects and shakes hands. It runs in a scope of its own, because several calls may wait for one session.
 *
 * @returns the failure as an outcome of which it is certain that no tool was called: `sent` is false.
 */
export async function openSession(options: SessionOptions): Promise<Result<Session, RawOutcome>> {
  const scope = new CallScope();
  const release = bindEnd(options, scope);
  const session = newSession(options);
  try {
    const failed = await currentScope.run(scope, () => Promise.race([connect(session, options), scope.failure]));
    if (failed === null) return success({ ...session, id: options.connection.id() });
    void session.close();
    return failure(unsent(failed));
  } catch (error) {
    const outcome = await settled(scope, error);
    void session.close();
    return failure(unsent(outcome));
  } finally {
    release();
    scope.finish();
  }
}

function newSession({ connection, clientName, clientVersion, onToolsChanged }: SessionOptions): Session {
  // Declared as far as it is honored: a form is read and turned into a request for parameters; no page is ever opened.
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: clientName, version: clientVersion }, { capabilities });
  const running = new Set<CallScope>();
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const scope = askedScope(running);
    if (scope !== null && 'requestedSchema' in params) {
      scope.question ??= { message: params.message, requestedSchema: { ...params.requestedSchema } };
    }
    return { action: 'cancel' };
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  const ended = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  const close = async (): Promise<void> => {
    await connection.end();
    await client.close();
  };
  return { client, id: undefined, endsOnTimeout: connection.endsOnTimeout, running, ended, close };
}

/**
 * The call in which a question was asked: the one whose answer it came with, or the only one that runs. Of several calls nobody could say which is meant, and
 * none of them is taken for unanswered: each is read by its result.
 */
function askedScope(running: ReadonlySet<CallScope>): CallScope | null {
  const current = currentScope.getStore();
  if (current !== undefined && running.has(current)) return current;
  const [only] = running;
  return running.size === 1 ? (only ?? null) : null;
}

async function connect({ client }: Session, { connection }: SessionOptions): Promise<null> {
  await client.connect(connection.transport, { timeout: 2 ** 30 });
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
  const takeBack = whenAborted(signal, onAbort);
  return () => {
    clearTimeout(timer);
    takeBack();
  };
}
