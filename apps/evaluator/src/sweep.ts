import { repeat } from '@latch/observability';
import { type EvaluatorSettings } from './config.ts';
import { judgeOverdue, type Judging } from './judge-turns.ts';

const limit = 64;
const hourMs = 3_600_000;

type Waits = Pick<EvaluatorSettings, 'LATCH_EVIDENCE_WAIT_MS' | 'LATCH_EVIDENCE_KEEP_HOURS' | 'LATCH_SWEEP_EVERY_MS'>;

/**
 * Now and then judges the answers that have waited long enough, also those that a crash left, and deletes old evidence. Any number of replicas may sweep: a
 * turn that two of them judge gets one result.
 *
 * @returns a function that stops the sweeper and waits for the sweep that is running.
 */
export function startSweep(judging: Judging, waits: Waits): () => Promise<void> {
  const round = (isStopped: () => boolean): Promise<void> => sweep(judging, { ...waits, isStopped });
  // A failed sweep is made up for by the next one, and one that is stopped by the one after the restart: what waits is still there.
  const onError = (error: unknown): void => judging.logger.warn('sweep.failed', { error });
  return repeat({ round, everyMs: waits.LATCH_SWEEP_EVERY_MS, waitsFirst: true, onError });
}

async function sweep(judging: Judging, { isStopped, ...waits }: Waits & { isStopped(): boolean }): Promise<void> {
  let isMore = true;
  while (isMore && !isStopped()) {
    isMore = (await judgeOverdue(judging, { waitMs: waits.LATCH_EVIDENCE_WAIT_MS, limit })) === limit;
  }
  const now = await judging.store.now();
  await judging.store.forgetEvidenceBefore(new Date(now.getTime() - waits.LATCH_EVIDENCE_KEEP_HOURS * hourMs));
}
