import { commonSettings, databaseSettings, portSetting, wholeNumberSetting } from '@latch/config';
import { readSigningKey } from '@latch/event-store';
import { z } from 'zod';

/** Everything that can be set about the orchestrator, with its default and unit. */
export const orchestratorSettings = commonSettings.safeExtend({
  ...databaseSettings.shape,
  LATCH_HTTP_PORT: portSetting(9001).describe('Port of /health, /ready, /version and /metrics; default 9001.'),
  LATCH_MAX_BATCH: wholeNumberSetting({ default: 64, min: 1, max: 1_000 }).describe(
    'Messages in one database transaction, at most; default 64. More brings nothing (measured), less costs commits.',
  ),
  LATCH_INBOX_KEEP_HOURS: wholeNumberSetting({ default: 336, min: 1, max: 87_600 }).describe(
    'How long a claimed message is remembered, in hours; must be longer than Kafka keeps messages. Default 336.',
  ),
  LATCH_SIGNING_KEY: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined || text === '') return null;
      const read = readSigningKey(text);
      if (read.ok) return read.value;
      context.addIssue({ code: 'custom', message: read.error });
      return z.NEVER;
    })
    .describe(
      'Ed25519 private key that seals the evidence, PKCS#8 in base64; a secret. Not set: nothing is sealed, and /version says so.',
    ),
  LATCH_SEAL_EVERY_MS: wholeNumberSetting({ default: 60_000, min: 100, max: 86_400_000 }).describe(
    'Time between two seals of the evidence, in milliseconds; default 60000.',
  ),
  LATCH_DEADLINE_POLL_MS: wholeNumberSetting({ default: 1_000, min: 50, max: 60_000 }).describe(
    'Time between two looks for deadlines that have passed, in milliseconds; default 1000.',
  ),
  LATCH_CONFIG_POLL_MS: wholeNumberSetting({ default: 5_000, min: 50, max: 600_000 }).describe(
    'Time between two looks at LATCH_CONFIG_DIR and at the accepted schemas of tools, in milliseconds; default 5000. Changed files are used after two equal looks.',
  ),
});
export type OrchestratorSettings = z.infer<typeof orchestratorSettings>;
