import { type EventStore } from '@latch/event-store';
import { type Logger, type Metrics, repeat } from '@latch/observability';

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
  const { store, metrics, logger } = parts;
  const round = async (): Promise<void> => {
    const open = await store.countOpenTransactions();
    for (const status of openStatuses) metrics.transactionsActive.set({ status }, open.get(status) ?? 0);
  };
  const onError = (error: unknown): void => logger.warn('transactions.not_measured', { error });
  return repeat({ round, everyMs: parts.everyMs ?? 30_000, onError });
}
