import { type EventStore, type Lease } from '@latch/event-store';
import { type Logger } from '@latch/observability';

/** What the heartbeat takes. */
export type RenewParts = {
  readonly ledger: Pick<EventStore['ledger'], 'renewLeases'>;
  readonly lease: Lease;
  /** The invocations that wait or run here now. */
  readonly inHand: () => readonly string[];
  readonly logger: Logger;
};

/** Renewals within one lease: two may fail before it ends. */
const renewalsPerLease = 3;

/**
 * Keeps the leases of what this instance has in hand. A lease so says "somebody is alive" and not "somebody will be done by then": it can be short, and what a
 * killed instance had only queued is taken over within seconds. What the pool gave up is not renewed, and so is taken up again by whoever sweeps first.
 *
 * @returns a function that stops it and waits for the renewal that is running.
 */
export function startRenewing({ ledger, lease, inHand, logger }: RenewParts): () => Promise<void> {
  let renewing = Promise.resolve();
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    isRenewing = true;
    try {
      await ledger.renewLeases(inHand(), lease);
    } catch (error) {
      logger.warn('leases.not_renewed', { error });
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => {
    if (!isRenewing) renewing = renew();
  }, lease.leaseMs / renewalsPerLease);
  return async () => {
    clearInterval(timer);
    await renewing;
  };
}
