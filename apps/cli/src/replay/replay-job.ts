import { type PlatformConfig } from '@latch/contracts';
import { type EventStore, type StoredStream } from '@latch/event-store';
import {
  againstReport,
  type AgainstReport,
  type AgainstVerdict,
  joinReports,
  joinSummaries,
  pinnedConfigs,
  rebuildStream,
  type RebuildVerdict,
  redecideAgainst,
  redecideStream,
  type RedecideVerdict,
  type ReplayProgress,
  replayStreams,
  type ReplaySummary,
} from '@latch/replay';

/** What a worker is told to do: plain data. */
export type ReplayOrder =
  | { readonly word: 'rebuild' | 'redecide' }
  | { readonly word: 'redecide_against'; readonly agents: PlatformConfig['agents']; readonly show: number };

/** What a replay has shown. */
export type Replayed<V> = { readonly summary: ReplaySummary<V>; readonly report: AgainstReport };

/** Replays some streams. */
export type Replay<V> = (
  streams: AsyncIterable<StoredStream>,
  onProgress?: (progress: ReplayProgress) => void,
) => Promise<Replayed<V>>;

/** A replay that can be done in one piece or in stretches, here or in a worker, with the same result. */
export type ReplayJob<V> = {
  readonly order: ReplayOrder;
  readonly prepare: (store: EventStore) => Replay<V>;
  /** Two neighbouring stretches as one. */
  readonly join: (one: Replayed<V>, next: Replayed<V>) => Replayed<V>;
};

const mostFindings = 100;
const nothingReported = againstReport(0).report();

/** `latch replay rebuild`. */
export const rebuildJob: ReplayJob<RebuildVerdict> = {
  order: { word: 'rebuild' },
  prepare: () => async (streams, onProgress) => {
    const summary = await replayStreams(streams, { check: rebuildStream, mostFindings, ...told(onProgress) });
    return { summary, report: nothingReported };
  },
  join: joinWith({ findings: mostFindings, shown: 0 }),
};

/** `latch replay redecide`. */
export const redecideJob: ReplayJob<RedecideVerdict> = {
  order: { word: 'redecide' },
  prepare: (store) => {
    const configs = pinnedConfigs(store);
    const check = async (stream: StoredStream): Promise<RedecideVerdict> => {
      await configs.load(stream);
      return redecideStream(stream, configs.agentOf);
    };
    return async (streams, onProgress) => {
      const summary = await replayStreams(streams, { check, mostFindings, ...told(onProgress) });
      return { summary, report: nothingReported };
    };
  },
  join: joinWith({ findings: mostFindings, shown: 0 }),
};

/** `latch replay redecide --against`: what differs stands in the report, and not among the findings. */
export function againstJob({ agents, show }: Omit<AgainstOrder, 'word'>): ReplayJob<AgainstVerdict> {
  const check = (stream: StoredStream): AgainstVerdict => {
    const { agentId } = stream.conversation;
    return redecideAgainst(stream, Object.hasOwn(agents, agentId) ? agents[agentId] : undefined);
  };
  return {
    order: { word: 'redecide_against', agents, show },
    prepare: () => async (streams, onProgress) => {
      const gathered = againstReport(show);
      const options = { check, onVerdict: gathered.add, mostFindings: 0, ...told(onProgress) };
      const summary = await replayStreams(streams, options);
      return { summary, report: gathered.report() };
    },
    join: joinWith({ findings: 0, shown: show }),
  };
}

type AgainstOrder = Extract<ReplayOrder, { readonly word: 'redecide_against' }>;

/** The job of an order, in the worker that got it. */
export function jobOf(
  order: ReplayOrder,
): ReplayJob<RebuildVerdict> | ReplayJob<RedecideVerdict> | ReplayJob<AgainstVerdict> {
  if (order.word === 'redecide_against') return againstJob(order);
  return order.word === 'rebuild' ? rebuildJob : redecideJob;
}

function told(onProgress: ((progress: ReplayProgress) => void) | undefined): object {
  return onProgress === undefined ? {} : { onProgress };
}

function joinWith<V>(most: { readonly findings: number; readonly shown: number }): ReplayJob<V>['join'] {
  return (one, next) => ({
    summary: joinSummaries(one.summary, next.summary, most.findings),
    report: joinReports(one.report, next.report, most.shown),
  });
}
