import { type PrivacyConfig } from '@latch/config';
import { type Result } from '@latch/contracts';
import { type Retained } from '@latch/event-store';
import { type Logger, type Metrics, repeat } from '@latch/observability';

/** What letting go of old personal data needs. */
export type RetentionParts = {
  /** Reads `privacy.yaml` anew for each round: a rule that was changed counts without a restart. */
  readonly rules: () => Promise<Result<PrivacyConfig, unknown>>;
  readonly apply: (rules: PrivacyConfig) => Promise<Retained>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'retentionAppliedTime'>;
  /** Between two rounds, in milliseconds. @default 3_600_000 */
  readonly everyMs?: number;
};

/**
 * Lets go of personal data that is older than its tenant keeps it, now and every hour; any number of replicas may. By rules that cannot be read nothing is let
 * go of. A metric tells when a round last did what the rules say; an alert rings when that is too long ago.
 *
 * @returns a function that stops it and waits for the round that is running.
 */
export function startKeepingRetention(parts: RetentionParts): () => Promise<void> {
  const { rules, apply, logger, metrics } = parts;
  const isApplied = (): void => metrics.retentionAppliedTime.set({}, Date.now() / 1_000);
  // From the beginning: where no round ever succeeds there must be something for the alert to measure.
  isApplied();
  const round = async (): Promise<void> => {
    const read = await rules();
    if (!read.ok) return logger.warn('retention.rules_not_read', { problems: read.error });
    const { keys, rows } = await apply(read.value);
    isApplied();
    if (keys + rows > 0) logger.info('retention.applied', { keys, rows });
  };
  const onError = (error: unknown): void => logger.warn('retention.not_applied', { error });
  return repeat({ round, everyMs: parts.everyMs ?? 3_600_000, onError });
}
