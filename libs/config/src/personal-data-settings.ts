import { z } from 'zod';
import { type PersonalData } from './key-ring.ts';
import { keyRingSetting } from './key-ring-setting.ts';

/** The settings of every process that keeps personal data at rest. */
export const personalDataSettings = z.object({
  LATCH_PERSONAL_DATA: z
    .enum(['sealed', 'clear'], { error: 'it must be sealed or clear.' })
    .default('sealed')
    .describe(
      'How personal data is kept: sealed per person (needs LATCH_DATA_KEY), or clear, for trying out. Default sealed.',
    ),
  LATCH_DATA_KEY: keyRingSetting().describe(
    'Keys that wrap the data keys, as id:base64[,id:base64]; the first wraps, all unwrap. 32 bytes each.',
  ),
});

type PersonalDataSettings = z.infer<typeof personalDataSettings>;

/**
 * How a process keeps personal data.
 *
 * @throws Error with a sentence for the operator when it is to be sealed and there is no key.
 */
export function personalDataOf(settings: PersonalDataSettings): PersonalData {
  if (settings.LATCH_PERSONAL_DATA === 'clear') return 'clear';
  if (settings.LATCH_DATA_KEY !== undefined) return settings.LATCH_DATA_KEY;
  throw new Error(
    'LATCH_DATA_KEY is not set: personal data is sealed with it. Set it to a key from your secret store (make one with: openssl rand -base64 32), ' +
      'or set LATCH_PERSONAL_DATA=clear to keep personal data readable, for trying out only.',
  );
}
