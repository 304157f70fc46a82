import { type EventStore } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import { type CliSettings } from '../config.ts';
import { assertTenantIsThere } from '../replay/assert-tenant-is-there.ts';
import { keptSinceOf } from '../replay/kept-since.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { progressBar } from '../replay/progress-bar.ts';
import { projectStream } from '../replay/project-stream.ts';
import { runCommand } from '../run-command.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch projections rebuild`. */
export type ProjectionsOptions = { readonly tenant?: string; readonly json?: boolean };

/**
 * `latch projections rebuild`: makes transactions, items, turns and approved calls again from the events, while the system runs. Ends with 1 when there are conversations
 * whose events prove nothing: theirs stay as they are.
 */
export async function rebuildProjectionsOfStore(settings: CliSettings, options: ProjectionsOptions): Promise<void> {
  const { tenant, json } = options;
  await runCommand(options, () =>
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
        assertTenantIsThere(tenant, done.streams + done.skipped + done.changed + done.left);
        const isWhole = done.unprovable === 0;
        if (json) print(JSON.stringify({ word: 'projections', outcome: isWhole ? 'done' : 'unprovable', ...done }));
        else printLines(linesOf(done));
        return isWhole;
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
  unprovable,
  left,
  mayBegin,
}: Awaited<ReturnType<EventStore['rebuildProjections']>>): readonly string[] {
  return [
    `${transactions} transactions of ${streams} conversations made again from their events: ${changed} rows were changed`,
    ...(left > 0 ? [`${left} rows differ and stay: \`latch projections verify\` names them`] : []),
    ...(mayBegin > 0 ? [`${mayBegin} calls may still begin: run it again in two minutes to be sure of them`] : []),
    ...(skipped > 0 ? [`${skipped} conversations were left as they are`] : []),
    ...(unprovable > 0
      ? [`${unprovable} of them because their events do not prove their rows: \`latch projections verify\` names why`]
      : []),
  ];
}
