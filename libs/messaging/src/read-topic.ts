import { type Topic } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type Admin, type Batch, type Consumer, type EachBatchPayload, type Kafka as KafkaClient } from 'kafkajs';
import { v7 as uuidv7 } from 'uuid';
import { type BusRecord } from './bus.ts';
import { kafkaClient, type KafkaPlace } from './kafka-client.ts';
import { kafkaRefusal, KafkaRefused } from './kafka-refusal.ts';
import { toBusRecords } from './to-bus-records.ts';
import { untilLeader } from './until-leader.ts';

/** Which topic is read, and who takes its records. */
export type ReadTopicOptions = KafkaPlace & {
  readonly topicPrefix: string;
  readonly topic: Topic;
  readonly logger: Logger;
  /** Takes one record. What it throws ends the reading. */
  onRecord(record: BusRecord): void;
  /** Without a record for so long Kafka counts as away, in milliseconds. @default 30_000 */
  readonly silentMs?: number;
};

/** From where, and up to where, a partition is still to be read: what comes while it is read is for the next time. */
type Ends = Map<number, { next: bigint; readonly end: bigint }>;

/**
 * Reads what a topic holds at this moment, partition by partition in order, and ends. It reads in a group of its own, saves no offset and makes no topic.
 *
 * @throws Error when no broker answers, Kafka does not let us, there is no such topic, or Kafka falls silent in the middle.
 */
export async function readTopic(options: ReadTopicOptions): Promise<void> {
  const name = options.topicPrefix + options.topic;
  const groupId = `${options.topicPrefix}reader-${uuidv7()}`;
  try {
    await readInGroup(options, { name, groupId });
  } catch (error) {
    const refusal = kafkaRefusal(error, options, { right: 'Read', topics: [name], group: groupId });
    throw refusal === undefined ? error : new KafkaRefused(refusal, { cause: error });
  }
}

async function readInGroup(
  options: ReadTopicOptions,
  { name, groupId }: { readonly name: string; readonly groupId: string },
): Promise<void> {
  const { brokers } = options;
  const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 };
  const kafka = kafkaClient({ ...options, clientId: 'latch-reader', retry });
  await withAdmin(kafka, brokers, async (admin) => {
    const ends = await endsOf(admin, name);
    if (ends.size === 0) return;
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [name], fromBeginning: true });
      await readToEnds({ consumer, ends, options, forgetDeleted: () => forgetDeleted(admin, name, ends) });
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
  if (!names.includes(name))
    throw new Error(`there is no topic ${name} that we may see: check LATCH_TOPIC_PREFIX and KAFKA_BROKERS`);
  const offsets = await untilLeader(() => admin.fetchTopicOffsets(name));
  const held = offsets.filter(({ high, low }) => BigInt(high) > BigInt(low));
  return new Map(held.map(({ partition, high, low }) => [partition, { next: BigInt(low), end: BigInt(high) }]));
}

/** Retention may delete the rest of a partition while it is read: no record comes then, and none is missing. */
async function forgetDeleted(admin: Admin, name: string, ends: Ends): Promise<void> {
  for (const { partition, low } of await admin.fetchTopicOffsets(name)) {
    const range = ends.get(partition);
    if (range !== undefined && BigInt(low) >= range.end) ends.delete(partition);
  }
}

/** How often it is looked whether what is waited for is still there. */
const lookEveryMs = 1_000;

type Reading = {
  readonly consumer: Consumer;
  readonly ends: Ends;
  readonly options: ReadTopicOptions;
  forgetDeleted(): Promise<void>;
};

async function readToEnds({ consumer, ends, options, forgetDeleted }: Reading): Promise<void> {
  let [timer, looks]: [NodeJS.Timeout | undefined, NodeJS.Timeout | undefined] = [undefined, undefined];
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
      const endIfRead = (): void => void (ends.size === 0 && resolve());
      // A look that fails says nothing: the silence ends the reading.
      looks = setInterval(() => void forgetDeleted().then(endIfRead, () => undefined), lookEveryMs);
      consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => void (restart || reject(error)));
      const eachBatch = async ({ batch, heartbeat }: EachBatchPayload): Promise<void> => {
        waitOn();
        try {
          takeBatch(batch, ends, options);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          ends.clear(); // what else was fetched is handed over to nobody
        }
        endIfRead();
        await heartbeat();
      };
      consumer.run({ autoCommit: false, eachBatch }).catch(reject);
    });
  } finally {
    clearTimeout(timer);
    clearInterval(looks);
  }
}

/** A group that was joined anew begins at the beginning again: what was taken is not taken twice. */
function takeBatch(batch: Batch, ends: Ends, { topic, onRecord }: ReadTopicOptions): void {
  const range = ends.get(batch.partition);
  if (range === undefined) return;
  for (const record of toBusRecords(batch, topic)) {
    const offset = BigInt(record.offset);
    if (offset < range.next || offset >= range.end) continue;
    range.next = offset + 1n;
    onRecord(record);
  }
  if (BigInt(batch.lastOffset()) + 1n >= range.end) ends.delete(batch.partition);
}
