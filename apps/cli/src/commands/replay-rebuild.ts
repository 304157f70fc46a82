import { type EventStore } from '@latch/event-store';
import { identityOf, isAllEqual, type RebuildVerdict, type ReplaySummary, stateAt } from '@latch/replay';
import { toAgentState } from '@latch/transaction';
import { type CliSettings } from '../config.ts';
import { briefly } from '../replay/briefly.ts';
import { hideStates } from '../replay/hide-values.ts';
import { rebuildJob } from '../replay/replay-job.ts';
import { type StoreAccess } from '../replay/open-audited-store.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { unreadableLines } from '../replay/unreadable-lines.ts';
import { findStream, replayScope } from '../replay/replay-scope.ts';
import { runCommand, wholeNumberOption } from '../run-command.ts';
import { workersOption } from '../replay/share-work.ts';
import { stopSignal } from '../system/stop-signal.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch replay rebuild`. */
export type RebuildOptions = {
  readonly conversation?: string;
  readonly at?: string;
  readonly tenant?: string;
  readonly workers?: string;
  /** Show the values that differ, which may be personal. */
  readonly clear?: boolean;
  readonly json?: boolean;
};

/** `latch replay rebuild`: folds every stream and compares with the stored state; with `--at`, shows the state of one conversation at a version. */
export async function replayRebuild(settings: CliSettings, options: RebuildOptions): Promise<void> {
  await runCommand(options, () => {
    const workers = workersOption(options.workers);
    return withAuditedStore(settings, async (store, access) => {
      const at = wholeNumberOption('at', options.at);
      return at === undefined
        ? rebuildAll({ store, access }, { ...options, workers })
        : showState(store, { ...options, at });
    });
  });
}

async function rebuildAll(
  audited: { readonly store: EventStore; readonly access: StoreAccess },
  options: Omit<RebuildOptions, 'workers'> & { readonly workers: number | undefined },
): Promise<boolean> {
  const how = { job: rebuildJob, workers: options.workers, signal: stopSignal() };
  const replayed = await replayScope(audited, options, how);
  const summary = options.clear ? replayed.summary : hideStates(replayed.summary);
  if (options.json) print(JSON.stringify(jsonOf(summary)));
  else printLines(linesOf(summary));
  return isAllEqual(summary);
}

function jsonOf(summary: ReplaySummary<RebuildVerdict>): object {
  const { findings, ...counts } = summary;
  return { word: 'rebuild', outcome: isAllEqual(summary) ? 'equal' : 'differs', ...counts, findings };
}

function linesOf({ findings, ...counts }: ReplaySummary<RebuildVerdict>): readonly string[] {
  const differing = findings.flatMap(({ conversationKey, verdict }) => {
    if (verdict.kind !== 'differs') return [];
    const { path, stored, found } = verdict.difference;
    return [`${conversationKey} differs at ${path}`, `  stored  ${briefly(stored)}`, `  rebuilt ${briefly(found)}`];
  });
  const rate = counts.seconds > 0 ? Math.round(counts.events / counts.seconds) : 0;
  return [
    ...differing,
    `${counts.equal} of ${counts.conversations} conversations: the fold of their events is the stored state, byte for byte`,
    ...(counts.differ > 0 ? [`${counts.differ} differ`] : []),
    ...unreadableLines(counts.unreadable),
    ...(counts.erased > 0 ? [`${counts.erased} erased: personal data is gone, what is left folds`] : []),
    `${counts.events} events in ${counts.seconds.toFixed(1)} s, ${rate} a second`,
  ];
}

async function showState(
  store: EventStore,
  options: Omit<RebuildOptions, 'at'> & { readonly at: number },
): Promise<boolean> {
  const { conversation: key, at, json } = options;
  if (key === undefined) throw new Error('--at needs --conversation');
  const stream = await findStream(store, key);
  const found = stateAt(identityOf(stream), stream.events, at);
  if (!found.ok) throw new Error(whyNoState[found.error](key, stream.conversation.version));
  const { state, ...where } = found.value;
  if (json) print(JSON.stringify({ word: 'rebuild', conversation_key: key, ...where, state }));
  else print(JSON.stringify({ ...where, published: toAgentState(state), state }, undefined, 2));
  return true;
}

const whyNoState = {
  unknown_version: (key: string, version: number) => `${key} has ${version} events`,
  erased: (key: string) => `personal data of ${key} was erased: there is no state before the erasure`,
} as const;
