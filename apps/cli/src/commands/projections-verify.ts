import { type ProjectionDifference, type ProjectionsReport } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import { type CliSettings } from '../config.ts';
import { assertTenantIsThere } from '../replay/assert-tenant-is-there.ts';
import { briefly } from '../replay/briefly.ts';
import { keptSinceOf } from '../replay/kept-since.ts';
import { progressBar } from '../replay/progress-bar.ts';
import { projectStream } from '../replay/project-stream.ts';
import { runCommand } from '../run-command.ts';
import { showDifference } from '../replay/show-difference.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { print, printLines } from '../terminal.ts';
import { type ProjectionsOptions } from './projections-rebuild.ts';

/** `latch projections verify`: compares every row that is made from the events with what the events say, while the system runs; it changes nothing. */
export async function verifyProjectionsOfStore(settings: CliSettings, options: ProjectionsOptions): Promise<void> {
  const { tenant, json } = options;
  await runCommand(options, () =>
    withAuditedStore(settings, async (store) => {
      const filter = tenant === undefined ? {} : { tenantId: tenant };
      const bar = progressBar(await store.streams.count(filter));
      const configs = pinnedConfigs(store);
      const begin = performance.now();
      const report = await store.verifyProjections({
        ...filter,
        read: readToolResult,
        keptSince: await keptSinceOf(settings, await store.now()),
        project: (stream) => projectStream(stream, configs),
        onProgress: ({ streams, events }) => bar.show({ conversations: streams, events }),
      });
      bar.done();
      if (report.differences === 0) assertTenantIsThere(tenant, report.streams);
      const seconds = (performance.now() - begin) / 1000;
      if (json) print(JSON.stringify(jsonOf(report, seconds)));
      else printLines(linesOf(report, seconds));
      return report.differences === 0;
    }),
  );
}

function jsonOf({ first, places, ...counts }: ProjectionsReport, seconds: number): object {
  return {
    word: 'projections_verify',
    outcome: counts.differences === 0 ? 'equal' : 'differs',
    ...counts,
    seconds,
    first: first && showDifference(first),
    places: places.map(({ first: met, ...place }) => ({ ...place, first: showDifference(met) })),
  };
}

function linesOf({ places, ...counts }: ProjectionsReport, seconds: number): readonly string[] {
  const { streams, erased, rows, differ, differences, events } = counts;
  const rate = seconds > 0 ? Math.round(events / seconds) : 0;
  const note = (count: number, text: string): readonly string[] => (count > 0 ? [`${count} ${text}`] : []);
  return [
    ...places.flatMap(linesOfPlace),
    `${rows} rows of ${streams - erased} conversations compared with their events`,
    ...(differences > 0
      ? [`${countOf(differences, counts.isAtLeast)} differences, in ${differ} conversations and in rows of none`]
      : []),
    ...note(erased, 'erased: their personal data is gone, and their rows are not compared'),
    ...note(counts.letGo, 'rows are not there any more: retention has let them go'),
    ...note(counts.refused, 'turns were refused without being handled: only their answers tell of them'),
    ...note(
      counts.rebuilt,
      'calls stand in the ledger as rebuilt: they agree with the events, and are no evidence of their own',
    ),
    `${events} events in ${seconds.toFixed(1)} s, ${rate} a second`,
  ];
}

function linesOfPlace({ place, count, isAtLeast, first }: ProjectionsReport['places'][number]): readonly string[] {
  const { kind, reason, row, where, path, stored, found } = showDifference(first);
  const times = count === 1 ? '' : `, ${countOf(count, isAtLeast)} times; first`;
  const what = kind === 'unprovable' ? `${words[kind]}: ${reasonOf(reason)}` : words[kind];
  return [
    `${place} ${what}${times}: ${row} of ${where}${path === undefined ? '' : ` at ${path}`}`,
    ...(kind === 'changed' ? [`  stored     ${briefly(stored)}`, `  the events ${briefly(found)}`] : []),
  ];
}

function countOf(count: number, isAtLeast: boolean): string {
  return isAtLeast ? `at least ${count}` : String(count);
}

const words: Readonly<Record<ProjectionDifference['kind'], string>> = {
  changed: 'differs',
  missing: 'lacks a row',
  extra: 'has a row that the events know nothing of',
  orphan: 'has a row that belongs to no conversation',
  unprovable: 'does not prove the rows of a conversation',
};

/** Damage, and a fault of ours that only looks like it. */
function reasonOf(reason = 'unknown_error'): string {
  if (reason === 'event_altered') return 'an event is not the one that was appended (latch verify tells more)';
  if (reason === 'configuration_gone') return 'its configuration is gone';
  return `making them failed with ${reason}; its events are whole, so this may be a fault of Latch`;
}
