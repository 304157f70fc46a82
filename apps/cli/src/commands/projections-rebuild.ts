import { pinnedConfigs } from '@latch/replay';
import { type CliSettings } from '../config.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { progressBar } from '../replay/progress-bar.ts';
import { projectStream } from '../replay/project-stream.ts';
import { runReplay } from '../replay/run-replay.ts';
import { print } from '../terminal.ts';

/** Options of `latch projections rebuild`. */
export type ProjectionsOptions = { readonly tenant?: string; readonly json?: boolean };

/** `latch projections rebuild`: makes transactions, items, turns and approved calls again from the events, while the system runs. */
export async function rebuildProjectionsOfStore(settings: CliSettings, options: ProjectionsOptions): Promise<void> {
  const { tenant, json } = options;
  await runReplay(options, () =>
    withAuditedStore(
      settings,
      async (store) => {
        const filter = tenant === undefined ? {} : { tenantId: tenant };
        const bar = progressBar(await store.streams.count(filter));
        const configs = pinnedConfigs(store);
        const done = await store.rebuildProjections({
          ...filter,
          project: (stream) => projectStream(stream, configs),
          onProgress: ({ streams, transactions }) => bar.show({ conversations: streams, events: transactions }),
        });
        bar.done();
        if (json) print(JSON.stringify({ word: 'projections', outcome: 'done', ...done }));
        else {
          print(`${done.transactions} transactions of ${done.streams} conversations made again from their events`);
          if (done.skipped > 0)
            print(`${done.skipped} conversations were left as they are: erased, or their configuration is gone`);
        }
        return true;
      },
      'latch_maintenance',
    ),
  );
}
