import { authSettings, commonSettings, databaseSettings, portSetting, wholeNumberSetting } from '@latch/config';
import { type z } from 'zod';

/** Everything that can be set about the console, with its default and unit. */
export const consoleSettings = commonSettings.safeExtend({
  ...databaseSettings.shape,
  LATCH_HTTP_PORT: portSetting(9005).describe('Port of the page and its read API; default 9005.'),
  ...authSettings.shape,
  LATCH_SIGNALS_KEPT: wholeNumberSetting({ default: 5_000, min: 1, max: 100_000 }).describe(
    'Signals that are kept in memory for streams that begin or come back, over all tenants; default 5000.',
  ),
  LATCH_DEAD_LETTERS_KEPT: wholeNumberSetting({ default: 1_000, min: 1, max: 10_000 }).describe(
    'Dead letters that are kept in memory, over all tenants; default 1000. All are counted.',
  ),
  LATCH_MAX_STREAMS: wholeNumberSetting({ default: 200, min: 1, max: 10_000 }).describe(
    'Live streams that may be open at the same time; one more gets 503. Default 200.',
  ),
  LATCH_HEARTBEAT_MS: wholeNumberSetting({ default: 15_000, min: 100, max: 300_000 }).describe(
    'Time between two signs of life on a stream on which nothing happens, in milliseconds; default 15000.',
  ),
});
export type ConsoleSettings = z.infer<typeof consoleSettings>;
