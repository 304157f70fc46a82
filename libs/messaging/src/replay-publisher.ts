import { type BusMessage, RetryableError } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import kafkajs from 'kafkajs';
import { kafkaClient, type KafkaPlace } from './kafka-client.ts';
import { kafkaRefusal } from './kafka-refusal.ts';

const { Partitioners } = kafkajs;

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
export async function openReplayPublisher(
  options: KafkaPlace & { readonly topic: string; readonly logger: Logger },
): Promise<ReplayPublisher> {
  const { topic } = options;
  const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 };
  const kafka = kafkaClient({ ...options, clientId: 'latch-replay', retry });
  await assertTopic(kafka, options);
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  const refusalOf = (error: unknown): string | undefined =>
    kafkaRefusal(error, options, { right: 'Write', topics: [topic] });
  try {
    await producer.connect();
  } catch (error) {
    throw new Error(refusalOf(error) ?? 'Kafka does not accept messages', { cause: error });
  }
  return {
    topic,
    publish: async (messages) => {
      const sent = messages.map(({ key, value, headers }) => ({ key, value, headers }));
      try {
        if (sent.length > 0) await producer.send({ topic, acks: -1, messages: sent });
      } catch (error) {
        throw new RetryableError(refusalOf(error) ?? 'Kafka does not accept messages.', { cause: error });
      }
    },
    close: () => producer.disconnect(),
  };
}

async function assertTopic(kafka: kafkajs.Kafka, place: KafkaPlace & { readonly topic: string }): Promise<void> {
  const { brokers, topic } = place;
  const admin = kafka.admin();
  try {
    await admin.connect();
  } catch (error) {
    const refusal = kafkaRefusal(error, place, { right: 'Describe', topics: [topic] });
    throw new Error(refusal ?? `Kafka does not answer on ${brokers.join(', ')}`, { cause: error });
  }
  try {
    const names = await admin.listTopics();
    if (!names.includes(topic)) throw new Error(`there is no topic ${topic} that we may see; make it first`);
  } finally {
    await admin.disconnect();
  }
}
