import { commonSettings, portSetting } from '@latch/config';
import { type z } from 'zod';

/** Everything that can be set about the result normalizer. It has no database and reads no configuration folder. */
export const resultNormalizerSettings = commonSettings.safeExtend({
  LATCH_HTTP_PORT: portSetting(9003).describe('Port of /health, /ready, /version and /metrics; default 9003.'),
});
export type ResultNormalizerSettings = z.infer<typeof resultNormalizerSettings>;
