import { RetryableError } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type Logger, repeat } from '@latch/observability';
import { type DeadlineWork, type Work, workOfDeadline } from './work.ts';

/** What the sweeper needs. */
export type DeadlineParts = {
  readonly store: Pick<EventStore, 'dueDeadlines'>;
  readonly handle: (work: readonly Work[]) => Promise<void>;
  /** Takes a deadline that cannot be handled out of the way. */
  readonly postpone: (work: DeadlineWork) => Promise<void>;
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
  const round = async (): Promise<void> => {
    const due = (await parts.store.dueDeadlines({ limit: parts.maxBatch })).map(workOfDeadline);
    if (due.length > 0) await wake(due, parts);
  };
  // A failed sweep is made up for by the next one: the deadlines are still there.
  const onError = (error: unknown): void => parts.logger.warn('deadlines.sweep_failed', { error });
  return repeat({ round, everyMs: parts.pollMs, waitsFirst: true, onError });
}

/** One conversation that cannot be woken must not keep the others asleep. */
async function wake(due: readonly DeadlineWork[], parts: DeadlineParts): Promise<void> {
  try {
    await parts.handle(due);
  } catch (error) {
    if (error instanceof RetryableError) throw error;
    const [only, ...others] = due;
    if (others.length > 0) {
      for (const one of due) await wake([one], parts);
      return;
    }
    if (!only) return;
    parts.logger.error('deadlines.not_handled', { error, conversation_key: only.identity.conversationKey });
    await parts.postpone(only);
  }
}
