import { type EventStore } from '@latch/event-store';

/** For so long no machine's clock drifts by what would matter. */
const keptMs = 1_000;

/**
 * The database's clock without a round trip per look: approvals expire by it (invariant I4), on whichever machine the executor runs. It is set again with
 * batches and sweeps, at most once a second; between two settings this machine's monotonic clock only measures how much time has passed.
 */
export class DatabaseClock {
  /** Until it is set, this machine's time: something is told of a server before the first batch. */
  private databaseMs = Date.now();
  private setAtMs = performance.now();
  private isSet = false;

  constructor(private readonly store: Pick<EventStore, 'now'>) {}

  /** Asks the database, unless it was asked just now. @throws RetryableError when it does not answer. */
  async set(): Promise<void> {
    if (this.isSet && performance.now() - this.setAtMs < keptMs) return;
    const before = performance.now();
    const now = Date.parse(await this.store.now());
    this.setAtMs = (before + performance.now()) / 2;
    this.databaseMs = now;
    this.isSet = true;
  }

  /** UTC, ISO-8601, with milliseconds. */
  now(): string {
    return new Date(this.databaseMs + performance.now() - this.setAtMs).toISOString();
  }
}
