import { type Topic, topics } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type Admin, type ITopicConfig } from 'kafkajs';

const dayMs = 86_400_000;
/** Room for the key, the headers and the framing around a value of the allowed size. */
const maxRecordBytes = 1_310_720;
const maxDeadLetterRecordBytes = 2_097_152;

const retentionDays: Readonly<Record<Topic, number>> = {
  [topics.turns]: 7,
  [topics.toolInvocations]: 7,
  [topics.toolExecutions]: 7,
  [topics.toolResults]: 7,
  [topics.responses]: 7,
  [topics.signals]: 14,
  [topics.evaluations]: 30,
  [topics.deadLetters]: 30,
};

type Wanted = { readonly topicPrefix: string; readonly partitions: number; readonly logger: Logger };

/**
 * Makes the platform's topics that do not exist, and raises the partitions of those that have fewer than wanted. Never lowers (Kafka cannot), and changes no
 * setting of a topic that exists: an operator's choice stands. Several services may run it at the same time.
 */
export async function ensureKafkaTopics(admin: Admin, { topicPrefix, partitions, logger }: Wanted): Promise<void> {
  const wanted = Object.values(topics);
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter((topic) => !existing.has(topicPrefix + topic));
  if (missing.length > 0) {
    // False when somebody else made one of them in the meantime: just as good.
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map((topic) => settingsOf(topic, topicPrefix, partitions)),
    });
    logger.info('bus.topics_created', { topics: missing, partitions });
  }
  await raisePartitions(admin, { topicPrefix, partitions, logger });
}

function settingsOf(topic: Topic, prefix: string, partitions: number): ITopicConfig {
  const isDeadLetters = topic === topics.deadLetters;
  return {
    topic: prefix + topic,
    numPartitions: partitions,
    replicationFactor: -1, // the cluster's default
    configEntries: [
      { name: 'retention.ms', value: String(retentionDays[topic] * dayMs) },
      { name: 'max.message.bytes', value: String(isDeadLetters ? maxDeadLetterRecordBytes : maxRecordBytes) },
    ],
  };
}

async function raisePartitions(admin: Admin, { topicPrefix, partitions, logger }: Wanted): Promise<void> {
  const short = await topicsWithFewer(admin, topicPrefix, partitions);
  if (short.length === 0) return;
  try {
    await admin.createPartitions({ topicPartitions: short.map((topic) => ({ topic, count: partitions })) });
    logger.info('bus.partitions_raised', { topics: short, partitions });
  } catch (error) {
    if ((await topicsWithFewer(admin, topicPrefix, partitions)).length > 0) throw error;
  }
}

async function topicsWithFewer(admin: Admin, prefix: string, partitions: number): Promise<string[]> {
  const names = Object.values(topics).map((topic) => prefix + topic);
  const metadata = await admin.fetchTopicMetadata({ topics: names });
  return metadata.topics.filter((topic) => topic.partitions.length < partitions).map(({ name }) => name);
}
