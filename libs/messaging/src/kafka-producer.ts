import { type BusMessage, RetryableError, TerminalError } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import kafkajs, { type Message, type Producer, type ProducerConfig, type RetryOptions } from 'kafkajs';
import { KafkaRefused } from './kafka-refusal.ts';
import { pause } from './pause.ts';

const { Partitioners } = kafkajs;

type Sender = Pick<Producer, 'connect' | 'sendBatch' | 'disconnect'>;

type Options = {
  readonly kafka: { producer(config: ProducerConfig): Sender };
  readonly topicPrefix: string;
  readonly logger: Logger;
  /** How long one send is tried before it is given back as a RetryableError: by two producers one after the other, half of the time each. */
  readonly giveUpAfterMs: number;
  /** Why Kafka does not let us send to these topics (whole names), in a sentence; undefined when that is not what the error says. @default never */
  readonly refusalOf?: (error: unknown, topics: readonly string[]) => string | undefined;
};

/** As long as a consumer may go without a sign of its coordinator. */
const forgetFailureAfterMs = 10_000;

/**
 * The idempotent producer (acks = all), replaced as a whole whenever a send fails for good.
 *
 * Why replaced: kafkajs takes the sequence numbers of a failed send back. If the broker had stored that send, it would take the **next** messages under
 * the same numbers for repeats and drop them silently. A new producer has a new id, so a repeat is at worst a second copy, which consumers drop by
 * `event_id`.
 */
export class KafkaProducer {
  private current: Promise<Sender> | null = null;
  /** By the monotonic clock. */
  private failedAt = Number.NEGATIVE_INFINITY;
  /** Why Kafka did not let us send the last time. */
  private refusal: string | undefined;

  constructor(private readonly options: Options) {}

  /**
   * Connects, so that the first message does not wait for it. Whoever may write to no topic gets no number as a producer: it is let in without, and hears of it when
   * it sends. @throws RetryableError when no broker answers.
   */
  async connect(): Promise<void> {
    try {
      await this.producer();
    } catch (error) {
      await this.discard();
      if (this.options.refusalOf?.(error, []) !== undefined) return;
      throw new RetryableError('Kafka does not answer.', { cause: error });
    }
  }

  /**
   * Whether no send has failed lately, since the last one that was accepted. A failure is forgotten after some time: whoever gets no traffic because of it would
   * never send again, and so never be well again.
   */
  isHealthy(): boolean {
    return performance.now() - this.failedAt > forgetFailureAfterMs;
  }

  /** Why Kafka does not let us send, as long as that is not forgotten; undefined when it does, or never said. */
  trouble(): string | undefined {
    return this.isHealthy() ? undefined : this.refusal;
  }

  /**
   * Sends messages, in order per key, and resolves when all in-sync replicas have them.
   *
   * @throws RetryableError at once, with who lacks which right, when Kafka does not let us; when Kafka did not accept them for some `giveUpAfterMs`. A broker that takes a request and never answers it is waited for in
   * addition: for the client's request time-out, each time that kafkajs sends. @throws TerminalError when Kafka says that they are too large.
   */
  async send(messages: readonly BusMessage[]): Promise<void> {
    const { giveUpAfterMs } = this.options;
    const lastTryAt = Date.now() + giveUpAfterMs / 2;
    for (;;) {
      const error = await this.trySend(messages);
      if (error === undefined) return;
      await this.discard();
      if (isTooLarge(error)) {
        throw new TerminalError('Kafka refuses the message as too large.', { code: 'message.invalid', cause: error });
      }
      this.failedAt = performance.now();
      this.assertNotRefused(error, messages);
      this.options.logger.warn('bus.send_failed', { error, messages: messages.length });
      if (Date.now() > lastTryAt) throw new RetryableError('Kafka does not accept messages.', { cause: error });
      await pause(200);
    }
  }

  /** Lets go of the connection. */
  async close(): Promise<void> {
    await this.discard();
  }

  private assertNotRefused(error: unknown, messages: readonly BusMessage[]): void {
    const names = this.byTopic(messages).map(({ topic }) => topic);
    this.refusal = this.options.refusalOf?.(error, names);
    if (this.refusal === undefined) return;
    this.options.logger.error('bus.send_refused', { reason: this.refusal, messages: messages.length });
    throw new RetryableError(this.refusal, { cause: new KafkaRefused(this.refusal, { cause: error }) });
  }

  private async trySend(messages: readonly BusMessage[]): Promise<unknown> {
    try {
      const producer = await this.producer();
      await producer.sendBatch({ acks: -1, topicMessages: this.byTopic(messages) });
      this.failedAt = Number.NEGATIVE_INFINITY;
      this.refusal = undefined;
      return undefined;
    } catch (error) {
      return error ?? new Error('The send was rejected without a reason.');
    }
  }

  private producer(): Promise<Sender> {
    this.current ??= connected(this.options);
    return this.current;
  }

  private async discard(): Promise<void> {
    const old = this.current;
    this.current = null;
    await old?.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  private byTopic(messages: readonly BusMessage[]): { topic: string; messages: Message[] }[] {
    const topics = new Map<string, Message[]>();
    for (const { topic, key, value, headers } of messages) {
      const list = topics.get(topic) ?? [];
      list.push({ key, value, headers });
      topics.set(topic, list);
    }
    return [...topics].map(([topic, list]) => ({ topic: this.options.topicPrefix + topic, messages: list }));
  }
}

/**
 * Within one send kafkajs tries for half of the time, through a broker that restarts, keeping its sequence numbers; beyond that the producer is replaced.
 */
async function connected({ kafka, giveUpAfterMs }: Options): Promise<Sender> {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: retriesWithin(giveUpAfterMs / 2),
  });
  try {
    await producer.connect();
    return producer;
  } catch (error) {
    await producer.disconnect().catch(() => undefined); // kafkajs keeps the connection of who gets no number as a producer
    throw error;
  }
}

/** As many retries as their pauses fit into `ms`: 100, 200, 400, 800 ms and then one each second, give or take the fifth of jitter that kafkajs adds. */
function retriesWithin(ms: number): RetryOptions {
  const initialRetryTime = 100;
  const maxRetryTime = 1_000;
  let retries = 0;
  for (let pauseMs = initialRetryTime, left = ms; left >= pauseMs; pauseMs = Math.min(2 * pauseMs, maxRetryTime)) {
    left -= pauseMs;
    retries += 1;
  }
  return { initialRetryTime, multiplier: 2, maxRetryTime, retries };
}

function isTooLarge(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const type: unknown = Reflect.get(error, 'type');
  return type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE' || isTooLarge(Reflect.get(error, 'cause'));
}
