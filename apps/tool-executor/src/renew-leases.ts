import { type EventStore, type Lease } from '@latch/event-store';
import { type Logger, repeat } from '@latch/observability';

/** What the heartbeat takes. */
export type RenewParts = {
  readonly ledger: Pick<EventStore['ledger'], 'renewLeases'>;
  readonly lease: Lease;
  /** The invocations that wait or run here now. */
  readonly inHand: () => readonly string[];
  readonly logger: Logger;
};

/** Renewals within one lease: two may fail before it ends, and the third is in time. */
const renewalsPerLease = 4;

/**
 * Keeps the leases of what this instance has in hand. A lease so says "somebody is alive" and not "somebody will be done by then": it can be short, and what a
 * killed instance had only queued is taken over within seconds. What the pool gave up is not renewed, and so is taken up again by whoever sweeps first.
 *
 * @returns a function that stops it and waits for the renewal that is running.
 */
export function startRenewingLeases({ ledger, lease, inHand, logger }: RenewParts): () => Promise<void> {
  const round = async (): Promise<void> => {
    await ledger.renewLeases(inHand(), lease);
  };
  const onError = (error: unknown): void => logger.warn('leases.not_renewed', { error });
  return repeat({ round, everyMs: lease.leaseMs / renewalsPerLease, waitsFirst: true, onError });
}
