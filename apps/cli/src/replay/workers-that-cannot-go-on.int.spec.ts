import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel, Worker } from 'node:worker_threads';
import { describe, expect, it, jest } from '@jest/globals';
import { type StreamFilter } from '@latch/event-store';
import { type RebuildVerdict } from '@latch/replay';
import { replayInWorkers, type WorkersOptions } from './replay-in-workers.ts';
import { rebuildJob, type ReplayJob } from './replay-job.ts';

jest.setTimeout(30_000);

describe('a replay whose worker cannot go on', () => {
  async function* threeStretches(): AsyncGenerator<StreamFilter> {
    for (const limit of [1, 2, 3]) yield { limit };
  }
  const ending = new URL('./fixtures/ending-worker.mjs', import.meta.url);
  const fake = (databaseUrl: string): WorkersOptions<RebuildVerdict> => ({
    ...{ job: rebuildJob, workers: 2, file: ending },
    access: { databaseUrl, personalData: 'clear' },
  });

  it('ends when a worker dies', async () => {
    await expect(replayInWorkers(threeStretches(), fake('exit'))).rejects.toThrow(
      'A worker of the replay ended before its work was done, with code 7',
    );
    await expect(replayInWorkers(threeStretches(), fake('throw'))).rejects.toThrow(
      'A worker of the replay failed: out of range',
    );
  });

  it.each(['hang', 'hang at its end'])('ends at once when somebody stops it, whose workers %s', async (what) => {
    const stop = new AbortController();
    const replay = replayInWorkers(threeStretches(), { ...fake(what), signal: stop.signal });
    setTimeout(() => stop.abort(new Error('Stopped by SIGINT.')), 500);
    await expect(replay).rejects.toThrow('Stopped by SIGINT.');
  });

  it('ends with what a worker says that fails at its end, and would go on living', async () => {
    const replay = replayInWorkers(threeStretches(), fake('fail at its end'));
    await expect(replay).rejects.toThrow('the connections cannot be closed');
  });

  it('has workers that end when they are told to, also without a database', async () => {
    const file = new URL('../../dist/replay/replay-worker.js', import.meta.url);
    const nowhere = { databaseUrl: 'postgres://latch@127.0.0.1:1/latch', personalData: 'clear' };
    const worker = new Worker(file, { workerData: { access: nowhere, order: rebuildJob.order } });
    worker.postMessage('end');
    const patience = setTimeout(() => void worker.terminate(), 20_000);
    expect(await once(worker, 'exit')).toEqual([0]);
    clearTimeout(patience);
  });

  it('leaves none running that was started before one that cannot be', async () => {
    let sent = 0;
    const sendable: RebuildOrder = {
      get word() {
        if (sent++ > 0) throw new Error('no second worker');
        return 'rebuild' as const;
      },
    };
    const options = { ...fake('hang'), job: { ...rebuildJob, order: sendable } };
    await expect(replayInWorkers(threeStretches(), options)).rejects.toThrow('no second worker');
    expect(await livingFor(500)).toEqual([]);
  });

  it('starts no more workers than there are stretches', async () => {
    const heard = livingFor(1_000);
    await replayInWorkers(threeStretches(), { ...fake('work'), workers: 8 });
    expect(await heard).toHaveLength(3);
  });

  type RebuildOrder = Extract<ReplayJob<RebuildVerdict>['order'], { readonly word: 'rebuild' | 'redecide' }>;

  /** The fake workers that live at some time from now on, by their number. */
  async function livingFor(ms: number): Promise<readonly unknown[]> {
    const living = new Set<unknown>();
    const channel = new BroadcastChannel('latch-workers-of-a-spec');
    channel.onmessage = (message): void => void living.add(Object(message).data);
    await sleep(ms);
    channel.close();
    return [...living];
  }
});
