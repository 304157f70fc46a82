import { type Topic } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import kafkajs, {
  type Admin,
  type Batch,
  type Consumer,
  type EachBatchPayload,
  type Kafka as KafkaClient,
} from 'kafkajs';
import { v7 as uuidv7 } from 'uuid';
import { type BusRecord } from './bus.ts';
import { kafkaLogCreator } from './kafka-log.ts';
import { toBusRecords } from './to-bus-records.ts';

const { Kafka } = kafkajs;

/** Which topic is read, and who takes its records. */
export type ReadTopicOptions = {
  readonly brokers: readonly string[];
  readonly topicPrefix: string;
  readonly topic: Topic;
  readonly logger: Logger;
  /** Takes one record. What it throws ends the reading. */
  onRecord(record: BusRecord): void;
  /** Without a record for so long Kafka counts as away, in milliseconds. @default 30_000 */
  readonly silentMs?: number;
};

/** Up to where a partition is read: what comes while it is read is for the next time. */
type Ends = Map<number, bigint>;

/**
 * Reads what a topic holds at this moment, partition by partition in order, and ends. It reads in a group of its own, saves no offset and makes no topic.
 *
 * @throws Error when no broker answers, there is no such topic, or Kafka falls silent in the middle.
 */
export async function readTopic(options: ReadTopicOptions): Promise<void> {
  const { brokers, topicPrefix, topic, logger } = options;
  const kafka = new Kafka({
    clientId: 'latch-reader',
    brokers: [...brokers],
    logCreator: kafkaLogCreator(logger),
    connectionTimeout: 3_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
  });
  const name = topicPrefix + topic;
  const groupId = `${topicPrefix}reader-${uuidv7()}`;
  await withAdmin(kafka, brokers, async (admin) => {
    const ends = await endsOf(admin, name);
    if (ends.size === 0) return;
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [name], fromBeginning: true });
      await readToEnds(consumer, ends, options);
    } finally {
      await consumer.disconnect().catch(() => undefined);
      await admin.deleteGroups([groupId]).catch(() => undefined);
    }
  });
}

async function withAdmin(
  kafka: KafkaClient,
  brokers: readonly string[],
  work: (admin: Admin) => Promise<void>,
): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
  } catch (error) {
    throw new Error(`Kafka does not answer on ${brokers.join(', ')}: check KAFKA_BROKERS`, { cause: error });
  }
  try {
    await work(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/** The ends of the partitions that hold something. */
async function endsOf(admin: Admin, name: string): Promise<Ends> {
  const names = await admin.listTopics();
  if (!names.includes(name)) throw new Error(`there is no topic ${name}: check LATCH_TOPIC_PREFIX and KAFKA_BROKERS`);
  const offsets = await admin.fetchTopicOffsets(name);
  const held = offsets.filter(({ high, low }) => BigInt(high) > BigInt(low));
  return new Map(held.map(({ partition, high }) => [partition, BigInt(high)]));
}

async function readToEnds(consumer: Consumer, ends: Ends, options: ReadTopicOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const waitOn = (): void => {
        clearTimeout(timer);
        timer = setTimeout(
          () => reject(new Error('Kafka fell silent before the end of the topic')),
          options.silentMs ?? 30_000,
        );
      };
      waitOn();
      consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => void (restart || reject(error)));
      const eachBatch = async ({ batch, heartbeat }: EachBatchPayload): Promise<void> => {
        waitOn();
        try {
          takeBatch(batch, ends, options);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        if (ends.size === 0) resolve();
        await heartbeat();
      };
      consumer.run({ autoCommit: false, eachBatch }).catch(reject);
    });
  } finally {
    clearTimeout(timer);
  }
}

function takeBatch(batch: Batch, ends: Ends, { topic, onRecord }: ReadTopicOptions): void {
  const end = ends.get(batch.partition);
  if (end === undefined) return;
  for (const record of toBusRecords(batch, topic)) if (BigInt(record.offset) < end) onRecord(record);
  if (BigInt(batch.lastOffset()) + 1n >= end) ends.delete(batch.partition);
}
