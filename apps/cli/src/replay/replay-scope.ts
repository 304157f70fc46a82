import { type EventStore, type StoredStream, type StreamFilter } from '@latch/event-store';
import { assertTenantIsThere } from './assert-tenant-is-there.ts';
import { progressBar } from './progress-bar.ts';
import { replayInWorkers } from './replay-in-workers.ts';
import { type Replayed, type ReplayJob } from './replay-job.ts';
import { shareWork } from './share-work.ts';
import { untilStopped } from './until-stopped.ts';
import { type StoreAccess } from './open-audited-store.ts';

/** Which conversations a command is about, as its options say. */
export type ReplayScope = {
  readonly conversation?: string;
  readonly tenant?: string;
  readonly since?: string;
  readonly limit?: number;
};

/** How to replay them. */
export type ScopeOptions<V> = {
  readonly job: ReplayJob<V>;
  /** How many workers share the conversations; 1: they are replayed here. Undefined: as many as are worth it. */
  readonly workers: number | undefined;
  /** Aborted when somebody wants it to end at once. */
  readonly signal?: AbortSignal;
};

/**
 * Replays the conversations of a scope with a progress bar. What it shows does not depend on how many workers there are.
 *
 * @throws Error when one conversation or tenant is named and there is none such, or when the signal is aborted.
 */
export async function replayScope<V>(
  { store, access }: { readonly store: EventStore; readonly access: StoreAccess },
  scope: ReplayScope,
  { job, workers, signal }: ScopeOptions<V>,
): Promise<Replayed<V>> {
  const filter = filterOf(scope);
  const total = scope.conversation === undefined ? await store.streams.count(filter) : 1;
  if (total === 0) await assertScopeIsThere(store, scope);
  const bar = progressBar(total);
  const begin = performance.now();
  const here = (streams: AsyncIterable<StoredStream>): Promise<Replayed<V>> =>
    untilStopped(signal, job.prepare(store)(stoppable(streams, signal), bar.show));
  const replayed = async (): Promise<Replayed<V>> => {
    if (scope.conversation !== undefined) return here(oneStream(store, scope.conversation));
    const { workers: sharing, inStretch } = shareWork(total, workers);
    if (sharing === 1) return here(store.streams.read(filter));
    const options = { job, access, workers: sharing, onProgress: bar.show, ...(signal && { signal }) };
    return (await replayInWorkers(store.streams.cut(filter, inStretch), options)) ?? here(noStreams());
  };
  try {
    const { summary, report } = await replayed();
    return { summary: { ...summary, seconds: (performance.now() - begin) / 1000 }, report };
  } finally {
    bar.done();
  }
}

/** Nothing that has changed since is no mistake; a tenant that nobody ever spoke to is one. */
async function assertScopeIsThere(store: EventStore, { tenant }: ReplayScope): Promise<void> {
  if (tenant !== undefined) assertTenantIsThere(tenant, await store.streams.count({ tenantId: tenant }));
}

/** The streams, until the signal is aborted. */
async function* stoppable(
  streams: AsyncIterable<StoredStream>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredStream, void, undefined> {
  for await (const stream of streams) {
    signal?.throwIfAborted();
    yield stream;
  }
}

async function* noStreams(): AsyncGenerator<StoredStream, void, undefined> {}

function filterOf({ tenant, since, limit }: ReplayScope): StreamFilter {
  return {
    ...(tenant !== undefined && { tenantId: tenant }),
    ...(since !== undefined && { changedSince: since }),
    ...(limit !== undefined && { limit }),
  };
}

async function* oneStream(store: EventStore, key: string): AsyncGenerator<StoredStream, void, undefined> {
  yield await findStream(store, key);
}

/** The stream of a conversation key, which begins with its tenant. @throws Error when there is none. */
export async function findStream(store: EventStore, key: string): Promise<StoredStream> {
  const tenantId = key.slice(0, Math.max(0, key.indexOf(':')));
  const stream = await store.streams.one(tenantId, key);
  if (stream === undefined) throw new Error(`there is no conversation ${key}`);
  return stream;
}
