const mostKeys = 10_000;
const longestMs = 5 * 60_000;

/**
 * Unwrapped keys by their wrapped text, so that a key is unwrapped once and not at each use. Bounded in number and in time: a destroyed key, whose wrapped text
 * nobody can bring any more, leaves the memory too.
 */
export class KeyCache {
  private readonly entries = new Map<string, { readonly key: Buffer; readonly until: number }>();

  constructor(private readonly nowMs: () => number = Date.now) {}

  /** The key of a wrapped text, when it was unwrapped a short while ago. */
  get(wrapped: string): Buffer | undefined {
    const entry = this.entries.get(wrapped);
    if (entry === undefined) return undefined;
    if (entry.until > this.nowMs()) return entry.key;
    this.entries.delete(wrapped);
    return undefined;
  }

  /** Remembers a key; the ones that were put in first make room, and those whose time is over go. */
  set(wrapped: string, key: Buffer): void {
    const now = this.nowMs();
    for (const [oldest, { until }] of this.entries) {
      if (this.entries.size < mostKeys && until > now) break;
      this.entries.delete(oldest);
    }
    this.entries.set(wrapped, { key, until: now + longestMs });
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.entries.size;
  }
}
