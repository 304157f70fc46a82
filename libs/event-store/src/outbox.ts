import { type BusMessage } from '@latch/contracts';

/** What a crash left unpublished, for the relay of one producer. */
export type OutboxReader = {
  /** Messages older than `olderThanMs`, oldest first and so in order per conversation, at most `limit`. */
  readPending(request: { readonly olderThanMs: number; readonly limit: number }): Promise<BusMessage[]>;
  /** Deletes messages that have reached the bus. */
  markPublished(eventIds: readonly string[]): Promise<void>;
  /** How much waits, and for how long the oldest: the metrics `latch_outbox_pending` and `latch_outbox_oldest_age_seconds`. */
  measure(): Promise<{ readonly pending: number; readonly oldestAgeSeconds: number }>;
};
