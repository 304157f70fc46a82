import { forgedMessageFeatures } from './a-forged-message-is-refused.features.ts';
import { recordingLogger } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';

forgedMessageFeatures('in memory', () => Promise.resolve(new MemoryBus({ partitions: 4, logger: recordingLogger() })));
