import { type FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Dispatcher } from 'undici';
import { idempotencyHeader } from '@latch/contracts';
import { answerObserver, bystander } from './answer-observer.ts';
import { type CallScope, currentScope } from './call-scope.ts';
import { exchange, ExchangeError, type ExchangeLimits } from './http-exchange.ts';
import { serverStreams } from './server-streams.ts';

/** One server, as its fetch may reach it. */
export type FetchTarget = {
  readonly url: URL;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly limits: ExchangeLimits;
  /** Whether this session is to listen to the server's own messages, such as `notifications/tools/list_changed`. */
  readonly mayListen: () => boolean;
};

/** Budget of a message that belongs to no call: a cancellation, the end of a session. */
const housekeepingMs = 2_000;

/**
 * The fetch of a session's transport (DESIGN section 6). It reaches the configured origin only, and tells the call that it works for what happens on the
 * wire.
 */
export function guardedFetch(target: FetchTarget): FetchLike {
  const openStream = serverStreams(target);
  return async (input, init = {}) => {
    const scope = currentScope.getStore();
    const url = new URL(input);
    if (url.origin !== target.url.origin) throw refuseOrigin(url, scope);
    const headers = Object.fromEntries(new Headers(init.headers));
    if ((init.method ?? 'GET') === 'GET') return openStream({ url, headers, signal: init.signal ?? undefined }, scope);
    const body = typeof init.body === 'string' ? init.body : null;
    const call = callOf(scope, body);
    return exchange({
      dispatcher: target.dispatcher,
      url,
      method: init.method === 'DELETE' ? 'DELETE' : 'POST',
      headers: { ...headers, ...call?.headers },
      body,
      signals: signalsOf(init.signal, call),
      limits: target.limits,
      observer: call === undefined || body === null ? bystander : answerObserver(call, idOf(body)),
    });
  };
}

/** The key as a header, for servers and gateways that look for it there. */
export function callHeaders(idempotencyKey: string | undefined): Readonly<Record<string, string>> {
  return idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey };
}

/** The call that a message belongs to; none for notifications, which go their own way and outlive an aborted call. */
function callOf(scope: CallScope | undefined, body: string | null): CallScope | undefined {
  if (scope === undefined || body === null) return undefined;
  return ['tools/call', 'tools/list', 'initialize'].includes(methodOf(body)) ? scope : undefined;
}

function methodOf(body: string): string {
  return /^\{"method":"([a-z/]{1,40})"/.exec(body)?.[1] ?? '';
}

/** The SDK writes the id of a request last. */
function idOf(body: string): number {
  return Number(/"jsonrpc":"2\.0","id":(\d{1,16})\}$/.exec(body)?.[1]);
}

function signalsOf(transport: AbortSignal | null | undefined, call: CallScope | undefined): readonly AbortSignal[] {
  const own = call === undefined ? AbortSignal.timeout(housekeepingMs) : call.signal;
  return transport === null || transport === undefined ? [own] : [transport, own];
}

function refuseOrigin(url: URL, scope: CallScope | undefined): ExchangeError {
  const error = new ExchangeError('origin_not_allowed', `${url.origin} is not the configured address of the server.`);
  scope?.fail({ kind: 'transport_error', code: error.code, message: error.message, sent: false });
  return error;
}
