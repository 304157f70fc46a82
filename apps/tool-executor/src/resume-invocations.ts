import { type EventStore, type Lease } from '@latch/event-store';
import { type Logger } from '@latch/observability';
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
export function startResuming(parts: ResumeParts): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const sweepAgain = async (): Promise<void> => {
    await sweep(parts);
    if (isStopped) return;
    timer = setTimeout(() => {
      sweeping = sweepAgain();
    }, parts.everyMs);
  };
  let sweeping = sweepAgain();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await sweeping;
  };
}

/** A failed sweep is made up for by the next one: the leases stay ended. */
async function sweep({ ledger, clock, lease, enqueue, room, onSwept, logger }: ResumeParts): Promise<void> {
  const limit = Math.min(sweepLimit, room());
  // A full pool is no trouble: what is left waits for room.
  if (limit <= 0) return onSwept?.();
  try {
    await clock.set();
    const left = await ledger.resumable({ ...lease, limit });
    for (const { approved, attempts } of left) enqueue({ approved, attempts, traceparent: traceparentOf(approved) });
    if (left.length > 0) logger.info('invocations.resumed', { count: left.length });
    onSwept?.();
  } catch (error) {
    logger.warn('invocations.resume_failed', { error });
  }
}
