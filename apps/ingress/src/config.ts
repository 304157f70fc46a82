import { authSettings, commonSettings, databaseSettings, portSetting, wholeNumberSetting } from '@latch/config';
import { type z } from 'zod';

/** Everything that can be set about ingress, with its default and unit. */
export const ingressSettings = commonSettings.safeExtend({
  ...databaseSettings.shape,
  LATCH_HTTP_PORT: portSetting(9000).describe('Port of the HTTP API; default 9000.'),
  ...authSettings.shape,
  LATCH_MAX_WAITING: wholeNumberSetting({ default: 10_000, min: 1, max: 1_000_000 }).describe(
    'Callers that may wait for an answer at the same time; one more gets 503. Default 10000.',
  ),
  LATCH_PUBLISH_TIMEOUT_MS: wholeNumberSetting({ default: 5_000, min: 10, max: 60_000 }).describe(
    'How long the bus may take to accept a message before its caller gets 503, in milliseconds; default 5000.',
  ),
  LATCH_DRAIN_DELAY_MS: wholeNumberSetting({ default: 0, min: 0, max: 60_000 }).describe(
    'How long a stopping ingress keeps its port open and answers 503, for load balancers to notice, in milliseconds; default 0.',
  ),
});
export type IngressSettings = z.infer<typeof ingressSettings>;
