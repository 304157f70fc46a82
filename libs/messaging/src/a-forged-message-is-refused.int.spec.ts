import { jest } from '@jest/globals';
import { forgedMessageFeatures } from './a-forged-message-is-refused.features.ts';
import { freshKafkaBus } from './fresh-kafka-bus.features.ts';

jest.setTimeout(30_000);

forgedMessageFeatures('Kafka', freshKafkaBus);
