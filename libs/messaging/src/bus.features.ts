import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RetryableError, TerminalError, topics } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { type Bus, type BusRecord, type ConsumeOptions, type Consumption } from './bus.ts';
import { rawMessage } from './fixtures/messages.ts';

/** A bus on which nobody has published yet; more than one connects to the same messages. */
export type BusUnderTest = { readonly open: () => Promise<Bus>; readonly close?: () => Promise<void> };

/** What every bus promises. A fake must pass the real one's suite. */
export function busFeatures(name: string, create: () => Promise<BusUnderTest>): void {
  describe(`a bus (${name})`, () => {
    let underTest: BusUnderTest;
    let bus: Bus;

    beforeEach(async () => {
      underTest = await create();
      bus = await underTest.open();
      await bus.ensureTopics();
    });

    afterEach(async () => {
      await bus.close();
      await underTest.close?.();
    });

    const consume = async (
      more: Partial<ConsumeOptions> = {},
    ): Promise<{ seen: BusRecord[]; batches: BusRecord[][]; consumption: Consumption }> => {
      const seen: BusRecord[] = [];
      const batches: BusRecord[][] = [];
      const consumption = await bus.consume({
        groupId: 'group',
        topics: [topics.signals],
        handle: async (batch) => {
          batches.push([...batch]);
          seen.push(...batch);
          await Promise.resolve();
        },
        onCrash: (error) => {
          throw error;
        },
        ...more,
      });
      return { seen, batches, consumption };
    };
    const publish = (key: string, numbers: readonly number[]): Promise<void> =>
      bus.publish(numbers.map((n) => rawMessage({ key, value: String(n) })));
    const valuesOf = (records: readonly BusRecord[], key?: string): string[] =>
      records.filter((record) => key === undefined || record.key === key).map(({ value }) => value.toString());

    it('delivers key, bytes and headers as they were published', async () => {
      const { seen } = await consume();
      const value = '{"text":"não, só os dois \u{1F600}"}';
      await bus.publish([
        { ...rawMessage({ key: 'a:b:c', value }), headers: { ce_id: '1', traceparent: '00-ab-cd-01' } },
      ]);
      await eventually(() => expect(seen).toHaveLength(1));
      expect(seen[0]).toMatchObject({
        topic: topics.signals,
        key: 'a:b:c',
        headers: { ce_id: '1', traceparent: '00-ab-cd-01' },
      });
      expect(seen[0]?.value.toString()).toBe(value);
      expect(seen[0]?.timestampMs).toBeGreaterThan(1_600_000_000_000);
    });

    it('keeps the order of each key over many publishes', async () => {
      const { seen } = await consume();
      const keys = ['a', 'b', 'c', 'd', 'e'];
      for (let n = 0; n < 40; n += 1) await Promise.all(keys.map((key) => publish(key, [n])));
      await eventually(() => expect(seen).toHaveLength(200));
      for (const key of keys) expect(valuesOf(seen, key)).toEqual(Array.from({ length: 40 }, (_, n) => String(n)));
    });

    it('gives a new group everything from the beginning, and every group its own copy', async () => {
      await publish('a', [1, 2, 3]);
      const one = await consume({ groupId: 'one' });
      const two = await consume({ groupId: 'two' });
      await eventually(() => {
        expect(valuesOf(one.seen)).toEqual(['1', '2', '3']);
        expect(valuesOf(two.seen)).toEqual(['1', '2', '3']);
      });
    });

    it('gives a new group that starts at the latest only what comes from now on', async () => {
      await publish('a', [1, 2, 3]);
      const { seen } = await consume({ from: 'latest' });
      await publish('a', [4]);
      await eventually(() => expect(valuesOf(seen)).toContain('4'));
      expect(valuesOf(seen)).toEqual(['4']);
    });

    it('continues where the group stopped', async () => {
      const first = await consume();
      await publish('a', [1, 2]);
      await eventually(() => expect(first.seen).toHaveLength(2));
      await first.consumption.stop();
      await publish('a', [3, 4]);
      const second = await consume();
      await eventually(() => expect(valuesOf(second.seen)).toEqual(['3', '4']));
    });

    it('makes one batch over all topics and partitions, one in flight, the next takes all that waits', async () => {
      let inFlight = 0;
      let most = 0;
      const sizes: number[] = [];
      await consume({
        topics: [topics.signals, topics.turns],
        handle: async (batch) => {
          inFlight += 1;
          most = Math.max(most, inFlight);
          sizes.push(batch.length);
          await new Promise((resolve) => setTimeout(resolve, 100));
          inFlight -= 1;
        },
      });
      await publish('first', [0]);
      await eventually(() => expect(sizes).toEqual([1]));
      const many = Array.from({ length: 20 }, (_, n) => n);
      await bus.publish(
        many.flatMap((n) => [
          rawMessage({ key: `k${n}`, value: '1' }),
          rawMessage({ topic: topics.turns, key: `k${n}`, value: '1' }),
        ]),
      );
      await eventually(() => expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(41));
      expect(most).toBe(1);
      expect(sizes.length).toBeLessThanOrEqual(4);
    });

    it('makes no batch larger than asked', async () => {
      await bus.publish(Array.from({ length: 100 }, (_, n) => rawMessage({ key: `k${n}`, value: String(n) })));
      const { seen, batches } = await consume({ maxBatch: 7 });
      await eventually(() => expect(seen).toHaveLength(100));
      expect(Math.max(...batches.map((batch) => batch.length))).toBe(7);
    });

    it('hands a batch over again when its handler rejects, before anything behind it', async () => {
      const tries: string[][] = [];
      let failures = 2;
      await consume({
        maxBatch: 2,
        handle: async (batch) => {
          tries.push(valuesOf(batch));
          await Promise.resolve();
          if (failures > 0) {
            failures -= 1;
            throw new Error('not now');
          }
        },
      });
      await publish('a', [1, 2, 3]);
      await eventually(() => expect(tries.at(-1)).toContain('3'));
      const handled = tries.slice(2).flat();
      expect(handled).toEqual(['1', '2', '3']);
      expect(tries[0]).toEqual(tries[1]);
      expect(tries[1]).toEqual(tries[2]);
    });

    it('delivers again, to the next member, what a stopped member had not handled', async () => {
      const given: string[] = [];
      const stuck = await consume({
        handle: async (batch, { signal }) => {
          given.push(...valuesOf(batch));
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
        },
      });
      await publish('a', [1, 2]);
      await eventually(() => expect(given.length).toBeGreaterThan(0));
      await stuck.consumption.stop();
      const next = await consume();
      await eventually(() => expect(valuesOf(next.seen)).toEqual(['1', '2']));
    });

    it('shares the messages of a group between its members, each once', async () => {
      const one = await consume();
      const two = await consume();
      const keys = Array.from({ length: 40 }, (_, n) => `key-${n}`);
      for (const key of keys) await publish(key, [1]);
      const all = (): string[] => [...one.seen, ...two.seen].map(({ key }) => key ?? '');
      await eventually(() => expect(new Set(all()).size).toBe(40), { timeoutMs: 20_000 });
      expect(one.seen.length).toBeGreaterThan(0);
      expect(two.seen.length).toBeGreaterThan(0);
      expect(all()).toHaveLength(40);
    });

    it('hands over nothing while paused, and all of it after', async () => {
      const { seen, consumption } = await consume();
      consumption.pause();
      await publish('a', [1, 2, 3]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(seen).toEqual([]);
      consumption.resume();
      await eventually(() => expect(valuesOf(seen)).toEqual(['1', '2', '3']));
    });

    it('tells how many messages wait', async () => {
      await bus.publish(Array.from({ length: 10 }, (_, n) => rawMessage({ key: 'a', value: String(n) })));
      const lags: number[] = [];
      await consume({ maxBatch: 4, onLag: (_, messages) => lags.push(messages) });
      await eventually(() => expect(lags.at(-1)).toBe(0));
      expect(lags[0]).toBe(6);
    });

    it('refuses a message that is too large and delivers those beside it', async () => {
      const { seen } = await consume();
      const tooLarge = bus.publish([rawMessage({ key: 'a', value: 'x'.repeat(1_048_577) })]);
      await Promise.all([expect(tooLarge).rejects.toBeInstanceOf(TerminalError), publish('a', [1])]);
      await bus.publish([rawMessage({ key: 'a', value: 'y'.repeat(1_048_576) })]);
      await eventually(() => expect(seen.map(({ value }) => value.length)).toEqual([1, 1_048_576]));
    });

    it('is healthy while open, and takes nothing when closed', async () => {
      await consume();
      expect(bus.isHealthy()).toBe(true);
      await bus.close();
      expect(bus.isHealthy()).toBe(false);
      await expect(publish('a', [1])).rejects.toBeInstanceOf(RetryableError);
    });

    it('takes no new consumer while it is closing: nobody would stop it', async () => {
      const { seen } = await consume();
      const closing = bus.close();
      await expect(consume({ groupId: 'late' })).rejects.toBeInstanceOf(RetryableError);
      await closing;
      await expect(consume({ groupId: 'later' })).rejects.toBeInstanceOf(RetryableError);
      expect(seen).toEqual([]);
    });

    it('accepts nothing of a call in which one message is too large, and what is published beside it', async () => {
      const { seen } = await consume();
      const call = ['1', 'x'.repeat(1_048_577), '2'].map((value) => rawMessage({ key: 'a', value }));
      await Promise.all([expect(bus.publish(call)).rejects.toBeInstanceOf(TerminalError), publish('a', [3])]);
      await publish('a', [4]);
      await eventually(() => expect(valuesOf(seen)).toEqual(['3', '4']));
    });

    it('makes its topics as often as it is asked', async () => {
      await Promise.all([bus.ensureTopics(), bus.ensureTopics()]);
      await bus.ensureTopics();
    });
  });
}
