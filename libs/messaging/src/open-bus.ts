import { type Logger } from '@latch/observability';
import { type Bus } from './bus.ts';
import { KafkaBus } from './kafka-bus.ts';
import { MemoryBus } from './memory-bus.ts';

/** The settings of `commonSettings` (libs/config) that say which bus to open, and who opens it. */
export type BusSettings = {
  readonly LATCH_BUS: 'kafka' | 'memory';
  readonly KAFKA_BROKERS: readonly string[];
  readonly LATCH_TOPIC_PREFIX: string;
  readonly LATCH_TOPIC_PARTITIONS: number;
};

/**
 * Opens the bus that the settings name and makes its topics.
 *
 * @param service the client id that Kafka's own logs and quotas see.
 * @throws RetryableError when Kafka does not answer.
 */
export async function openBus(
  settings: BusSettings,
  { service, logger }: { readonly service: string; readonly logger: Logger },
): Promise<Bus> {
  const partitions = settings.LATCH_TOPIC_PARTITIONS;
  if (settings.LATCH_BUS === 'memory') return new MemoryBus({ partitions, logger });
  const bus = new KafkaBus({
    brokers: settings.KAFKA_BROKERS,
    clientId: `latch-${service}`,
    topicPrefix: settings.LATCH_TOPIC_PREFIX,
    partitions,
    logger,
  });
  await bus.ensureTopics();
  return bus;
}
