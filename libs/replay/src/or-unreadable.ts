import { type StoredStream } from '@latch/event-store';

/** The verdict on a stream that can be neither folded nor decided. */
export type Unreadable = {
  readonly kind: 'unreadable';
  /** `altered`: the record or the sealed part of an event does not open. Else the name of the error; its words may hold what was said. */
  readonly error: string;
};

/**
 * What a check of a stream shows, also when somebody has altered an event of it: one that does not open is no fact, and over one that opens to something else the engine
 * trips, which takes facts as they come. Where the chain of such a stream verifies, it is a fault of this release.
 *
 * @throws whatever else the check throws, such as a database that is away.
 */
export async function orUnreadable<V>(
  stream: StoredStream,
  check: (stream: StoredStream) => V | Promise<V>,
): Promise<V | Unreadable> {
  if (stream.events.some(({ isAltered }) => isAltered === true)) return { kind: 'unreadable', error: 'altered' };
  try {
    return await check(stream);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return { kind: 'unreadable', error: error.name };
    throw error;
  }
}
