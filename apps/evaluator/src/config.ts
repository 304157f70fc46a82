import { authSettings, commonSettings, databaseSettings, portSetting, wholeNumberSetting } from '@latch/config';
import { type z } from 'zod';

/** Everything that can be set about the evaluator, with its default and unit. */
export const evaluatorSettings = commonSettings.safeExtend({
  ...databaseSettings.shape,
  LATCH_HTTP_PORT: portSetting(9004).describe('Port of the HTTP API; default 9004.'),
  ...authSettings.shape,
  LATCH_EVIDENCE_WAIT_MS: wholeNumberSetting({ default: 60_000, min: 0, max: 3_600_000 }).describe(
    'How long an answer may wait for the tool results that it reports before it is judged without them, in milliseconds; default 60000.',
  ),
  LATCH_EVIDENCE_KEEP_HOURS: wholeNumberSetting({ default: 24, min: 1, max: 8_760 }).describe(
    'How long tool results are kept for later answers of their transaction, in hours; default 24.',
  ),
  LATCH_SWEEP_EVERY_MS: wholeNumberSetting({ default: 5_000, min: 10, max: 600_000 }).describe(
    'Time between two looks for answers that have waited long enough, in milliseconds; default 5000.',
  ),
});
export type EvaluatorSettings = z.infer<typeof evaluatorSettings>;
