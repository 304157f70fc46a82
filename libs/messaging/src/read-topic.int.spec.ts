import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topics } from '@latch/contracts';
import { createLogger } from '@latch/observability';
import { freshTopicPrefix, testBrokers } from '@latch/testing';
import kafkajs, { type Admin, type Producer } from 'kafkajs';
import { type BusRecord } from './bus.ts';
import { readTopic } from './read-topic.ts';

const brokers = [...testBrokers()];
const kafka = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING });
const logger = createLogger({ service: 'spec', level: 'silent' });
const topic = topics.deadLetters;

let admin: Admin;
let producer: Producer;

beforeAll(async () => {
  [admin, producer] = [kafka.admin(), kafka.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
});
afterAll(() => Promise.all([admin.disconnect(), producer.disconnect()]));

/** A topic whose partitions hold so many records each, of so many bytes: one of 700 kB is all that a fetch brings of its partition. */
async function topicOf({
  partitions,
  records,
  bytes,
}: Readonly<Record<'partitions' | 'records' | 'bytes', number>>): Promise<string> {
  const topicPrefix = freshTopicPrefix();
  const name = topicPrefix + topic;
  await admin.createTopics({ topics: [{ topic: name, numPartitions: partitions }], waitForLeaders: true });
  for (let round = 0; round < records; round += 1) {
    const messages = Array.from({ length: partitions }, (_, partition) => ({
      partition,
      key: 'k',
      value: randomBytes(bytes),
    }));
    await producer.send({ topic: name, messages });
  }
  return topicPrefix;
}

/** What retention does, at this very moment: nothing is read while it runs. */
function deleteRecords(name: string): void {
  const script = `import kafkajs from 'kafkajs';
    const admin = new kafkajs.Kafka({ brokers: ${JSON.stringify(brokers)}, logLevel: 0 }).admin();
    await admin.connect();
    await admin.fetchTopicOffsets('${name}');
    await admin.deleteTopicRecords({ topic: '${name}', partitions: [{ partition: 0, offset: '-1' }] });
    await admin.disconnect();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
}

describe('a topic that is read to its end', () => {
  it('ends where retention deletes the rest of a partition meanwhile', async () => {
    const topicPrefix = await topicOf({ partitions: 1, records: 3, bytes: 700_000 });
    const read: BusRecord[] = [];
    const onRecord = (record: BusRecord): void => {
      read.push(record);
      if (read.length === 1) deleteRecords(topicPrefix + topic);
    };
    await readTopic({ brokers, topicPrefix, topic, logger, onRecord, silentMs: 10_000 });
    expect(read.map(({ offset }) => offset)).toEqual(['0']);
  });

  it('hands over nothing more once somebody could not take a record', async () => {
    const topicPrefix = await topicOf({ partitions: 4, records: 5, bytes: 10 });
    let taken = 0;
    const onRecord = (): void => {
      taken += 1;
      throw new Error('cannot take it');
    };
    await expect(readTopic({ brokers, topicPrefix, topic, logger, onRecord })).rejects.toThrow('cannot take it');
    expect(taken).toBe(1);
  });
});
