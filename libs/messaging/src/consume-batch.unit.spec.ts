import { describe, expect, it, jest } from '@jest/globals';
import { RetryableError, TerminalError, topics } from '@latch/contracts';
import { type Bus, type ConsumeOptions } from './bus.ts';
import { consumeBatchFeatures } from './consume-batch.features.ts';
import { consumeBatch } from './consume-batch.ts';
import { recordingLogger, recordOf } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';

consumeBatchFeatures('in memory', () => Promise.resolve(new MemoryBus({ partitions: 4, logger: recordingLogger() })));

/** A consumer over a bus whose `publish` the test decides; returns how its batches are handled. */
async function consumerOver(
  publish: Bus['publish'],
  inc: (labels: unknown) => void,
): Promise<ConsumeOptions['handle']> {
  let options: ConsumeOptions | undefined;
  const bus: Bus = {
    publish,
    consume: (given) => {
      options = given;
      return Promise.resolve({ pause: () => undefined, resume: () => undefined, stop: () => Promise.resolve() });
    },
    ensureTopics: () => Promise.resolve(),
    isHealthy: () => true,
    close: () => Promise.resolve(),
  };
  await consumeBatch({
    bus,
    service: 'spec',
    groupId: 'spec',
    topics: [topics.signals],
    logger: recordingLogger(),
    metrics: { deadLetters: { inc }, consumerLag: { set: () => undefined } },
    onCrash: () => undefined,
    handle: () => Promise.resolve(),
  });
  if (options === undefined) throw new Error('Nothing was consumed.');
  return options.handle;
}

describe('a bad message while the dead-letter topic cannot be written', () => {
  const context = { signal: new AbortController().signal, progress: () => undefined };

  it('is not counted as handled until it can, and is written once', async () => {
    const publish = jest
      .fn<Bus['publish']>()
      .mockRejectedValueOnce(new RetryableError('away'))
      .mockRejectedValueOnce(new RetryableError('away'))
      .mockResolvedValue(undefined);
    const inc = jest.fn();
    const handle = await consumerOver(publish, inc);
    await handle([recordOf('bad')], context);
    expect(publish).toHaveBeenCalledTimes(3);
    expect(inc).toHaveBeenCalledTimes(1);
  });

  it('is cut to its beginning when the topic takes no message of that size, instead of blocking the partition', async () => {
    const sizes: number[] = [];
    const handle = await consumerOver(([message]) => {
      sizes.push(message?.value.length ?? 0);
      if (sizes.length > 1) return Promise.resolve();
      return Promise.reject(new TerminalError('too large', { code: 'message.invalid' }));
    }, jest.fn());
    await handle([recordOf('x'.repeat(500_000))], context);
    expect(sizes[0]).toBeGreaterThan(500_000);
    expect(sizes[1]).toBeLessThan(70_000);
  });
});
