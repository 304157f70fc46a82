import { type BusMessage, RetryableError, type Topic, topics } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type Admin, type ConsumerConfig, type Kafka as KafkaClient } from 'kafkajs';
import { type Bus, type ConsumeOptions, type Consumption } from './bus.ts';
import { type ConsumerTimes, KafkaConsumption } from './kafka-consumption.ts';
import { kafkaClient, type KafkaPlace } from './kafka-client.ts';
import { KafkaProducer } from './kafka-producer.ts';
import { type Asked, isUnsure, kafkaRefusal, KafkaRefused } from './kafka-refusal.ts';
import { ensureKafkaTopics } from './kafka-topics.ts';
import { unsavedEnds } from './unsaved-ends.ts';
import { PublishQueue } from './publish-queue.ts';
import { untilLeader } from './until-leader.ts';

/** Where Kafka is and how this process uses it. */
export type KafkaBusOptions = KafkaPlace & {
  readonly clientId: string;
  /** Put before every topic and group name. */
  readonly topicPrefix: string;
  /** Of a topic that `ensureTopics` makes. */
  readonly partitions: number;
  readonly logger: Logger;
  /**
   * A member that the coordinator does not hear from for this long loses its partitions: so long do the messages of a killed process wait. Brokers
   * allow no less than 6,000 unless told so. @default 6_000
   */
  readonly sessionTimeoutMs?: number;
  /** A handler without a sign of life for this long is stuck. @default 60_000 */
  readonly stuckAfterMs?: number;
  /** How long a publish is tried before it is given back, as far as Kafka answers at all: see `KafkaProducer`. @default 10_000 */
  readonly giveUpPublishAfterMs?: number;
};

/**
 * The bus over Apache Kafka: acks = all, idempotent producer that batches by itself, one application batch in flight per consumer, offsets saved
 * lazily after the handling.
 *
 * @see docs/adr/0002-real-kafka-from-maven-central.md and docs/adr/0003-one-application-batcher.md
 */
export class KafkaBus implements Bus {
  private readonly kafka: KafkaClient;
  private readonly producer: KafkaProducer;
  private readonly queue: PublishQueue;
  private readonly consumptions = new Set<KafkaConsumption>();
  private state: 'open' | 'closing' | 'closed' = 'open';

  constructor(private readonly options: KafkaBusOptions) {
    this.kafka = kafkaClient({
      ...options,
      // A broker that restarts is tried again at least every second.
      retry: { initialRetryTime: 100, multiplier: 2, maxRetryTime: 1_000, retries: 8 },
    });
    this.producer = new KafkaProducer({
      kafka: this.kafka,
      topicPrefix: options.topicPrefix,
      logger: options.logger,
      giveUpAfterMs: options.giveUpPublishAfterMs ?? 10_000,
      refusalOf: (error, names) => kafkaRefusal(error, options, { right: 'Write', topics: names }),
    });
    this.queue = new PublishQueue({
      send: (messages) => this.producer.send(messages),
      maxSendBytes: 786_432, // below the 1 MiB that an unconfigured topic takes as one batch
      maxWaiting: 100_000,
    });
  }

  async publish(messages: readonly BusMessage[]): Promise<void> {
    if (this.state === 'closed') throw new RetryableError('The bus is closed.');
    await this.queue.add(messages);
  }

  async consume(options: ConsumeOptions): Promise<Consumption> {
    this.assertOpen();
    const groupId = this.options.topicPrefix + options.groupId;
    const names = options.topics.map((topic) => this.nameOf(topic));
    const asked = { right: 'Read', topics: names, group: groupId } as const;
    const { startAt, concurrency } = await this.withAdmin(asked, async (admin) => {
      const metadata = await admin.fetchTopicMetadata({ topics: names });
      return {
        startAt: options.from === 'latest' ? await unsavedEnds(admin, { groupId, topics: names }) : [],
        concurrency: metadata.topics.reduce((sum, topic) => sum + topic.partitions.length, 0),
      };
    });
    const consumption = await KafkaConsumption.start({
      openConsumer: (restartOnFailure) =>
        this.kafka.consumer({ ...this.memberOf(groupId), retry: { retries: 5, restartOnFailure } }),
      options: { ...options, groupId },
      nameOf: (topic) => this.nameOf(topic),
      topicOf: (name) => topicNamed(name.slice(this.options.topicPrefix.length)),
      startAt,
      concurrency,
      times: this.times(),
      refusalOf: (error) => kafkaRefusal(error, this.options, asked),
      logger: this.options.logger.child({ group: groupId }),
    });
    this.consumptions.add(consumption);
    const forgetting = this.forgetting(consumption);
    if (this.state !== 'open') await forgetting.stop(); // the bus was closed while the group was joined
    this.assertOpen();
    return forgetting;
  }

  async ensureTopics(): Promise<void> {
    const { topicPrefix, partitions, logger } = this.options;
    const asked = { right: 'Describe', topics: Object.values(topics).map((topic) => this.nameOf(topic)) } as const;
    await this.withAdmin(asked, (admin) =>
      ensureKafkaTopics(admin, {
        ...{ topicPrefix, partitions, logger },
        refusalOf: (error, lacking) => kafkaRefusal(error, this.options, lacking),
      }),
    );
    await this.producer.connect();
  }

  isHealthy(): boolean {
    return this.state === 'open' && this.producer.isHealthy() && [...this.consumptions].every((one) => one.isHealthy());
  }

  trouble(): string | undefined {
    return [this.producer, ...this.consumptions].map((part) => part.trouble()).find((text) => text !== undefined);
  }

  async close(): Promise<void> {
    this.state = 'closing'; // the batches in flight may still publish
    await Promise.all([...this.consumptions].map((consumption) => consumption.stop()));
    this.state = 'closed';
    await this.queue.drained();
    await this.producer.close();
  }

  private assertOpen(): void {
    if (this.state !== 'open') throw new RetryableError('The bus is closed.');
  }

  private nameOf(topic: Topic): string {
    return this.options.topicPrefix + topic;
  }

  private memberOf(groupId: string): ConsumerConfig {
    return {
      groupId,
      sessionTimeout: this.options.sessionTimeoutMs ?? 6_000,
      rebalanceTimeout: 30_000,
      heartbeatInterval: this.times().heartbeatMs,
      maxWaitTimeInMs: 500, // a broker wakes the waiting fetch as soon as data is there
      minBytes: 1,
      allowAutoTopicCreation: false,
    };
  }

  private times(): ConsumerTimes {
    return { heartbeatMs: 1_000, stuckAfterMs: this.options.stuckAfterMs ?? 60_000, drainMs: 5_000, commitMs: 1_000 };
  }

  private forgetting(consumption: KafkaConsumption): Consumption {
    return {
      pause: () => consumption.pause(),
      resume: () => consumption.resume(),
      stop: async () => {
        await consumption.stop();
        this.consumptions.delete(consumption);
      },
    };
  }

  private async withAdmin<T>(asked: Asked, work: (admin: Admin) => Promise<T>): Promise<T> {
    try {
      return await untilLeader(() => this.oneAdmin(work));
    } catch (error) {
      const refusal = kafkaRefusal(error, this.options, asked);
      if (refusal !== undefined && isUnsure(error)) throw new RetryableError(refusal, { cause: error });
      if (refusal !== undefined) throw new KafkaRefused(refusal, { cause: error });
      const { brokers, security } = this.options;
      const hint = security?.tls ? '' : ' Does it want TLS (KAFKA_SSL) or a login (KAFKA_SASL_MECHANISM)?';
      const message = `Kafka at ${brokers.join(', ')} does not answer as needed. Is it running?${hint}`;
      throw new RetryableError(message, { cause: error });
    }
  }

  private async oneAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = this.kafka.admin();
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }
}

const known: ReadonlyMap<string, Topic> = new Map(Object.values(topics).map((topic) => [topic, topic]));

function topicNamed(name: string): Topic {
  const topic = known.get(name);
  if (topic === undefined) throw new Error(`Kafka delivered from the topic "${name}", which was not asked for.`);
  return topic;
}
