import { type EventStore } from '@latch/event-store';
import { type Logger, type Metrics } from '@latch/observability';

/** What measuring needs. */
export type MeasureParts = {
  readonly store: Pick<EventStore, 'countOpenTransactions'>;
  readonly metrics: Pick<Metrics, 'transactionsActive'>;
  readonly logger: Logger;
  /** Between two looks, in milliseconds. @default 30_000 */
  readonly everyMs?: number;
};

/** The statuses of a transaction that has not ended. */
const openStatuses = [
  'COLLECTING_PARAMETERS',
  'PRE_VALIDATION',
  'AWAITING_CONFIRMATION',
  'EXECUTING',
  'OUTCOME_UNKNOWN',
  'INTERRUPTED',
] as const;

/**
 * Sets `latch_transactions_active` from the store, now and then: how many transactions are open, of all replicas and tenants. Every replica tells the same
 * number, so the maximum counts and not the sum.
 *
 * @returns a function that stops it and waits for the look that is running.
 */
export function startMeasuringTransactions(parts: MeasureParts): () => Promise<void> {
  const measure = async (): Promise<void> => {
    try {
      const open = await parts.store.countOpenTransactions();
      for (const status of openStatuses) parts.metrics.transactionsActive.set({ status }, open.get(status) ?? 0);
    } catch (error) {
      parts.logger.warn('transactions.not_measured', { error });
    }
  };
  let running = measure();
  const timer = setInterval(() => {
    running = running.then(measure);
  }, parts.everyMs ?? 30_000);
  return () => {
    clearInterval(timer);
    return running;
  };
}
