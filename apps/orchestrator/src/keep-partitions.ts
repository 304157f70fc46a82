import { type EventStore } from '@latch/event-store';
import { type Logger, type Metrics, repeat } from '@latch/observability';

/** What keeping partitions needs. */
export type PartitionParts = {
  readonly store: Pick<EventStore, 'keepPartitions'>;
  readonly metrics: Pick<Metrics, 'eventsOutsidePartitions'>;
  readonly logger: Logger;
  /** Between two rounds, in milliseconds. @default 3_600_000 */
  readonly everyMs?: number;
};

/** So many months can pass without this job before an event lies outside. */
const monthsAhead = 3;

/**
 * Makes the monthly partitions of events ahead of time, now and every hour; any number of replicas may. An event that found no month of its own is stored all the
 * same, in the default partition, and told by `latch_events_outside_partitions`.
 *
 * @returns a function that stops it and waits for the round that is running.
 */
export function startKeepingPartitions(parts: PartitionParts): () => Promise<void> {
  const { store, metrics, logger } = parts;
  const round = async (): Promise<void> => {
    const { made, hasEventsOutside } = await store.keepPartitions({ monthsAhead });
    metrics.eventsOutsidePartitions.set({}, hasEventsOutside ? 1 : 0);
    if (made.length > 0) logger.info('partitions.made', { partitions: made });
    if (hasEventsOutside) logger.error('events.outside_partitions', { partition: 'events_default' });
  };
  const onError = (error: unknown): void => logger.warn('partitions.not_made', { error });
  return repeat({ round, everyMs: parts.everyMs ?? 3_600_000, onError });
}
