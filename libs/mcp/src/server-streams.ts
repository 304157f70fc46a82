import { setTimeout as sleep } from 'node:timers/promises';
import { answerObserver, bystander } from './answer-observer.ts';
import { type CallScope } from './call-scope.ts';
import { type FetchTarget } from './guarded-fetch.ts';
import { exchange, type ExchangeObserver } from './http-exchange.ts';

/** A `GET` for a stream of events. */
export type StreamRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
};

/** Between two streams of one session, whatever the server says to `retry`: a server that ends each at once must not keep us busy. */
const pauseMs = { resume: 100, listen: 1_000 } as const;
/** A stream of the server's own messages that is silent for so long is opened anew: its other end may be gone. */
const listenIdleMs = 600_000;
const maxFailures = 3;

/**
 * Opens the streams that a session gets with `GET`: the rest of an answer whose stream broke off after an event with an id (MCP, "Resumability"), which
 * belongs to its call and to its deadline; and the stream of the server's own messages, where the session is to listen.
 */
export function serverStreams(
  target: FetchTarget,
): (request: StreamRequest, scope: CallScope | undefined) => Promise<Response> {
  let openedAt = -Infinity;
  return async (request, scope) => {
    const isRest = scope !== undefined && scope.resumption !== null && !scope.isOver;
    if (!isRest && !target.mayListen()) return new Response(null, { status: 405 });
    const waitMs = openedAt + (isRest ? pauseMs.resume : pauseMs.listen) - performance.now();
    openedAt = performance.now() + Math.max(0, waitMs);
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
    return isRest ? resume(target, request, scope) : listen(target, request);
  };
}

async function resume(target: FetchTarget, request: StreamRequest, scope: CallScope): Promise<Response> {
  const { resumption } = scope;
  const answer = resumption === null ? bystander : answerObserver(scope, resumption.requestId);
  try {
    return await exchange({
      ...{ dispatcher: target.dispatcher, url: request.url, method: 'GET', headers: request.headers, body: null },
      ...{ signals: signalsOf(request, scope.signal), limits: target.limits, observer: refusalEnds(answer, scope) },
    });
  } catch (error) {
    if (resumption !== null && (resumption.failures += 1) > maxFailures) failInterrupted(scope, 'no connection');
    throw error;
  }
}

/** A server that does not give the rest will not give it the next time either. A connection that fails may well come back. */
function refusalEnds(observer: ExchangeObserver, scope: CallScope): ExchangeObserver {
  let isStream = false;
  return {
    onSent: () => {},
    onStatus(status, headers) {
      isStream = status === 200;
      if (isStream) observer.onStatus(status, headers);
      else failInterrupted(scope, `HTTP ${status}`);
    },
    onData: (chunk) => observer.onData(chunk),
    onEnd: (error) => isStream && observer.onEnd(error),
  };
}

function failInterrupted(scope: CallScope, why: string): void {
  const message = `The answer broke off, and the rest of it was not to be had: ${why}.`;
  scope.fail({ kind: 'transport_error', code: 'stream_ended', message, sent: true });
}

function listen(target: FetchTarget, request: StreamRequest): Promise<Response> {
  return exchange({
    ...{ dispatcher: target.dispatcher, url: request.url, method: 'GET', headers: request.headers, body: null },
    ...{ signals: signalsOf(request), limits: { ...target.limits, idleTimeoutMs: listenIdleMs }, observer: bystander },
  });
}

function signalsOf({ signal }: StreamRequest, ...own: readonly AbortSignal[]): readonly AbortSignal[] {
  return signal === undefined ? own : [signal, ...own];
}
