import { type Logger } from '@latch/observability';
import { type KafkaSecuritySettings, kafkaSecurityOf, type KeyRing, personalDataOf } from '@latch/config';
import { type Bus } from './bus.ts';
import { KafkaBus } from './kafka-bus.ts';
import { MemoryBus } from './memory-bus.ts';
import { sealLetters } from './seal-letters.ts';
import { signRecords } from './sign-records.ts';

/** The settings of `commonSettings` (libs/config) that say which bus to open, and who opens it. */
export type BusSettings = KafkaSecuritySettings & {
  readonly LATCH_BUS: 'kafka' | 'memory';
  readonly KAFKA_BROKERS: readonly string[];
  readonly LATCH_TOPIC_PREFIX: string;
  readonly LATCH_TOPIC_PARTITIONS: number;
  /** Whether the original bytes of dead letters are sealed. */
  readonly LATCH_PERSONAL_DATA: 'sealed' | 'clear';
  readonly LATCH_DATA_KEY?: KeyRing | undefined;
  /** Whether what is published is signed, and what is consumed verified. */
  readonly LATCH_BUS_KEY?: KeyRing | undefined;
  /** @default 'refuse' */
  readonly LATCH_BUS_UNSIGNED?: 'refuse' | 'accept' | undefined;
};

/**
 * Opens the bus that the settings name and makes its topics. Dead letters are sealed on it where personal data is, and all messages are signed where
 * there is a key for it.
 *
 * @param service the client id that Kafka's own logs and quotas see.
 * @throws RetryableError when Kafka does not answer; Error when personal data is to be sealed and there is no key.
 */
export async function openBus(settings: BusSettings, by: Opener): Promise<Bus> {
  const personalData = personalDataOf(settings);
  const bus = signedBus(await openPlainBus(settings, by), settings);
  return personalData === 'clear' ? bus : sealLetters(bus, personalData);
}

function signedBus(bus: Bus, { LATCH_BUS_KEY: keys, LATCH_BUS_UNSIGNED: unsigned = 'refuse' }: BusSettings): Bus {
  return keys === undefined ? bus : signRecords(bus, { keys, unsigned });
}

type Opener = { readonly service: string; readonly logger: Logger };

async function openPlainBus(settings: BusSettings, { service, logger }: Opener): Promise<Bus> {
  const partitions = settings.LATCH_TOPIC_PARTITIONS;
  if (settings.LATCH_BUS === 'memory') return new MemoryBus({ partitions, logger });
  const bus = new KafkaBus({
    brokers: settings.KAFKA_BROKERS,
    security: kafkaSecurityOf(settings),
    clientId: `latch-${service}`,
    topicPrefix: settings.LATCH_TOPIC_PREFIX,
    partitions,
    logger,
  });
  try {
    await bus.ensureTopics();
    return bus;
  } catch (error) {
    await bus.close();
    throw error;
  }
}
