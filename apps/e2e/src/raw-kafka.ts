import kafkajs, { type Kafka as KafkaClient } from 'kafkajs';
import { type Topic } from '@latch/contracts';

const { Kafka, logLevel } = kafkajs;

/** Where the topics of a system lie. */
type Topics = { readonly brokers: readonly string[]; readonly topicPrefix: string };

/** A record as it lies in a topic. */
export type RawRecord = {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** Puts bytes into a topic as anybody could, past every check of ours. */
export async function produceRaw(
  system: Topics,
  topic: Topic,
  record: { readonly key: string; readonly value: Buffer; readonly headers?: Readonly<Record<string, string>> },
): Promise<void> {
  const producer = clientOf(system).producer();
  await producer.connect();
  await producer.send({ topic: system.topicPrefix + topic, messages: [record] });
  await producer.disconnect();
}

/** Reads a topic from its beginning until `isEnough` is content with what was read. @throws Error when that takes longer than 20 s. */
export async function readUntil(
  system: Topics,
  topic: Topic,
  isEnough: (records: readonly RawRecord[]) => boolean,
): Promise<readonly RawRecord[]> {
  const consumer = clientOf(system).consumer({ groupId: `${system.topicPrefix}reader-${Date.now()}-${Math.random()}` });
  await consumer.connect();
  await consumer.subscribe({ topics: [system.topicPrefix + topic], fromBeginning: true });
  const records: RawRecord[] = [];
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${topic}: ${records.length} records, and not enough`)), 20_000);
      const look = (): void => {
        if (!isEnough(records)) return;
        clearTimeout(timer);
        resolve(records);
      };
      consumer
        .run({
          eachMessage: async ({ message }) => {
            records.push({
              key: message.key?.toString() ?? '',
              value: message.value ?? Buffer.alloc(0),
              headers: Object.fromEntries(
                Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
              ),
            });
            look();
          },
        })
        .catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
}

/** Everything that a topic holds at this moment. */
export async function readWhole(system: Topics, topic: Topic): Promise<readonly RawRecord[]> {
  const count = await countRecords(system, topic);
  return count === 0 ? [] : readUntil(system, topic, (records) => records.length >= count);
}

/** How many records a topic holds, over all partitions. */
export async function countRecords(system: Topics, topic: Topic): Promise<number> {
  const admin = clientOf(system).admin();
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(system.topicPrefix + topic);
    return offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  } finally {
    await admin.disconnect();
  }
}

function clientOf({ brokers }: Topics): KafkaClient {
  return new Kafka({ clientId: 'end-to-end', brokers: [...brokers], logLevel: logLevel.NOTHING });
}
