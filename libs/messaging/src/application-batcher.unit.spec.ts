import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ApplicationBatcher } from './application-batcher.ts';
import { type BatchContext, type BusRecord } from './bus.ts';
import { recordOf } from './fixtures/messages.ts';

const lane = (partition: number, count: number): BusRecord[] =>
  Array.from({ length: count }, (_, n) => recordOf(`${partition}/${n}`, { partition, offset: String(n) }));
const valuesOf = (batch: readonly BusRecord[]): string[] => batch.map(({ value }) => value.toString());

function batcherOf(
  handle: (batch: readonly BusRecord[], context: BatchContext) => Promise<void>,
  maxBatch = 64,
): ApplicationBatcher {
  return new ApplicationBatcher({ maxBatch, handle, onFailure: () => undefined });
}

/** A handler whose batches end when the test says so. */
function controlled(): {
  handle: (batch: readonly BusRecord[], context: BatchContext) => Promise<void>;
  batches: string[][];
  signals: AbortSignal[];
  finish: () => Promise<void>;
} {
  const batches: string[][] = [];
  const signals: AbortSignal[] = [];
  let end: () => void = () => undefined;
  return {
    batches,
    signals,
    handle: (batch, { signal }) => {
      batches.push(valuesOf(batch));
      signals.push(signal);
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    finish: async () => {
      end();
      await new Promise(setImmediate);
    },
  };
}

describe('the application batcher', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('gathers the partitions of one fetch into one batch, a record of each in turn', async () => {
    const seen: string[][] = [];
    const batcher = batcherOf(async (batch) => {
      seen.push(valuesOf(batch));
      await Promise.resolve();
    });
    await Promise.all([batcher.add(lane(0, 3), () => undefined), batcher.add(lane(1, 1), () => undefined)]);
    expect(seen).toEqual([['0/0', '1/0', '0/1', '0/2']]);
  });

  it('starts the next batch only when the one in flight ended, and takes all that waits by then', async () => {
    const { handle, batches, finish } = controlled();
    const batcher = batcherOf(handle);
    void batcher.add(lane(0, 1), () => undefined);
    await new Promise(setImmediate);
    for (const partition of [1, 2, 3]) void batcher.add(lane(partition, 1), () => undefined);
    await new Promise(setImmediate);
    expect(batches).toEqual([['0/0']]);
    await finish();
    expect(batches).toEqual([['0/0'], ['1/0', '2/0', '3/0']]);
  });

  it('cuts a long partition and lets a short one in between', async () => {
    const { handle, batches, finish } = controlled();
    const batcher = batcherOf(handle, 4);
    void batcher.add(lane(0, 8), () => undefined);
    await new Promise(setImmediate);
    void batcher.add(lane(1, 2), () => undefined);
    await finish();
    expect(batches[1]).toEqual(['0/4', '1/0', '0/5', '1/1']);
  });

  it('tells the last handled record of each partition after each batch', async () => {
    const handled: string[] = [];
    const batcher = batcherOf(() => Promise.resolve(), 3);
    await batcher.add(lane(0, 7), ({ offset }) => handled.push(offset));
    expect(handled).toEqual(['2', '5', '6']);
  });

  it('hands a batch that failed over again, unchanged, before anything new', async () => {
    const seen: string[][] = [];
    const batcher = batcherOf(async (batch) => {
      seen.push(valuesOf(batch));
      await Promise.resolve();
      if (seen.length === 1) throw new Error('not now');
    }, 2);
    await batcher.add(lane(0, 3), () => undefined);
    expect(seen).toEqual([['0/0', '0/1'], ['0/0', '0/1'], ['0/2']]);
  });

  it('aborts and rejects what is not handled when the partitions are given up', async () => {
    const { handle, signals, finish } = controlled();
    const batcher = batcherOf(handle, 1);
    const handled: string[] = [];
    const first = expect(batcher.add(lane(0, 2), ({ offset }) => handled.push(offset))).rejects.toThrow('rebalance');
    await new Promise(setImmediate);
    const givenUp = batcher.abandon(new Error('rebalance'), 1_000);
    expect(signals[0]?.aborted).toBe(true);
    await finish();
    await givenUp;
    await first;
    expect(handled).toEqual(['0']);
  });

  it('does not wait longer for a batch than it was told, and never counts that batch as handled', async () => {
    const { handle, finish, batches } = controlled();
    const batcher = batcherOf(handle);
    const handled: string[] = [];
    const old = expect(batcher.add(lane(0, 1), () => handled.push('old'))).rejects.toThrow('rebalance');
    await new Promise(setImmediate);
    await batcher.abandon(new Error('rebalance'), 20);
    await old;
    const renewed = batcher.add(lane(0, 1), () => handled.push('new'));
    await new Promise(setImmediate);
    expect(batches).toHaveLength(1);
    await finish();
    expect(handled).toEqual([]);
    await finish();
    await renewed;
    expect(handled).toEqual(['new']);
  });

  it('gives a failing batch up at once when the partitions are lost', async () => {
    let tries = 0;
    const batcher = batcherOf(() => {
      tries += 1;
      return Promise.reject(new Error('database away'));
    });
    const lost = expect(batcher.add(lane(0, 1), () => undefined)).rejects.toThrow('rebalance');
    await new Promise(setImmediate);
    await batcher.abandon(new Error('rebalance'), 5_000);
    await lost;
    expect(tries).toBe(1);
  });

  it('hands over nothing while paused', async () => {
    const { handle, batches } = controlled();
    const batcher = batcherOf(handle);
    batcher.pause();
    void batcher.add(lane(0, 1), () => undefined);
    await new Promise(setImmediate);
    expect(batches).toEqual([]);
    batcher.resume();
    await new Promise(setImmediate);
    expect(batches).toEqual([['0/0']]);
  });

  it('measures the silence of a handler, and progress ends it', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] });
    let report: () => void = () => undefined;
    const batcher = batcherOf((_, { progress }) => {
      report = progress;
      return new Promise(() => undefined);
    });
    expect(batcher.silentMs()).toBe(0);
    void batcher.add(lane(0, 1), () => undefined);
    await new Promise(setImmediate);
    jest.advanceTimersByTime(5_000);
    expect(batcher.silentMs()).toBe(5_000);
    report();
    expect(batcher.silentMs()).toBe(0);
  });
});
