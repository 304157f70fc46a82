/** The instants that were last worked out: all turns of a batch happen at one instant, and ask for the same few after it. */
const latest = { at: '', after: new Map<number, string>() };

/** `at` plus a number of seconds, in UTC. */
export function secondsAfter(at: string, seconds: number): string {
  if (latest.at !== at) {
    latest.at = at;
    latest.after.clear();
  }
  const known = latest.after.get(seconds);
  if (known !== undefined) return known;
  const instant = new Date(Date.parse(at) + seconds * 1000).toISOString();
  latest.after.set(seconds, instant);
  return instant;
}

/** Whether the instant `deadline` has come at `at`. */
export function isDue(deadline: string, at: string): boolean {
  if (isPlain(deadline) && isPlain(at)) return at >= deadline;
  return Date.parse(at) >= Date.parse(deadline);
}

/** Instants as `toISOString` writes them are in the order of their text. */
function isPlain(instant: string): boolean {
  return instant.length === plainLength && instant.endsWith('Z');
}

const plainLength = '2026-11-30T12:00:00.000Z'.length;
