import { freshTopicPrefix, testBrokers } from '@latch/testing';
import { jest } from '@jest/globals';
import { busFeatures } from './bus.features.ts';
import { recordingLogger } from './fixtures/messages.ts';
import { KafkaBus } from './kafka-bus.ts';

jest.setTimeout(30_000);

busFeatures('Kafka', async () => {
  const settings = { brokers: testBrokers(), topicPrefix: freshTopicPrefix(), partitions: 4 };
  return Promise.resolve({
    open: () => Promise.resolve(new KafkaBus({ ...settings, clientId: 'spec', logger: recordingLogger() })),
  });
});
