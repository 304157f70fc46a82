import { type IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { type TraceContext, traceContextOf } from '@latch/observability';

/** What names one HTTP request in logs, answers and the messages that it causes. */
export type RequestContext = TraceContext & {
  /** The caller's `x-request-id`, or one of our own. */
  readonly requestId: string;
};

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** The context of a request; the same for every call with the same request. */
export function contextOf(request: IncomingMessage): RequestContext {
  const known = contexts.get(request);
  if (known) return known;
  const context = {
    ...traceContextOf(headerOf(request, 'traceparent')),
    requestId: requestIdOf(headerOf(request, 'x-request-id')),
  };
  contexts.set(request, context);
  return context;
}

/** A header as one string; Node joins most repeated ones itself. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  return [request.headers[name] ?? []].flat()[0];
}

/** A caller's id is echoed into headers and logs, so it must be short and visible. */
function requestIdOf(header: string | undefined): string {
  return header !== undefined && /^[\x21-\x7e]{1,200}$/.test(header) ? header : uuidv7();
}
