import { RetryableError, TerminalError } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type BatchContext } from './bus.ts';
import { reasonOf } from './dead-letter.ts';
import { type Received, type RecordProblem } from './parse-record.ts';
import { backoffMs, pause } from './pause.ts';

type Work = {
  readonly handle: (batch: readonly Received[], context: BatchContext) => Promise<void>;
  readonly context: BatchContext;
  readonly logger: Logger;
};

/** A message that fails on its own, with the reason of its last failure. */
export type Poison = { readonly received: Received; readonly reason: RecordProblem; readonly attempts: number };

/** How often a batch, and at the end a single message, is tried when its handler has a bug; how many time-outs or conflicts may follow each other. */
const maxTries = 3;

/**
 * How many time-outs in a row make a message that is handled alone poison: with statements of 15 s some four minutes, so that a slow spell of the database
 * costs time and no messages.
 */
const maxLoneTimeOuts = 12;

/**
 * Has a batch handled, whatever it takes:
 *
 * - broken infrastructure (RetryableError): the same batch again, with growing pauses, for as long as the partitions are ours. Never poison: a database that is
 *   away for an hour costs an hour, not an hour's messages;
 * - a time-out (RetryableError of kind `time_out`): the same batch again, but three in a row count as a bug, since the batch may be what takes too long; a
 *   message alone has twelve;
 * - a conflict (kind `conflict`): load and decide again, three in a row at most; then the batch goes back, and the bus delivers it again;
 * - a bug or a TerminalError: a few tries, then halves by conversation, down to the single message that fails on its own. Its neighbors are handled, also
 *   the later ones of its conversation.
 *
 * @returns the messages that failed on their own.
 * @throws the handler's error when the partitions are lost or conflicts do not end: nothing is decided, the batch comes again.
 */
export async function handlePersistently(batch: readonly Received[], work: Work): Promise<readonly Poison[]> {
  return handlePart(batch, { ...work, tries: maxTries, before: 0 });
}

type Part = Work & {
  /** How often this part may fail before it is halved. */
  readonly tries: number;
  /** How often its messages were tried as part of something larger. */
  readonly before: number;
};

async function handlePart(batch: readonly Received[], part: Part): Promise<readonly Poison[]> {
  const failed = await tryOften(batch, part);
  if (failed === undefined) return [];
  const attempts = part.before + failed.tries;
  const [first, ...others] = batch;
  if (first === undefined) return [];
  if (others.length === 0) return [{ received: first, reason: reasonOf(failed.error), attempts }];
  part.logger.warn('consumer.batch_halved', { error: failed.error, messages: batch.length });
  const poison: Poison[] = [];
  for (const half of halves(batch)) {
    // One message is tried as often as a whole batch: what failed beside others may have been their fault. A part in between need not wait.
    const tries = half.length === 1 ? maxTries : 1;
    poison.push(...(await handlePart(half, { ...part, tries, before: attempts })));
  }
  return poison;
}

type Failed = { readonly error: unknown; readonly tries: number };

/** What went wrong so far; time-outs and conflicts in a row. */
type Tally = { readonly bugs: number; readonly timeOuts: number; readonly conflicts: number };

async function tryOften(batch: readonly Received[], part: Part): Promise<Failed | undefined> {
  const { handle, context, logger } = part;
  let tally: Tally = { bugs: 0, timeOuts: 0, conflicts: 0 };
  for (let attempt = 1; ; attempt += 1) {
    context.progress();
    try {
      await handle(batch, context);
      return undefined;
    } catch (error) {
      tally = counted(tally, error);
      if (context.signal.aborted || tally.conflicts >= maxTries) throw error;
      if (error instanceof TerminalError || isHopeless(tally, batch, part)) {
        return { error, tries: tally.bugs + tally.timeOuts };
      }
      logger.warn('consumer.batch_repeated', { error, attempt, messages: batch.length });
      await pause(waitMs(error, attempt), context.signal);
      if (context.signal.aborted) throw error;
    }
  }
}

function counted({ bugs, timeOuts, conflicts }: Tally, error: unknown): Tally {
  if (!(error instanceof RetryableError)) return { bugs: bugs + 1, timeOuts: 0, conflicts: 0 };
  const { kind } = error.options;
  return { bugs, timeOuts: kind === 'time_out' ? timeOuts + 1 : 0, conflicts: kind === 'conflict' ? conflicts + 1 : 0 };
}

function isHopeless({ bugs, timeOuts }: Tally, batch: readonly Received[], { tries }: Part): boolean {
  return bugs >= tries || timeOuts >= (batch.length === 1 ? maxLoneTimeOuts : tries);
}

function waitMs(error: unknown, attempt: number): number {
  const asked = error instanceof RetryableError ? error.options.retryAfterMs : undefined;
  return Math.min(asked ?? backoffMs(attempt), 30_000);
}

/** By conversation, so that the order within one is kept whatever happens to a half; a single conversation by its messages. */
function halves(batch: readonly Received[]): readonly (readonly Received[])[] {
  const conversations = [...new Set(batch.map(({ envelope }) => envelope.conversation_key))];
  if (conversations.length === 1) return batch.map((received) => [received]);
  const left = new Set(conversations.slice(0, Math.ceil(conversations.length / 2)));
  return [
    batch.filter(({ envelope }) => left.has(envelope.conversation_key)),
    batch.filter(({ envelope }) => !left.has(envelope.conversation_key)),
  ];
}
