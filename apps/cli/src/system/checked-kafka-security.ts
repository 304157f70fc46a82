import { type KafkaSecurity, kafkaSecurityOf, readEnvironmentOrThrow } from '@latch/config';
import { type CliSettings, kafkaVariables } from '../config.ts';

/**
 * How Kafka is spoken to, for a command that is about to. Only then are the files looked at: a command that needs no Kafka runs without them.
 *
 * @throws Error with every problem of the variables and of the files that they name.
 */
export function checkedKafkaSecurity(settings: CliSettings): KafkaSecurity {
  const given = Object.entries(settings).filter(([name]) => name in kafkaVariables.shape);
  const texts = given.map(([name, value]) => [name, value === undefined ? undefined : String(value)] as const);
  return kafkaSecurityOf(readEnvironmentOrThrow(kafkaVariables, Object.fromEntries(texts)));
}
