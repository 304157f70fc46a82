import { type EventStore } from '@latch/event-store';
import { type Logger, repeat } from '@latch/observability';

/** What forgetting needs. */
export type ForgetClaimsParts = {
  readonly store: Pick<EventStore, 'forgetOldClaims'>;
  readonly logger: Logger;
  /** Claims that are older are forgotten; must be longer than the bus keeps messages, since a repeat that comes later counts as new. */
  readonly olderThanHours: number;
  /** Between two rounds, in milliseconds. @default 3_600_000 */
  readonly everyMs?: number;
};

const limit = 5_000;

/**
 * Forgets inbox claims that no redelivery can ask for any more, in small pieces, now and every hour: the inbox does not grow for ever (invariant I17).
 *
 * @returns a function that stops it and waits for the piece that is running.
 */
export function startForgettingClaims(parts: ForgetClaimsParts): () => Promise<void> {
  const { store, logger, olderThanHours } = parts;
  const round = async (isStopped: () => boolean): Promise<void> => {
    while (!isStopped() && (await store.forgetOldClaims({ olderThanHours, limit })) === limit);
  };
  const onError = (error: unknown): void => logger.warn('claims.not_forgotten', { error });
  return repeat({ round, everyMs: parts.everyMs ?? 3_600_000, onError });
}
