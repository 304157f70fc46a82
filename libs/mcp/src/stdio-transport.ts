import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationParamsSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { type RawOutcome } from '@latch/contracts';
import { type CallScope, currentScope } from './call-scope.ts';
import { LineReader, type LineEnd } from './line-reader.ts';
import { ServerLog } from './server-log.ts';
import { type ServerCommand, type ServerProcess, startServer } from './server-process.ts';

/** One server process, and its bounds. */
export type StdioTarget = ServerCommand & {
  /** Values of the environment that must not be shown. */
  readonly secrets: readonly string[];
  /** An answer may have so many bytes. */
  readonly maxBytes: number;
  /** Longest silence within an answer that has begun. */
  readonly idleTimeoutMs: number;
  /** A line of the server's standard error, masked and bounded. */
  readonly onLog: (line: string) => void;
};

/**
 * Speaks MCP with a process over its standard input and output, one JSON message a line (MCP, "stdio"). It knows which call each request works for, so that a
 * crash, an answer without end or one that is too large ends exactly the calls that wait, at once, as what it is. A line that is no message is passed over:
 * servers print greetings.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private server: ServerProcess | undefined;
  private readonly waiting = new Map<RequestId, CallScope>();
  private readonly log: ServerLog;
  private readonly reader: LineReader;

  constructor(private readonly target: StdioTarget) {
    const { secrets, onLog, maxBytes, idleTimeoutMs } = target;
    this.log = new ServerLog(secrets, onLog);
    this.reader = new LineReader({
      ...{ maxBytes, idleTimeoutMs },
      onLine: (line) => this.receive(line),
      onEnd: (why) => this.giveUp(why),
    });
  }

  /** Starts the process; rejects when it cannot be started. */
  async start(): Promise<void> {
    const server = await startServer(this.target);
    this.server = server;
    server.child.stdout.on('data', (chunk: Buffer) => this.reader.push(chunk));
    server.child.stderr.on('data', (chunk: Buffer) => this.log.push(chunk));
    void server.ended.then((how) => this.onEnded(how));
  }

  /** Writes a message. From here on the server may have it. */
  send(message: JSONRPCMessage): Promise<void> {
    const scope = currentScope.getStore();
    if (this.server === undefined) return Promise.reject(new Error('The server process does not run.'));
    if (isJSONRPCRequest(message) && scope !== undefined) {
      this.waiting.set(message.id, scope);
      scope.isSent = true;
    }
    // The SDK's word that a request is given up: its answer is not waited for.
    if ('method' in message && message.method === 'notifications/cancelled') this.settle(toRequestId(message.params));
    this.server.child.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Ends the process and all that it started. */
  async close(): Promise<void> {
    await this.server?.end();
    this.onEnded('end of the session');
  }

  private receive(line: string): void {
    const message = toMessage(line);
    if (message === null) {
      this.onerror?.(new Error('The server wrote a line that is no JSON-RPC message.'));
      return;
    }
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.settle(message.id);
    this.onmessage?.(message);
  }

  private settle(id: RequestId | undefined): void {
    if (id !== undefined) this.waiting.delete(id);
  }

  /** The stream of answers is broken: nothing that follows could be told apart. */
  private giveUp(why: LineEnd): void {
    const [code, message] = this.wordsOf(why);
    // Which call the answer was for, nobody could say when several wait.
    const isSure = this.waiting.size === 1;
    this.failWaiting({ code: isSure ? code : 'server_exited', message });
    this.server?.kill('SIGKILL');
    this.onEnded('ended by us');
  }

  private wordsOf(why: LineEnd): readonly [string, string] {
    const { maxBytes, idleTimeoutMs } = this.target;
    if (why === 'too_large') return ['result_too_large', `An answer of the server is larger than ${maxBytes} bytes.`];
    return ['idle_timeout', `An answer of the server stopped for ${idleTimeoutMs} ms.`];
  }

  private onEnded(how: string): void {
    if (this.server === undefined) return;
    this.server = undefined;
    this.reader.close();
    const { tail } = this.log;
    this.failWaiting({ code: 'server_exited', message: `The server process ended (${how}). ${tail}`.trim() });
    this.onclose?.();
  }

  private failWaiting(of: { readonly code: string; readonly message: string }): void {
    for (const scope of this.waiting.values()) {
      const outcome: RawOutcome = { kind: 'transport_error', ...of, sent: scope.isSent };
      scope.fail(outcome);
    }
    this.waiting.clear();
  }
}

function toRequestId(params: unknown): RequestId | undefined {
  return CancelledNotificationParamsSchema.safeParse(params).data?.requestId;
}

function toMessage(line: string): JSONRPCMessage | null {
  try {
    const message = JSONRPCMessageSchema.safeParse(JSON.parse(line));
    return message.success ? message.data : null;
  } catch {
    return null;
  }
}
