import { type Topic, topicCatalogue, topics } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type Admin, type ITopicConfig, type ITopicMetadata } from 'kafkajs';
import { type Asked, KafkaRefused } from './kafka-refusal.ts';
import { pause } from './pause.ts';

const dayMs = 86_400_000;
/** Room for the key, the headers and the framing around a value of the allowed size. */
const maxRecordBytes = 1_310_720;
const maxDeadLetterRecordBytes = 2_097_152;

type Wanted = {
  readonly topicPrefix: string;
  readonly partitions: number;
  readonly logger: Logger;
  /** Why Kafka does not let us, in a sentence; undefined when that is not what the error says. */
  readonly refusalOf: (error: unknown, lacking: Asked) => string | undefined;
};

/**
 * Makes the platform's topics that do not exist, and raises the partitions of those that have fewer than wanted. Never lowers (Kafka cannot), and changes no
 * setting of a topic that exists: an operator's choice stands. Several services may run it at the same time.
 *
 * @throws Error with who lacks which right, when something is to be made that this client may not make: `latch prepare` does it once, under one that may.
 */
export async function ensureKafkaTopics(admin: Admin, wanted: Wanted): Promise<void> {
  const { topicPrefix, partitions, logger } = wanted;
  const existing = new Set(await admin.listTopics());
  const missing = Object.values(topics).filter((topic) => !existing.has(topicPrefix + topic));
  if (missing.length > 0) {
    await createTopics(admin, missing, wanted);
    logger.info('bus.topics_created', { topics: missing, partitions });
  }
  await untilReady(() => allHaveLeaders(admin, topicPrefix), 'have leaders');
  await raisePartitions(admin, wanted);
  await untilReady(async () => (await topicsWithFewer(admin, wanted)).length === 0, `have ${partitions} partitions`);
}

async function createTopics(admin: Admin, missing: readonly Topic[], wanted: Wanted): Promise<void> {
  const { topicPrefix, partitions } = wanted;
  try {
    // False when somebody else made one of them in the meantime: just as good.
    await admin.createTopics({
      waitForLeaders: false, // kafkajs gives up at once when the broker has not heard of the topic yet
      topics: missing.map((topic) => settingsOf(topic, topicPrefix, partitions)),
    });
  } catch (error) {
    const names = missing.map((topic) => topicPrefix + topic);
    const refusal = wanted.refusalOf(error, { right: 'Create', topics: names });
    if (refusal === undefined) throw error;
    // Kafka does not say whether a topic is there to who may not see it.
    throw new KafkaRefused(
      `${refusal} Or the topics are there, and it lacks Describe. Topics are made once by \`latch prepare\`, under a principal that may.`,
      { cause: error },
    );
  }
}

const readyWithinMs = 20_000;

/** What the controller decided reaches the brokers' metadata a little later. */
async function untilReady(check: () => Promise<boolean>, what: string): Promise<void> {
  const endsAt = Date.now() + readyWithinMs;
  while (!(await check())) {
    if (Date.now() > endsAt) throw new Error(`The topics do not ${what} after ${readyWithinMs} ms.`);
    await pause(50);
  }
}

function settingsOf(topic: Topic, prefix: string, partitions: number): ITopicConfig {
  const isDeadLetters = topic === topics.deadLetters;
  return {
    topic: prefix + topic,
    numPartitions: partitions,
    replicationFactor: -1, // the cluster's default
    configEntries: [
      { name: 'retention.ms', value: String(topicCatalogue[topic].retentionDays * dayMs) },
      { name: 'max.message.bytes', value: String(isDeadLetters ? maxDeadLetterRecordBytes : maxRecordBytes) },
    ],
  };
}

async function raisePartitions(admin: Admin, wanted: Wanted): Promise<void> {
  const short = await topicsWithFewer(admin, wanted);
  if (short.length === 0) return;
  const { partitions, logger } = wanted;
  try {
    await admin.createPartitions({ topicPartitions: short.map((topic) => ({ topic, count: partitions })) });
    logger.info('bus.partitions_raised', { topics: short, partitions });
  } catch (error) {
    const refusal = wanted.refusalOf(error, { right: 'Alter', topics: short });
    if (refusal !== undefined) {
      throw new KafkaRefused(
        `${refusal} Or let \`latch prepare\` make ${partitions} partitions, or set LATCH_TOPIC_PARTITIONS to what the topics have.`,
        { cause: error },
      );
    }
    // Refused when somebody else raised them in the meantime; whoever waits for the result will see.
    logger.debug('bus.partitions_not_raised', { error });
  }
}

async function topicsWithFewer(admin: Admin, { topicPrefix, partitions }: Wanted): Promise<string[]> {
  const metadata = await metadataOf(admin, topicPrefix);
  return metadata.filter((topic) => topic.partitions.length < partitions).map(({ name }) => name);
}

async function allHaveLeaders(admin: Admin, topicPrefix: string): Promise<boolean> {
  try {
    const metadata = await metadataOf(admin, topicPrefix);
    return metadata.every((topic) => topic.partitions.every(({ leader }) => leader >= 0));
  } catch (error) {
    if (isNotReady(error)) return false;
    throw error;
  }
}

async function metadataOf(admin: Admin, prefix: string): Promise<readonly ITopicMetadata[]> {
  const names = Object.values(topics).map((topic) => prefix + topic);
  return (await admin.fetchTopicMetadata({ topics: names })).topics;
}

function isNotReady(error: unknown): boolean {
  const type: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'type') : undefined;
  return type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'LEADER_NOT_AVAILABLE';
}
