import { jest } from '@jest/globals';
import { consumeBatchFeatures } from './consume-batch.features.ts';
import { freshKafkaBus } from './fresh-kafka-bus.features.ts';

jest.setTimeout(30_000);

consumeBatchFeatures('Kafka', freshKafkaBus);
