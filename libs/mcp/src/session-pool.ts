import { failure, type RawOutcome, type Result } from '@latch/contracts';
import { type SessionOwner } from './mcp-call.ts';
import { type Session } from './session.ts';

/** How many sessions are kept, and for how long. */
export type SessionPoolLimits = {
  /** A session without a call for this long is ended. */
  readonly idleMs: number;
  /** Beyond this many, the one that was idle for longest is ended first. */
  readonly maxSessions: number;
  /** Whether there are never more than that, also when all of them are in use. */
  readonly isHard?: boolean;
};

/** One call's share in a session. `giveBack` is due exactly once, whether the session opened or not. */
export type SessionLease = {
  readonly session: Promise<Result<Session, RawOutcome>>;
  /** The session is no good any more: nobody gets it, and it is ended when its other calls have ended by themselves. */
  drop(): void;
  giveBack(): void;
};

type Slot = {
  readonly opening: Promise<Result<Session, RawOutcome>>;
  calls: number;
  lastUsedAt: number;
  isDropped: boolean;
};

/**
 * The open sessions, one per (server, tenant, principal). Calls of one owner share theirs; no two owners ever do. Whoever takes a session gives it back;
 * a session that the server no longer knows is dropped, and the next taker opens a new one.
 */
export class SessionPool {
  private readonly slots = new Map<string, Slot>();
  private readonly sweep: NodeJS.Timeout;

  constructor(
    private readonly open: (owner: SessionOwner) => Promise<Result<Session, RawOutcome>>,
    private readonly limits: SessionPoolLimits,
  ) {
    this.sweep = setInterval(() => this.evictIdle(limits.idleMs), Math.min(limits.idleMs, 30_000)).unref();
  }

  /**
   * Lends the owner's session, opened when there is none. A failure to open is not kept: the next call tries again. The lease is of this session, whatever
   * becomes of it: when the owner's next call opens another one, this lease says nothing about that.
   */
  take(owner: SessionOwner): SessionLease {
    const key = keyOf(owner);
    const slot = this.slots.get(key) ?? this.start(key, owner);
    slot.calls += 1;
    return {
      session: slot.opening,
      drop: () => {
        slot.isDropped = true;
        this.forget(key, slot);
      },
      giveBack() {
        slot.calls -= 1;
        slot.lastUsedAt = Date.now();
        if (slot.isDropped && slot.calls === 0) void end(slot);
      },
    };
  }

  /** How many sessions are open or opening. */
  get size(): number {
    return this.slots.size;
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    clearInterval(this.sweep);
    const slots = [...this.slots.values()];
    this.slots.clear();
    await Promise.all(slots.map(end));
  }

  private start(key: string, owner: SessionOwner): Slot {
    if (this.slots.size >= this.limits.maxSessions) this.evictOldest();
    const isFull = this.limits.isHard === true && this.slots.size >= this.limits.maxSessions;
    const opening = isFull ? Promise.resolve(failure(tooMany)) : this.open(owner);
    const slot = { opening, calls: 0, lastUsedAt: Date.now(), isDropped: false };
    this.slots.set(key, slot);
    void this.forgetAtEnd(key, slot);
    return slot;
  }

  private async forgetAtEnd(key: string, slot: Slot): Promise<void> {
    const opened = await slot.opening;
    if (opened.ok) await opened.value.ended;
    this.forget(key, slot);
  }

  private evictIdle(idleMs: number): void {
    const before = Date.now() - idleMs;
    for (const [key, slot] of this.slots) if (slot.calls === 0 && slot.lastUsedAt <= before) this.evict(key, slot);
  }

  private evictOldest(): void {
    const idle = [...this.slots].filter(([, slot]) => slot.calls === 0);
    const [oldest] = idle.sort(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt);
    if (oldest !== undefined) this.evict(...oldest);
  }

  private evict(key: string, slot: Slot): void {
    this.forget(key, slot);
    void end(slot);
  }

  private forget(key: string, slot: Slot): void {
    if (this.slots.get(key) === slot) this.slots.delete(key);
  }
}

const tooMany: RawOutcome = {
  kind: 'transport_error',
  code: 'too_many_sessions',
  message: 'Too many sessions are in use; none could be opened.',
  sent: false,
};

/** The parts cannot run into each other: no tenant can be spelled so that it gets another one's session. */
function keyOf({ server, tenant, principal }: SessionOwner): string {
  return JSON.stringify([server, tenant, principal]);
}

async function end({ opening }: Slot): Promise<void> {
  const opened = await opening;
  if (opened.ok) await opened.value.close();
}
