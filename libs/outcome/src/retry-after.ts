/** A wait longer than this is not a wait inside a conversation; it is passed on as this. */
const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/**
 * Reads a `Retry-After` value (RFC 9110 section 10.2.3): seconds, or an HTTP date, which needs to know the time.
 *
 * @param now the instant at which the answer arrived, ISO-8601; without it a date cannot be read.
 * @returns milliseconds from 0 to one day, or undefined when there is nothing readable.
 */
export function retryAfterMs(value: string | null | undefined, now?: string | null): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return bounded(Number(text) * 1000);
  const at = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  const from = now === null || now === undefined ? Number.NaN : Date.parse(now);
  return Number.isNaN(at) || Number.isNaN(from) ? undefined : bounded(at - from);
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), maxRetryAfterMs);
}
