import { type AuthOptions, type ConfigReport } from '@latch/config';
import { success } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { ApiKeys } from './api-keys.ts';
import { type Authenticate, authenticateWith } from './authenticate.ts';
import { anybody } from './principal.ts';
import { tokenReader } from './read-token.ts';
import { SigningKeys } from './signing-keys.ts';

/** What knowing the callers is built on. */
export type AuthGround = {
  readonly logger: Logger;
  /** Keeps something to let go of when the service ends. */
  readonly keep: (letGo: () => Promise<unknown>) => void;
  /** Told what became of a changed file of API keys. */
  readonly report: (report: ConfigReport) => void;
};

/** How the callers of a service are known, as its settings say. @throws Error when the file of API keys cannot be used. */
export async function openAuthentication(
  { jwt, apiKeysFile }: AuthOptions,
  { logger, keep, report }: AuthGround,
): Promise<Authenticate> {
  if (jwt === null && apiKeysFile === null) {
    logger.warn('auth.off', { meaning: 'whoever reaches this port speaks for every tenant (LATCH_AUTH)' });
    return () => Promise.resolve(success(anybody));
  }
  const apiKeys = apiKeysFile === null ? null : await ApiKeys.open(apiKeysFile, { logger, report });
  if (apiKeys !== null) keep(() => apiKeys.stop());
  const token = jwt === null ? null : tokenReader(jwt, new SigningKeys(jwt.keys, logger));
  return authenticateWith({ token, apiKey: apiKeys?.read ?? null });
}
