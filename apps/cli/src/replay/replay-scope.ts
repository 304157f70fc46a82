import { type EventStore, type StoredStream, type StreamFilter } from '@latch/event-store';
import { replayStreams, type ReplayOptions, type ReplaySummary } from '@latch/replay';
import { progressBar } from './progress-bar.ts';

/** Which conversations a command is about, as its options say. */
export type ReplayScope = {
  readonly conversation?: string;
  readonly tenant?: string;
  readonly since?: string;
  readonly limit?: number;
};

/**
 * Replays the conversations of a scope with a progress bar.
 *
 * @throws Error when one conversation is named and there is none such.
 */
export async function replayScope<V extends { readonly kind: 'equal' | 'erased' | 'differs' }>(
  store: EventStore,
  scope: ReplayScope,
  options: ReplayOptions<V>,
): Promise<ReplaySummary<V>> {
  const filter = filterOf(scope);
  const bar = progressBar(scope.conversation === undefined ? await store.streams.count(filter) : 1);
  const streams = scope.conversation === undefined ? store.streams.read(filter) : oneStream(store, scope.conversation);
  try {
    return await replayStreams(streams, { ...options, onProgress: bar.show });
  } finally {
    bar.done();
  }
}

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
