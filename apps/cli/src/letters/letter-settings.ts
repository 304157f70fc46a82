import { childEnvironment, type Environment, keyRingSetting, type PersonalData, readEnvironment } from '@latch/config';
import { type KafkaPlace, type Signing } from '@latch/messaging';
import { z } from 'zod';
import { kafkaPlaceOf } from '../replay/kafka-place-of.ts';
import { type CliSettings } from '../config.ts';
import { personalDataOfOperator } from '../system/data-key.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { progress } from '../terminal.ts';

/** What the commands about dead letters read beside the settings of `latch`: what the services have that write and read letters. */
const busSettings = z.object({
  LATCH_BUS_KEY: keyRingSetting().describe(
    'Keys that sign what is published and verify what is consumed; as the services have them.',
  ),
  LATCH_BUS_UNSIGNED: z
    .enum(['refuse', 'accept'], { error: 'it must be refuse or accept.' })
    .default('refuse')
    .describe('With LATCH_BUS_KEY, whether unsigned messages are taken; as the services have it.'),
});

/** Where the letters are, and what opens and verifies them. */
export type LetterSettings = KafkaPlace & {
  readonly topicPrefix: string;
  /** Undefined where the bus is not signed. */
  readonly signing: Signing | undefined;
  /** `no_key`: letters that are sealed stay closed. */
  readonly personalData: PersonalData | 'no_key';
};

/** @throws Error in a sentence that says what to set. */
export function readLetterSettings(settings: CliSettings, env: Environment = childEnvironment()): LetterSettings {
  const read = readEnvironment(busSettings, env);
  if (!read.ok) throw new Error(read.error);
  const { LATCH_BUS_KEY: keys, LATCH_BUS_UNSIGNED: unsigned } = read.value;
  const { stateFolder } = systemOptionsFrom(settings, progress);
  return {
    ...kafkaPlaceOf(settings),
    topicPrefix: settings.LATCH_TOPIC_PREFIX,
    signing: keys === undefined ? undefined : { keys, unsigned },
    personalData: personalDataIfThere(stateFolder, env),
  };
}

/** Without a key the letters can still be listed; a key that is written wrongly is a mistake. */
function personalDataIfThere(stateFolder: string, env: Environment): PersonalData | 'no_key' {
  try {
    return personalDataOfOperator(stateFolder, env);
  } catch (error) {
    if ((env['LATCH_DATA_KEY'] ?? '') !== '') throw error;
    return 'no_key';
  }
}
