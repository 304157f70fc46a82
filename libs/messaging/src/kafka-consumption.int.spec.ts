import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { topics } from '@latch/contracts';
import { eventually, freshTopicPrefix, testBrokers } from '@latch/testing';
import { type BatchContext, type BusRecord, type ConsumeOptions, type Consumption } from './bus.ts';
import { rawMessage, recordingLogger } from './fixtures/messages.ts';
import { KafkaBus } from './kafka-bus.ts';

jest.setTimeout(60_000);

describe('a member of a consumer group on Kafka', () => {
  let prefix: string;
  let open: KafkaBus[];

  beforeEach(() => {
    prefix = freshTopicPrefix();
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((bus) => bus.close()));
  });

  /** A bus of its own is what another process has. */
  const newBus = (more: { stuckAfterMs?: number } = {}): KafkaBus => {
    const settings = { brokers: testBrokers(), clientId: 'spec', topicPrefix: prefix, partitions: 4 };
    const bus = new KafkaBus({ ...settings, logger: recordingLogger(), ...more });
    open.push(bus);
    return bus;
  };
  const consume = (
    bus: KafkaBus,
    handle: ConsumeOptions['handle'],
    more: Partial<ConsumeOptions> = {},
  ): Promise<Consumption> =>
    bus.consume({ groupId: 'group', topics: [topics.signals], handle, onCrash: () => undefined, ...more });
  const keep =
    (into: BusRecord[]): ConsumeOptions['handle'] =>
    async (batch) => {
      into.push(...batch);
      await Promise.resolve();
    };
  const numbers = (count: number, keys = 8): ReturnType<typeof rawMessage>[] =>
    Array.from({ length: count }, (_, n) => rawMessage({ key: `k${n % keys}`, value: String(n) }));
  const valuesOf = (records: readonly BusRecord[]): number[] => records.map(({ value }) => Number(value.toString()));

  it('loses its partitions when its handler is stuck, and says that the process should end', async () => {
    const bus = newBus({ stuckAfterMs: 1_500 });
    await bus.ensureTopics();
    const crashes: unknown[] = [];
    await consume(bus, () => new Promise(() => undefined), { onCrash: (error) => crashes.push(error) });
    await bus.publish(numbers(8));
    const taken: BusRecord[] = [];
    await consume(newBus(), keep(taken));
    await eventually(() => expect(new Set(valuesOf(taken)).size).toBe(8), { timeoutMs: 25_000 });
    expect(crashes).toMatchObject([{ message: expect.stringContaining('no sign of life for 1500 ms') }]);
    expect(bus.isHealthy()).toBe(false);
  });

  it('keeps its partitions with a slow handler that shows progress, beyond the session and the stuck time', async () => {
    const bus = newBus({ stuckAfterMs: 1_500 });
    await bus.ensureTopics();
    let finished = 0;
    const crashes: unknown[] = [];
    const slow = async (_: readonly BusRecord[], { progress, signal }: BatchContext): Promise<void> => {
      for (let step = 0; step < 16 && !signal.aborted; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        progress();
      }
      expect(signal.aborted).toBe(false);
      finished += 1;
    };
    await consume(bus, slow, { onCrash: (error) => crashes.push(error) });
    await bus.publish(numbers(1));
    await eventually(() => expect(finished).toBe(1), { timeoutMs: 15_000 });
    expect(crashes).toEqual([]);
    expect(bus.isHealthy()).toBe(true);
  });

  it('loses nothing and keeps the order per key while members come and go', async () => {
    const publisher = newBus();
    await publisher.ensureTopics();
    const seen: BusRecord[] = [];
    const slowly = async (batch: readonly BusRecord[]): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push(...batch);
    };
    await consume(newBus(), slowly, { maxBatch: 16 });
    const count = 2_000;
    const publishing = (async () => {
      for (let from = 0; from < count; from += 50) {
        await publisher.publish(numbers(count).slice(from, from + 50));
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const second = await consume(newBus(), slowly, { maxBatch: 16 });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await second.stop();
    await consume(newBus(), slowly, { maxBatch: 16 });
    await publishing;
    await eventually(() => expect(new Set(valuesOf(seen)).size).toBe(count), { timeoutMs: 20_000 });
    for (let key = 0; key < 8; key += 1) expectOrder(valuesOf(seen.filter((record) => record.key === `k${key}`)));
  });

  it('gives a batch that waits for broken infrastructure up when the group rebalances', async () => {
    const bus = newBus();
    await bus.ensureTopics();
    let aborted = 0;
    const waiting = (_: readonly BusRecord[], { signal }: BatchContext): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted += 1;
          reject(new Error('given up'));
        });
      });
    await consume(bus, waiting);
    await bus.publish(numbers(16));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const taken: BusRecord[] = [];
    await consume(newBus(), keep(taken));
    await eventually(() => expect(taken.length).toBeGreaterThan(0));
    expect(aborted).toBeGreaterThan(0);
  });

  it('saves its offsets when it stops, so that the next one repeats nothing', async () => {
    const bus = newBus();
    await bus.ensureTopics();
    const first: BusRecord[] = [];
    const consumption = await consume(bus, keep(first));
    await bus.publish(numbers(20));
    await eventually(() => expect(first).toHaveLength(20));
    await consumption.stop();
    const second: BusRecord[] = [];
    await consume(newBus(), keep(second));
    await bus.publish(numbers(21).slice(20));
    await eventually(() => expect(valuesOf(second)).toEqual([20]));
  });
});

/** A redelivery repeats a stretch from its beginning; first deliveries are in order. */
function expectOrder(values: readonly number[]): void {
  const firsts = values.filter((value, at) => values.indexOf(value) === at);
  expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
}

describe('a consumer process that is killed in the middle of a batch', () => {
  const room = path.resolve(import.meta.dirname, '..');
  const root = path.resolve(room, '../..');
  let child: ChildProcess | undefined;

  beforeAll(() => {
    execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-b', room]);
  });
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  it('had nothing counted as handled: the next member gets the whole batch', async () => {
    const topicPrefix = freshTopicPrefix();
    const settings = { brokers: testBrokers(), clientId: 'spec', topicPrefix, partitions: 4 };
    const bus = new KafkaBus({ ...settings, logger: recordingLogger() });
    await bus.ensureTopics();
    await bus.publish(Array.from({ length: 10 }, (_, n) => rawMessage({ key: 'k', value: String(n) })));
    const script = path.join(import.meta.dirname, 'fixtures/hanging-consumer.mjs');
    child = spawn(process.execPath, [script, testBrokers().join(','), topicPrefix]);
    let output = '';
    child.stdout?.on('data', (text) => (output += String(text)));
    await eventually(() => expect(output).toContain('"9"'), { timeoutMs: 20_000 });
    child.kill('SIGKILL');
    await once(child, 'exit');

    const seen: string[] = [];
    await bus.consume({
      groupId: 'killed',
      topics: [topics.signals],
      handle: async (batch) => {
        seen.push(...batch.map(({ value }) => value.toString()));
        await Promise.resolve();
      },
      onCrash: () => undefined,
    });
    await eventually(() => expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => String(n))), {
      timeoutMs: 20_000,
    });
    await bus.close();
  });
});
