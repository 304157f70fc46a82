import { jest } from '@jest/globals';
import { letterSentAgainFeatures } from './a-letter-is-sent-again.features.ts';
import { freshKafkaBus } from './fresh-kafka-bus.features.ts';

jest.setTimeout(30_000);

letterSentAgainFeatures('Kafka', freshKafkaBus);
