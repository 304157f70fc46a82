import { freshTopicPrefix, testBrokers } from '@latch/testing';
import { KafkaBus } from './kafka-bus.ts';
import { recordingLogger } from './fixtures/messages.ts';

/** A bus over the Kafka of the tests, with topics of its own. */
export function freshKafkaBus(): Promise<KafkaBus> {
  const settings = { brokers: testBrokers(), clientId: 'spec', topicPrefix: freshTopicPrefix(), partitions: 4 };
  return Promise.resolve(new KafkaBus({ ...settings, logger: recordingLogger() }));
}
