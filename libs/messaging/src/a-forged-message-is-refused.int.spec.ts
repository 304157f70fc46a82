import { jest } from '@jest/globals';
import { freshTopicPrefix, testBrokers } from '@latch/testing';
import { forgedMessageFeatures } from './a-forged-message-is-refused.features.ts';
import { recordingLogger } from './fixtures/messages.ts';
import { KafkaBus } from './kafka-bus.ts';

jest.setTimeout(30_000);

forgedMessageFeatures('Kafka', () =>
  Promise.resolve(
    new KafkaBus({
      brokers: testBrokers(),
      clientId: 'spec',
      topicPrefix: freshTopicPrefix(),
      partitions: 4,
      logger: recordingLogger(),
    }),
  ),
);
