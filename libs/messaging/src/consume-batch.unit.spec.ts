import { describe, expect, it, jest } from '@jest/globals';
import { RetryableError, topics } from '@latch/contracts';
import { type Bus, type ConsumeOptions } from './bus.ts';
import { consumeBatchFeatures } from './consume-batch.features.ts';
import { consumeBatch } from './consume-batch.ts';
import { recordingLogger, recordOf } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';

consumeBatchFeatures('in memory', () => Promise.resolve(new MemoryBus({ partitions: 4, logger: recordingLogger() })));

describe('a bad message while the dead-letter topic cannot be written', () => {
  it('is not counted as handled until it can, and is written once', async () => {
    const publish = jest
      .fn<Bus['publish']>()
      .mockRejectedValueOnce(new RetryableError('away'))
      .mockRejectedValueOnce(new RetryableError('away'))
      .mockResolvedValue(undefined);
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
    const inc = jest.fn();
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
    const context = { signal: new AbortController().signal, progress: () => undefined };
    await options?.handle([recordOf('bad')], context);
    expect(publish).toHaveBeenCalledTimes(3);
    expect(inc).toHaveBeenCalledTimes(1);
  });
});
