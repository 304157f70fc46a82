import { type IncomingHttpHeaders } from 'node:http';
import { type Dispatcher } from 'undici';
import { whenAborted } from './when-aborted.ts';

/** What may end an exchange before its time; a code of `RawOutcome.transport_error`, or one of the socket's own. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Limits of one HTTP exchange. The total deadline is the caller's `signal`. */
export type ExchangeLimits = {
  /** Until the request is on its way: resolving, connecting, TLS, waiting for a socket. */
  readonly connectTimeoutMs: number;
  /** Between two pieces of the answer's body. */
  readonly idleTimeoutMs: number;
  readonly maxBytes: number;
};

/** How an exchange goes, for whoever keeps the books of a call. */
export type ExchangeObserver = {
  /** The request is about to be written to a connected socket: from here on the server may have it. */
  onSent(): void;
  onStatus(status: number, headers: Headers): void;
  /** A piece of the body, in order, before its reader gets it. */
  onData(chunk: Uint8Array): void;
  /**
   * The body ended; `error` is null when in good order.
   *
   * @returns whether what is wanted has come all the same: then the reader gets all that came, and no error.
   */
  onEnd(error: ExchangeError | null): boolean;
};

/** One request, ready to go. */
export type ExchangeRequest = {
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signals: readonly AbortSignal[];
  readonly limits: ExchangeLimits;
  readonly observer: ExchangeObserver;
};

/** Bytes of an error's body that are kept; the rest says no more about why. */
const maxErrorBytes = 64 * 1024;

/**
 * Sends one HTTP request and answers as `fetch` does, over undici's dispatcher and with what `fetch` lacks: it knows whether the request was written, its
 * timers are exact and cover the connection, and the body alike, an abort closes the socket, the body is capped, and redirects are answers like any other.
 */
export function exchange(request: ExchangeRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const running = new Exchange(request, { resolve, reject });
    const { url, method, headers, body } = request;
    request.dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body, headersTimeout: 0, bodyTimeout: 0 },
      running,
    );
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private body: ReadableStreamDefaultController<Uint8Array> | undefined;
  private isOver = false;
  private isRefusal = false;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly takeBack: (() => void)[] = [];

  constructor(
    private readonly request: ExchangeRequest,
    private readonly promise: { resolve(response: Response): void; reject(error: unknown): void },
  ) {
    const { connectTimeoutMs } = request.limits;
    this.watch(connectTimeoutMs, 'connect_timeout', `No connection within ${connectTimeoutMs} ms.`);
    for (const signal of request.signals) if (!this.isOver) this.takeBack.push(whenAborted(signal, this.onAbort));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) {
      controller.abort(new ExchangeError('aborted', 'Given up before it was sent.'));
      return;
    }
    clearTimeout(this.timer);
    this.request.observer.onSent();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, raw: IncomingHttpHeaders): void {
    if (this.isOver) return;
    const headers = toHeaders(raw);
    this.isRefusal = status < 200 || status > 299;
    this.request.observer.onStatus(status, headers);
    // Nobody is to follow it: an MCP server has one address, the configured one.
    headers.delete('location');
    if (Number(headers.get('content-length') ?? 0) > this.request.limits.maxBytes && !this.isRefusal) {
      this.end(tooLarge(this.request.limits.maxBytes));
      return;
    }
    this.watchIdle();
    this.promise.resolve(this.respond(status, headers));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    this.watchIdle();
    this.bytes += chunk.length;
    if (this.isRefusal && this.bytes > maxErrorBytes) {
      this.end(null);
      return;
    }
    if (this.bytes > this.request.limits.maxBytes) {
      this.end(tooLarge(this.request.limits.maxBytes));
      return;
    }
    this.request.observer.onData(chunk);
    this.body?.enqueue(chunk);
    if ((this.body?.desiredSize ?? 1) > 0) return;
    // The silence that follows is of our own making.
    clearTimeout(this.timer);
    controller.pause();
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    this.end(new ExchangeError(codeOf(error), messageOf(error)));
  }

  private readonly onAbort = (): void => this.end(new ExchangeError('aborted', 'The call was given up.'));

  private respond(status: number, headers: Headers): Response {
    if (status < 200 || status === 204 || status === 205 || status === 304) {
      return new Response(null, { status: status < 200 ? 502 : status, headers });
    }
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (body) => {
          this.body = body;
        },
        pull: () => this.goOn(),
        cancel: () => this.end(null),
      },
      { highWaterMark: 256 * 1024, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    return new Response(stream, { status, headers });
  }

  private goOn(): void {
    if (this.controller?.paused !== true) return;
    this.watchIdle();
    this.controller.resume();
  }

  private watchIdle(): void {
    const { idleTimeoutMs } = this.request.limits;
    this.watch(idleTimeoutMs, 'idle_timeout', `The answer stopped for ${idleTimeoutMs} ms.`);
  }

  private watch(ms: number, code: string, message: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(new ExchangeError(code, message)), ms);
  }

  /** Ends once: frees the timers, closes the socket unless the answer is complete, and tells everyone. */
  private end(error: ExchangeError | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    for (const takeBack of this.takeBack) takeBack();
    const isComplete = this.request.observer.onEnd(error);
    this.closeBody(isComplete ? null : error);
    this.controller?.abort(error ?? new ExchangeError('aborted', 'The rest is not needed.'));
  }

  private closeBody(error: ExchangeError | null): void {
    if (error !== null) {
      this.promise.reject(error);
      this.body?.error(error);
      return;
    }
    try {
      this.body?.close();
    } catch {
      // Cancelled by its reader: closed already.
    }
  }
}

function tooLarge(maxBytes: number): ExchangeError {
  return new ExchangeError('result_too_large', `The answer is larger than ${maxBytes} bytes.`);
}

function toHeaders(raw: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  return headers;
}

/** The code of a socket error, of the first of several addresses that failed, or undici's own. Read by shape: errors of other realms are no `Error` here. */
function codeOf(error: unknown): string {
  const { code, errors, cause, name } = membersOf(error);
  if (typeof code === 'string' && code !== '') return code;
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  if (cause !== undefined) return codeOf(cause);
  return typeof name === 'string' ? name : 'unknown';
}

function messageOf(error: unknown): string {
  const { message } = membersOf(error);
  return typeof message === 'string' && message !== '' ? message : codeOf(error);
}

function membersOf(error: unknown): {
  code?: unknown;
  errors?: unknown;
  cause?: unknown;
  name?: unknown;
  message?: unknown;
} {
  return typeof error === 'object' && error !== null ? error : {};
}
