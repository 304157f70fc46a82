import { type KafkaPlace } from '@latch/messaging';
import { type CliSettings } from '../config.ts';
import { checkedKafkaSecurity } from '../system/checked-kafka-security.ts';
import { brokersOf } from './brokers-of.ts';

/** The Kafka of the settings, or that of the system that runs here, and as whom it is spoken to. @throws Error when there is none. */
export function kafkaPlaceOf(settings: CliSettings): KafkaPlace {
  return { brokers: brokersOf(settings), security: checkedKafkaSecurity(settings) };
}
