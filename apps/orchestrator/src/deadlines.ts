import { type EventStore } from '@latch/event-store';
import { type Logger } from '@latch/observability';
import { type Work, workOfDeadline } from './work.ts';

/** What the sweeper needs. */
export type DeadlineParts = {
  readonly store: Pick<EventStore, 'dueDeadlines'>;
  readonly handle: (work: readonly Work[]) => Promise<void>;
  readonly logger: Logger;
  readonly pollMs: number;
  readonly maxBatch: number;
};

/**
 * Wakes the conversations whose deadline has passed, as ordinary inputs of the same handler. Any number of replicas may sweep: a deadline is claimed in the
 * inbox like a message, and the conversation is loaded and decided again.
 *
 * @returns a function that stops the sweeper and waits for the sweep that is running.
 */
export function startDeadlines(parts: DeadlineParts): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  const next = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      sweeping = sweep(parts).finally(next);
    }, parts.pollMs);
  };
  next();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await sweeping;
  };
}

/** A failed sweep is tried again at the next poll: the deadlines are still there. */
async function sweep({ store, handle, logger, maxBatch }: DeadlineParts): Promise<void> {
  try {
    const due = await store.dueDeadlines({ limit: maxBatch });
    if (due.length > 0) await handle(due.map(workOfDeadline));
  } catch (error) {
    logger.warn('deadlines.sweep_failed', { error });
  }
}
