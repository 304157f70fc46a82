import { busFeatures } from './bus.features.ts';
import { recordingLogger } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';

busFeatures('in memory', async () => {
  const bus = new MemoryBus({ partitions: 4, logger: recordingLogger() });
  return Promise.resolve({ open: () => Promise.resolve(bus) });
});
