import { randomBytes } from 'node:crypto';

/** Where a request stands in its distributed trace (W3C Trace Context, level 1). */
export type TraceContext = {
  /** 32 hex digits. */
  readonly traceId: string;
  /** What goes on with the message: the caller's trace, and a span of our own. */
  readonly traceparent: string;
};

/**
 * Continues the caller's trace, or begins one when `traceparent` is missing or invalid. A version after 00 is read as far as 00 goes, as the
 * specification asks.
 */
export function traceContextOf(header: string | undefined): TraceContext {
  const match = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header?.trim() ?? '');
  const [, version, traceId = '', parentId = '', flags = '', rest] = match ?? [];
  const isValid = !/^0*$/.test(traceId) && !/^0*$/.test(parentId) && !(version === '00' && rest !== undefined);
  return isValid ? contextOf(traceId, flags) : contextOf(randomBytes(16).toString('hex'), '01');
}

function contextOf(traceId: string, flags: string): TraceContext {
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
}
