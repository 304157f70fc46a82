import { setTimeout as pause } from 'node:timers/promises';
import { type BusMessage } from '@latch/contracts';
import { type EventStore, type StoredStream } from '@latch/event-store';
import { markAsReplay } from '@latch/messaging';
import { pinnedConfigs } from '@latch/replay';
import { messagesOfStream, type Reemission } from './messages-of-stream.ts';
import { type ReemissionCursor } from './reemission-cursor.ts';

/** How a reemission goes on. */
export type ReemissionOptions = {
  readonly what: Reemission;
  readonly cursor: ReemissionCursor;
  /** Messages a second. */
  readonly rate: number;
  /** Stop after so many in this run. */
  readonly limit?: number;
  /** Publishes; a message may be published twice when a run is broken off, under the same id. */
  readonly publish: (messages: readonly BusMessage[]) => Promise<void>;
  /** Told the place after each stream. */
  readonly onProgress: (cursor: ReemissionCursor, stream: StoredStream) => void;
  readonly isStopped: () => boolean;
};

/**
 * Publishes again what streams once published to a topic, stream by stream and in order within each, marked as replay and never faster than told. It reads
 * the store and writes nothing to it.
 *
 * @returns the place where it ended.
 */
export async function reemitStreams(
  store: Pick<EventStore, 'readConfigVersion' | 'readTurns'>,
  streams: AsyncIterable<StoredStream>,
  options: ReemissionOptions,
): Promise<ReemissionCursor> {
  const { what, limit = Number.POSITIVE_INFINITY } = options;
  const sources = { store, configs: pinnedConfigs(store) };
  const begin = options.cursor.published;
  let { cursor } = options;
  const pacer = pacerOf(options.rate);
  for await (const stream of streams) {
    const messages = await messagesOfStream(stream, what, sources);
    if (options.isStopped() || cursor.published - begin + messages.length > limit) return cursor;
    await publishPaced(messages, pacer, options);
    cursor = { ...cursor, after: stream.conversation.streamId, published: cursor.published + messages.length };
    options.onProgress(cursor, stream);
  }
  return { ...cursor, isDone: true };
}

async function publishPaced(
  messages: readonly BusMessage[],
  pacer: (count: number) => Promise<void>,
  { cursor, publish }: ReemissionOptions,
): Promise<void> {
  const { runId } = cursor;
  for (let from = 0; from < messages.length; from += chunk) {
    const some = messages.slice(from, from + chunk);
    await pacer(some.length);
    const at = new Date().toISOString();
    await publish(some.map((message) => markAsReplay(message, { runId, at })));
  }
}

/** Messages that are published at once. */
const chunk = 50;

/** Waits as long as it takes that no more than `rate` messages a second have gone since the begin. */
function pacerOf(rate: number): (count: number) => Promise<void> {
  const begin = performance.now();
  let sent = 0;
  return async (count) => {
    const dueMs = begin + (sent / rate) * 1000;
    sent += count;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await pause(waitMs);
  };
}
