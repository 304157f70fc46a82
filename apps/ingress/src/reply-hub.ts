/** What a caller waits for: the turn, and the body that it sent. Another body under the same message id is another caller's business. */
export type Awaited = { readonly turnId: string; readonly bodyDigest: string };

/** What arrived on the bus for a turn. A reply without a digest is for every caller of the turn. */
export type Reply = { readonly turnId: string; readonly bodyDigest: string | undefined } & ReplyOutcome;

type ReplyOutcome =
  /** The ChannelResponse exactly as the engine wrote it: a repeat must give the same bytes. */
  { readonly kind: 'answered'; readonly response: Readonly<Record<string, unknown>> } | { readonly kind: 'conflict' };

/** How a wait ended: with the reply, or without it because the time was over, the service stops, or the caller went away. */
export type WaitOutcome =
  ReplyOutcome | { readonly kind: 'late' } | { readonly kind: 'draining' } | { readonly kind: 'gone' };

/** Told what servers say of the calls that run in a conversation. It must not keep what its caller does not take. */
export type ProgressWatch = {
  readonly conversationKey: string;
  tell(progress: Readonly<Record<string, unknown>>): void;
};

/** How a caller waits. */
export type Wait = { readonly timeoutMs: number; readonly signal: AbortSignal; readonly progress?: ProgressWatch };

type Waiter = Awaited & { finish(outcome: WaitOutcome): void };

/**
 * Holds the callers of this instance until the reply to their turn arrives. Nothing is kept for a caller who does not wait: a reply that nobody waits
 * for is read from the store later.
 */
export class ReplyHub {
  private readonly waiters = new Map<string, Set<Waiter>>();
  private readonly watches = new Map<string, Set<ProgressWatch>>();
  private count = 0;
  private isDraining = false;

  constructor(private readonly limits: { readonly maxWaiters: number }) {}

  /** Callers that wait now. */
  get size(): number {
    return this.count;
  }

  /**
   * Registers a caller, at once: call it before the turn is published, or the reply may come first. Aborting `signal` frees the place.
   *
   * @returns the promise of the outcome, or undefined when no place is free.
   */
  wait(awaited: Awaited, of: Wait): Promise<WaitOutcome> | undefined {
    if (this.count >= this.limits.maxWaiters) return undefined;
    if (this.isDraining) return Promise.resolve({ kind: 'draining' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.finish({ kind: 'late' }), of.timeoutMs);
      const leave = (): void => waiter.finish({ kind: 'gone' });
      const waiter: Waiter = {
        ...awaited,
        finish: (outcome) => {
          clearTimeout(timer);
          of.signal.removeEventListener('abort', leave);
          this.remove(waiter);
          this.unwatch(of.progress);
          resolve(outcome);
        },
      };
      this.add(waiter);
      this.watch(of.progress);
      of.signal.addEventListener('abort', leave);
      if (of.signal.aborted) leave();
    });
  }

  /** Hands a reply to the callers that wait for it. */
  deliver({ turnId, bodyDigest, ...outcome }: Reply): void {
    for (const waiter of [...(this.waiters.get(turnId) ?? [])]) {
      if (bodyDigest === undefined || bodyDigest === waiter.bodyDigest) waiter.finish(outcome);
    }
  }

  /** Whether anybody here would hear of progress in this conversation. */
  isWatched(conversationKey: string): boolean {
    return this.watches.has(conversationKey);
  }

  /** Hands what a server says of a running call to those who wait in its conversation; it is kept for nobody. */
  tellProgress(conversationKey: string, progress: Readonly<Record<string, unknown>>): void {
    for (const watch of this.watches.get(conversationKey) ?? []) watch.tell(progress);
  }

  /** Ends every wait, and each new one at once: the service stops, and its callers have to ask elsewhere. */
  drain(): void {
    this.isDraining = true;
    for (const waiter of [...this.waiters.values()].flatMap((waiting) => [...waiting]))
      waiter.finish({ kind: 'draining' });
  }

  private add(waiter: Waiter): void {
    const waiting = this.waiters.get(waiter.turnId) ?? new Set();
    this.waiters.set(waiter.turnId, waiting.add(waiter));
    this.count += 1;
  }

  private watch(progress: ProgressWatch | undefined): void {
    if (progress === undefined) return;
    const watching = this.watches.get(progress.conversationKey) ?? new Set();
    this.watches.set(progress.conversationKey, watching.add(progress));
  }

  private unwatch(progress: ProgressWatch | undefined): void {
    const watching = progress && this.watches.get(progress.conversationKey);
    if (!progress || !watching?.delete(progress)) return;
    if (watching.size === 0) this.watches.delete(progress.conversationKey);
  }

  private remove(waiter: Waiter): void {
    const waiting = this.waiters.get(waiter.turnId);
    if (!waiting?.delete(waiter)) return;
    this.count -= 1;
    if (waiting.size === 0) this.waiters.delete(waiter.turnId);
  }
}
