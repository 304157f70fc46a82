import { letterSentAgainFeatures } from './a-letter-is-sent-again.features.ts';
import { recordingLogger } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';

letterSentAgainFeatures('in memory', () =>
  Promise.resolve(new MemoryBus({ partitions: 4, logger: recordingLogger() })),
);
