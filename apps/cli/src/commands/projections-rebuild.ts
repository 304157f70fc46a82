import { type EventStore } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import { type CliSettings } from '../config.ts';
import { keptSinceOf } from '../replay/kept-since.ts';
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
        const keptSince = await keptSinceOf(settings, await store.now());
        const done = await store.rebuildProjections({
          ...filter,
          read: readToolResult,
          keptSince,
          project: (stream) => projectStream(stream, configs),
          onProgress: ({ streams, transactions }) => bar.show({ conversations: streams, events: transactions }),
        });
        bar.done();
        if (json) print(JSON.stringify({ word: 'projections', outcome: 'done', ...done }));
        else linesOf(done).forEach((line) => print(line));
        return true;
      },
      'latch_maintenance',
    ),
  );
}

function linesOf({
  transactions,
  streams,
  changed,
  skipped,
  left,
  mayBegin,
}: Awaited<ReturnType<EventStore['rebuildProjections']>>): readonly string[] {
  return [
    `${transactions} transactions of ${streams} conversations made again from their events: ${changed} rows were changed`,
    ...(left > 0 ? [`${left} rows differ and stay: \`latch projections verify\` names them`] : []),
    ...(mayBegin > 0 ? [`${mayBegin} calls may still begin: run it again in two minutes to be sure of them`] : []),
    ...(skipped > 0 ? [`${skipped} conversations were left as they are: erased, or their configuration is gone`] : []),
  ];
}
