import { type StreamFilter } from '@latch/event-store';
import { JoinInOrder, type ReplayProgress } from '@latch/replay';
import { type Replayed, type ReplayJob } from './replay-job.ts';
import { sentAccess } from './replay-thread.ts';
import { ReplayThreads } from './replay-threads.ts';
import { untilStopped } from './until-stopped.ts';
import { type StoreAccess } from './open-audited-store.ts';

/** How to replay with several workers. */
export type WorkersOptions<V> = {
  readonly job: ReplayJob<V>;
  readonly access: StoreAccess;
  /** How many, at the most. */
  readonly workers: number;
  /** Told after each stretch. */
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** Aborted when somebody wants it to end at once. */
  readonly signal?: AbortSignal;
  /** What a worker runs. @default the worker of a replay, as it was built */
  readonly file?: URL;
};

/** Each worker has two stretches at a time: while it looks at one, the database gives it the next. */
const stretchesAtOnce = 2;

/** The built file, also when a test runs this one as it is written: a worker runs JavaScript. */
const builtWorker = new URL('../../dist/replay/replay-worker.js', import.meta.url);

/**
 * Replays stretches of streams in worker threads, each with its own connections to the store. A stretch goes to whoever is free, so that all have work until the
 * last ones; what they show is joined in the order of the stretches, so that it does not depend on who was faster, nor on how many there are.
 *
 * @returns undefined when there is no stretch.
 * @throws Error with the reason of the first worker that fails or dies. None is left running, whatever happens.
 */
export async function replayInWorkers<V>(
  stretches: AsyncIterable<StreamFilter>,
  { job, access, workers, onProgress, signal, file = builtWorker }: WorkersOptions<V>,
): Promise<Replayed<V> | undefined> {
  const threads = new ReplayThreads<V>(file, { access: sentAccess(access), order: job.order });
  const joined = new JoinInOrder(job.join);
  const done = { conversations: 0, events: 0 };
  const numbered = inNumbers(stretches);
  const work = async (worker: number): Promise<void> => {
    for await (const [number, stretch] of numbered) {
      const replayed = await threads.get(worker).replay(number, stretch);
      joined.add(number, replayed);
      done.conversations += replayed.summary.conversations;
      done.events += replayed.summary.events;
      onProgress?.({ ...done });
    }
  };
  // Each worker has its first stretch before any has its second.
  const all = async (): Promise<void> => {
    await Promise.all(Array.from({ length: workers * stretchesAtOnce }, (_, place) => work(place % workers)));
    await threads.end();
  };
  try {
    await untilStopped(signal, all());
    return joined.whole();
  } finally {
    await threads.kill();
  }
}

/** Each with its number, from 0. */
async function* inNumbers(
  stretches: AsyncIterable<StreamFilter>,
): AsyncGenerator<readonly [number, StreamFilter], void, undefined> {
  let number = 0;
  for await (const stretch of stretches) {
    yield [number, stretch];
    number += 1;
  }
}
