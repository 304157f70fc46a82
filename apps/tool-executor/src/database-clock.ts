import { type EventStore } from '@latch/event-store';

/**
 * The database's clock without a round trip per look: approvals expire by it (invariant I4), on whichever machine the executor runs. It is set again with
 * every batch and every sweep; between two settings this machine's clock only measures how much time has passed.
 */
export class DatabaseClock {
  private databaseMs = 0;
  private setAtMs = 0;

  constructor(private readonly store: Pick<EventStore, 'now'>) {}

  /** Asks the database. @throws RetryableError when it does not answer. */
  async set(): Promise<void> {
    const before = performance.now();
    const now = Date.parse(await this.store.now());
    this.setAtMs = (before + performance.now()) / 2;
    this.databaseMs = now;
  }

  /** UTC, ISO-8601, with milliseconds. */
  now(): string {
    return new Date(this.databaseMs + performance.now() - this.setAtMs).toISOString();
  }
}
