import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { topics } from '@latch/contracts';
import { eventually, freshTopicPrefix } from '@latch/testing';
import kafkajs, { type Admin, type Kafka as KafkaClient } from 'kafkajs';
import { kafkaStatus, type RunningKafka, startKafka } from '../../../deploy/local/kafka.mjs';
import { freePort } from '../../../deploy/local/processes.mjs';
import { rawMessage, recordingLogger } from './fixtures/messages.ts';
import { KafkaBus } from './kafka-bus.ts';
import { kafkaLogCreator } from './kafka-log.ts';

const { Kafka, Partitioners } = kafkajs;

jest.setTimeout(60_000);

/**
 * What docs/adr/0002 rests on, on a broker of our own: started the way everybody starts it, killed the way nobody should.
 */
describe('the local Kafka', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'latch-kafka-facts-'));
  const ports = { port: 0, controllerPort: 0 };
  let running: RunningKafka;
  let kafka: KafkaClient;
  let admin: Admin;

  beforeAll(async () => {
    ports.port = await freePort();
    ports.controllerPort = await freePort();
    running = await startKafka({ folder, ...ports, heapMb: 320 });
    kafka = new Kafka({
      clientId: 'facts',
      brokers: [running.brokers],
      logCreator: kafkaLogCreator(recordingLogger()),
    });
    admin = kafka.admin();
    await admin.connect();
  });

  afterAll(async () => {
    await admin.disconnect();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The broker's metadata knows a new topic a little later than its controller. */
  const create = async (topic: string, numPartitions: number): Promise<void> => {
    await admin.createTopics({ topics: [{ topic, numPartitions }], waitForLeaders: false });
    await eventually(() => admin.fetchTopicMetadata({ topics: [topic] }));
  };

  it('is found running by whoever starts it again', async () => {
    const again = await startKafka({ folder, ...ports });
    expect(again.pid).toBe(running.pid);
    expect(kafkaStatus({ folder })).toMatchObject({ pid: running.pid, port: ports.port, version: running.version });
  });

  it('is refused on a port that is taken, with a sentence that names it', async () => {
    const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'latch-kafka-other-'));
    await expect(startKafka({ folder: elsewhere, ...ports })).rejects.toThrow(`port ${ports.port} is taken`);
    rmSync(elsewhere, { recursive: true });
  });

  it('makes the topics of the platform with their partitions, raises them, and never lowers them', async () => {
    const topicPrefix = freshTopicPrefix();
    const partitionsOf = async (): Promise<number[]> => {
      const names = Object.values(topics).map((topic) => topicPrefix + topic);
      const metadata = await admin.fetchTopicMetadata({ topics: names });
      return metadata.topics.map(({ partitions }) => partitions.length);
    };
    const ensure = async (partitions: number): Promise<void> => {
      const settings = { brokers: [running.brokers], clientId: 'facts', topicPrefix, partitions };
      const bus = new KafkaBus({ ...settings, logger: recordingLogger() });
      await bus.ensureTopics();
      await bus.close();
    };
    await Promise.all([ensure(2), ensure(2)]);
    expect(new Set(await partitionsOf())).toEqual(new Set([2]));
    await ensure(4);
    expect(new Set(await partitionsOf())).toEqual(new Set([4]));
    await ensure(3);
    expect(new Set(await partitionsOf())).toEqual(new Set([4]));
    const configs = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topicPrefix + topics.deadLetters }],
    });
    const valueOf = (name: string): string | undefined =>
      configs.resources[0]?.configEntries.find((entry) => entry.configName === name)?.configValue;
    expect(valueOf('retention.ms')).toBe(String(30 * 86_400_000));
    expect(valueOf('max.message.bytes')).toBe('2097152');
  });

  it('makes no topic by accident', async () => {
    const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, retry: { retries: 1 } });
    await producer.connect();
    const sent = producer.send({ topic: 'misspelled', messages: [{ value: 'x' }] });
    await expect(sent).rejects.toThrow();
    expect(await admin.listTopics()).not.toContain('misspelled');
    await producer.disconnect();
  });

  it('takes an idempotent producer, and eachBatch with offsets by hand redelivers what was not resolved', async () => {
    const topic = `${freshTopicPrefix()}facts`;
    await create(topic, 1);
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    await producer.send({
      topic,
      acks: -1,
      messages: Array.from({ length: 10 }, (_, n) => ({ key: 'k', value: `${n}` })),
    });
    const read = async (until: number): Promise<string[]> => {
      const seen: string[] = [];
      const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 500, minBytes: 1 });
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: async ({ batch, resolveOffset, commitOffsetsIfNecessary, uncommittedOffsets }) => {
          for (const message of batch.messages) {
            seen.push(String(message.value));
            if (Number(message.offset) < until) resolveOffset(message.offset);
          }
          await commitOffsetsIfNecessary(uncommittedOffsets());
        },
      });
      await eventually(() => expect(seen).toContain('9'));
      await consumer.disconnect();
      return seen;
    };
    expect((await read(4)).slice(0, 10)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect((await read(10))[0]).toBe('4');
    await producer.disconnect();
  });

  it('divides the partitions between two members and gives them back when one leaves', async () => {
    const topic = `${freshTopicPrefix()}facts`;
    await create(topic, 4);
    const assignments = new Map<string, number>();
    const join = async (name: string): Promise<() => Promise<void>> => {
      const consumer = kafka.consumer({
        groupId: topic,
        heartbeatInterval: 500,
        sessionTimeout: 6_000,
        maxWaitTimeInMs: 500,
      });
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        assignments.set(name, payload.memberAssignment[topic]?.length ?? 0);
      });
      await consumer.connect();
      await consumer.subscribe({ topics: [topic] });
      await consumer.run({ eachBatch: () => Promise.resolve() });
      return () => consumer.disconnect();
    };
    const leaveFirst = await join('first');
    expect(assignments.get('first')).toBe(4);
    const leaveSecond = await join('second');
    await eventually(() => expect([assignments.get('first'), assignments.get('second')]).toEqual([2, 2]));
    await leaveSecond();
    await eventually(() => expect(assignments.get('first')).toBe(4), { timeoutMs: 15_000 });
    await leaveFirst();
  });

  it('comes back after kill -9 with all that it accepted; a bus rides over it and keeps the order', async () => {
    const settings = { brokers: [running.brokers], clientId: 'facts', topicPrefix: freshTopicPrefix(), partitions: 4 };
    const bus = new KafkaBus({ ...settings, logger: recordingLogger(), giveUpPublishAfterMs: 40_000 });
    await bus.ensureTopics();
    const seen: number[] = [];
    const crashes: unknown[] = [];
    await bus.consume({
      groupId: 'group',
      topics: [topics.signals],
      handle: async (batch) => {
        seen.push(...batch.map(({ value }) => Number(value.toString())));
        await Promise.resolve();
      },
      onCrash: (error) => crashes.push(error),
    });
    const publish = (n: number): Promise<void> => bus.publish([rawMessage({ key: 'k', value: String(n) })]);
    for (let n = 0; n < 50; n += 1) await publish(n);

    process.kill(running.pid, 'SIGKILL');
    const during = Promise.all([50, 51, 52].map(publish));
    const restartedFrom = Date.now();
    const [restarted] = await Promise.all([startKafka({ folder, ...ports, heapMb: 320 }), during]);
    running = restarted;
    expect(Date.now() - restartedFrom).toBeLessThan(30_000);
    for (let n = 53; n < 60; n += 1) await publish(n);

    await eventually(() => expect(new Set(seen).size).toBe(60), { timeoutMs: 30_000 });
    const firsts = seen.filter((value, at) => seen.indexOf(value) === at);
    expect(firsts).toEqual(Array.from({ length: 60 }, (_, n) => n));
    expect(crashes).toEqual([]);
    await eventually(() => expect(bus.isHealthy()).toBe(true));
    await bus.close();
  });
});
