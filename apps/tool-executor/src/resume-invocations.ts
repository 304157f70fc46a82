import { type EventStore, type Lease } from '@latch/event-store';
import { type Logger, repeat } from '@latch/observability';
import { type DatabaseClock } from './database-clock.ts';
import { type InvocationWork } from './execute-invocation.ts';
import { traceparentOf } from './traceparent-of.ts';

/** What the sweep takes. */
export type ResumeParts = {
  readonly ledger: Pick<EventStore['ledger'], 'resumable'>;
  readonly clock: Pick<DatabaseClock, 'set'>;
  readonly lease: Lease;
  readonly enqueue: (work: InvocationWork) => void;
  /** How many more the pool has room for. */
  readonly room: () => number;
  readonly everyMs: number;
  /** Told after each sweep that succeeded. */
  readonly onSwept?: () => void;
  readonly logger: Logger;
};

const sweepLimit = 100;

/**
 * Takes over, at the start and now and then, what an instance left that crashed or hangs: every invocation without an outcome whose lease ended. Any number
 * of replicas may sweep.
 *
 * @returns a function that stops the sweep and waits for the one that is running.
 */
export function startResumingInvocations(parts: ResumeParts): () => Promise<void> {
  // A failed sweep is made up for by the next one: the leases stay ended.
  const onError = (error: unknown): void => parts.logger.warn('invocations.resume_failed', { error });
  return repeat({ round: () => sweep(parts), everyMs: parts.everyMs, onError });
}

async function sweep({ ledger, clock, lease, enqueue, room, onSwept, logger }: ResumeParts): Promise<void> {
  const limit = Math.min(sweepLimit, room());
  // A full pool is no trouble: what is left waits for room.
  if (limit <= 0) return onSwept?.();
  await clock.set();
  const left = await ledger.resumable({ ...lease, limit });
  for (const { approved, attempts } of left) enqueue({ approved, attempts, traceparent: traceparentOf(approved) });
  if (left.length > 0) logger.info('invocations.resumed', { count: left.length });
  onSwept?.();
}
