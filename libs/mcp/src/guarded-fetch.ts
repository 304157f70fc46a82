import { type FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Dispatcher } from 'undici';
import { type CallScope, currentScope } from './call-scope.ts';
import { exchange, ExchangeError, type ExchangeLimits, type ExchangeObserver } from './http-exchange.ts';
import { idempotencyHeader } from './mcp-call.ts';

/** One server, as its fetch may reach it. */
export type FetchTarget = {
  readonly url: URL;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly limits: ExchangeLimits;
};

/** Budget of a message that belongs to no call: a cancellation, the end of a session. */
const housekeepingMs = 2_000;
/** How long the SDK may take to hand over an answer whose last byte has come. */
const handOverMs = 100;

/**
 * The fetch of a session's transport (DESIGN section 6). It reaches the configured origin only, and tells the call that it works for what happens on the
 * wire. The optional stream of the server's own messages (`GET`) is not opened: answers and progress come on the stream of their request.
 */
export function guardedFetch(target: FetchTarget): FetchLike {
  return async (input, init = {}) => {
    const scope = currentScope.getStore();
    const url = new URL(input);
    if (url.origin !== target.url.origin) throw refuseOrigin(url, scope);
    if ((init.method ?? 'GET') === 'GET') return new Response(null, { status: 405 });
    const body = typeof init.body === 'string' ? init.body : null;
    const call = scope !== undefined && isForCall(body) ? scope : undefined;
    return exchange({
      dispatcher: target.dispatcher,
      url,
      method: init.method === 'DELETE' ? 'DELETE' : 'POST',
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...call?.headers },
      body,
      signals: signalsOf(init.signal, call),
      limits: target.limits,
      observer: call === undefined ? bystander : observerOf(call),
    });
  };
}

/** The key as a header, for servers and gateways that look for it there. */
export function callHeaders(idempotencyKey: string | undefined): Readonly<Record<string, string>> {
  return idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey };
}

/** The two requests that a scope waits for; notifications go their own way and outlive an aborted call. */
function isForCall(body: string | null): boolean {
  return body !== null && (methodOf(body) === 'tools/call' || methodOf(body) === 'initialize');
}

function methodOf(body: string): string | null {
  return /^\{"method":"([a-z/]{1,40})"/.exec(body)?.[1] ?? null;
}

function signalsOf(transport: AbortSignal | null | undefined, call: CallScope | undefined): readonly AbortSignal[] {
  const own = call === undefined ? AbortSignal.timeout(housekeepingMs) : call.signal;
  return transport === null || transport === undefined ? [own] : [transport, own];
}

const bystander: ExchangeObserver = { onSent: () => {}, onStatus: () => {}, onEnd: () => {} };

function observerOf(scope: CallScope): ExchangeObserver {
  let isStream = false;
  let isRefusal = false;
  return {
    onSent() {
      scope.isSent = true;
    },
    onStatus(status, headers) {
      isRefusal = status < 200 || status > 299;
      isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
      if (isRefusal) scope.refusal = { status, retryAfter: headers.get('retry-after') };
    },
    onEnd(error) {
      if (error !== null)
        scope.fail({ kind: 'transport_error', code: error.code, message: error.message, sent: scope.isSent });
      else if (!isRefusal) setTimeout(() => scope.fail(unanswered(isStream)), handOverMs).unref();
    },
  };
}

/** The body ended in good order, and no answer to this request was in it. */
function unanswered(isStream: boolean): Parameters<CallScope['fail']>[0] {
  const message = 'The server ended its answer without a result of this call.';
  return { kind: 'transport_error', code: isStream ? 'stream_ended' : 'result_unreadable', message, sent: true };
}

function refuseOrigin(url: URL, scope: CallScope | undefined): ExchangeError {
  const error = new ExchangeError('origin_not_allowed', `${url.origin} is not the configured address of the server.`);
  scope?.fail({ kind: 'transport_error', code: error.code, message: error.message, sent: false });
  return error;
}
