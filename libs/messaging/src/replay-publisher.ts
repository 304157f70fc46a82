import { type BusMessage, RetryableError } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import kafkajs from 'kafkajs';
import { kafkaLogCreator } from './kafka-log.ts';

const { Kafka, Partitioners } = kafkajs;

/** Publishes what a replay emits again, to one topic of any name. */
export type ReplayPublisher = {
  readonly topic: string;
  /** Sends messages, in order per key. @throws RetryableError when Kafka does not accept them; some may have been accepted. */
  publish(messages: readonly BusMessage[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens a publisher for one topic of a Kafka.
 *
 * @param topic its whole name, with the deployment's prefix.
 * @throws Error when no broker answers, or there is no such topic: a replay makes none.
 */
export async function openReplayPublisher(options: {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly logger: Logger;
}): Promise<ReplayPublisher> {
  const { brokers, topic, logger } = options;
  const kafka = new Kafka({
    clientId: 'latch-replay',
    brokers: [...brokers],
    logCreator: kafkaLogCreator(logger),
    connectionTimeout: 3_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
  });
  await assertTopic(kafka, topic, brokers);
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  return {
    topic,
    publish: async (messages) => {
      const sent = messages.map(({ key, value, headers }) => ({ key, value, headers }));
      try {
        if (sent.length > 0) await producer.send({ topic, acks: -1, messages: sent });
      } catch (error) {
        throw new RetryableError('Kafka does not accept messages.', { cause: error });
      }
    },
    close: () => producer.disconnect(),
  };
}

async function assertTopic(kafka: kafkajs.Kafka, topic: string, brokers: readonly string[]): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
  } catch (error) {
    throw new Error(`Kafka does not answer on ${brokers.join(', ')}`, { cause: error });
  }
  try {
    const names = await admin.listTopics();
    if (!names.includes(topic)) throw new Error(`there is no topic ${topic}; make it first`);
  } finally {
    await admin.disconnect();
  }
}
