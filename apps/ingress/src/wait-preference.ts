/** Bounds of `Prefer: wait=SECONDS` (DESIGN section 10). */
export const maxWaitSeconds = 120;

/**
 * How long a caller wants to wait for the answer (RFC 7240). `respond-async` alone does not wait at all. A preference that is not understood is
 * ignored, as the specification asks; a longer wait than 120 seconds is cut.
 */
export function waitSecondsOf(prefer: string | readonly string[] | undefined, byDefault: number): number {
  const preferences = [prefer ?? []].flat().join(',').toLowerCase();
  const wait = /(?:^|[,;])\s{0,5}wait\s{0,5}=\s{0,5}"?(\d{1,9})"?\s{0,5}(?=[,;]|$)/.exec(preferences)?.[1];
  if (wait !== undefined) return Math.min(Number(wait), maxWaitSeconds);
  return /(?:^|[,;])\s{0,5}respond-async\s{0,5}(?=[,;]|$)/.test(preferences) ? 0 : byDefault;
}
