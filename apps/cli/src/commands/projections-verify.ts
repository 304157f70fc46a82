import { isPersonal, type ProjectionDifference, type ProjectionsReport } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { firstDifference, pinnedConfigs } from '@latch/replay';
import { type CliSettings } from '../config.ts';
import { keptSinceOf } from '../replay/kept-since.ts';
import { progressBar } from '../replay/progress-bar.ts';
import { projectStream } from '../replay/project-stream.ts';
import { runReplay } from '../replay/run-replay.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { print } from '../terminal.ts';
import { type ProjectionsOptions } from './projections-rebuild.ts';

/** `latch projections verify`: compares every row that is made from the events with what the events say, while the system runs; it changes nothing. */
export async function verifyProjectionsOfStore(settings: CliSettings, options: ProjectionsOptions): Promise<void> {
  const { tenant, json } = options;
  await runReplay(options, () =>
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
      const seconds = (performance.now() - begin) / 1000;
      if (json) print(JSON.stringify(jsonOf(report, seconds)));
      else linesOf(report, seconds).forEach((line) => print(line));
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
    first: first && shownOf(first),
    places: places.map(({ place, count, first: met }) => ({ place, count, first: shownOf(met) })),
  };
}

function linesOf({ places, ...counts }: ProjectionsReport, seconds: number): readonly string[] {
  const { streams, erased, rows, differ, differences, events } = counts;
  const rate = seconds > 0 ? Math.round(events / seconds) : 0;
  const note = (count: number, text: string): readonly string[] => (count > 0 ? [`${count} ${text}`] : []);
  return [
    ...places.flatMap(linesOfPlace),
    `${rows} rows of ${streams - erased} conversations compared with their events`,
    ...note(differences, `differences, in ${differ} conversations and in rows of none`),
    ...note(erased, 'erased: their personal data is gone, and their rows are not compared'),
    ...note(counts.letGo, 'rows are not there any more: retention has let them go'),
    ...note(
      counts.rebuilt,
      'calls stand in the ledger as rebuilt: they agree with the events, and are no evidence of their own',
    ),
    `${events} events in ${seconds.toFixed(1)} s, ${rate} a second`,
  ];
}

function linesOfPlace({ place, count, first }: ProjectionsReport['places'][number]): readonly string[] {
  const { kind, row, where, path, stored, found } = shownOf(first);
  const times = count === 1 ? '' : `, ${count} times; first`;
  return [
    `${place} ${words[kind]}${times}: ${row} of ${where}${path === undefined ? '' : ` at ${path}`}`,
    ...(kind === 'changed' ? [`  stored     ${briefly(stored)}`, `  the events ${briefly(found)}`] : []),
  ];
}

const words: Readonly<Record<ProjectionDifference['kind'], string>> = {
  changed: 'differs',
  missing: 'lacks a row',
  extra: 'has a row that the events know nothing of',
  orphan: 'has a row that belongs to no conversation',
  unprovable: 'does not prove the rows of a conversation: its events cannot be read, or its configuration is gone',
};

type Shown = Pick<ProjectionDifference, 'kind' | 'table' | 'row' | 'column' | 'stored' | 'found'> & {
  readonly where: string;
  readonly path?: string;
};

/** A difference as it may be seen: of a column that may hold something personal only the place inside, never what stands there. */
function shownOf(difference: ProjectionDifference): Shown {
  const { kind, table, row, column, tenantId, conversationKey } = difference;
  const where = conversationKey ?? `tenant ${tenantId}`;
  const place = { kind, table, row, column, where };
  if (kind !== 'changed') return { ...place, stored: null, found: null };
  const { path, ...values } = firstDifference(difference.stored, difference.found) ?? { path: '$', ...difference };
  const { stored, found } = isPersonal(difference) ? { stored: hidden, found: hidden } : values;
  return { ...place, stored, found, ...(path !== '$' && { path }) };
}

const hidden = '(not shown: personal)';

function briefly(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
