import { RetryableError } from '@latch/contracts';
import { erasureEvent } from './bury-erased.ts';
import { eventHash, genesisHash } from './hash-chain.ts';
import { type ProjectionDifference } from './projection-difference.ts';
import { type StoredStream } from './read-streams.ts';
import { type Projector, type StreamProjection } from './stream-projection.ts';

/** Where and why the events of a stream prove nothing of its rows. */
export type Unprovable = Pick<ProjectionDifference, 'table' | 'row' | 'found'> & { readonly reason: string };

/** What the events of a stream prove, or why they prove nothing: its person was erased, or they cannot be trusted, read or understood. */
export type ProvenStream =
  { readonly projection: StreamProjection } | { readonly projection: null; readonly why: 'erased' | Unprovable };

/**
 * Makes the projection of a stream if its events can be trusted: every one of them follows from the one before, as its hash says. What makes them is not asked
 * otherwise: from broken events it makes wrong rows, or fails in any way.
 *
 * @throws RetryableError when what it takes cannot be read now. Every other error is a reason.
 */
export async function proveStream(stream: StoredStream, project: Projector): Promise<ProvenStream> {
  const { events, conversation } = stream;
  const row = conversation.streamId;
  const altered = firstAltered(stream);
  if (altered !== undefined) {
    const why = { table: 'events', row: `${row}/${altered}`, found: undefined, reason: 'event_altered' } as const;
    return { projection: null, why };
  }
  if (events.some(({ type, isErased }) => isErased === true || type === erasureEvent)) {
    return { projection: null, why: 'erased' };
  }
  try {
    const projection = await project(stream);
    if (projection !== null) return { projection };
    const found = conversation.configDigest;
    const why = { table: 'config_versions', row: found ?? row, found, reason: 'configuration_gone' } as const;
    return { projection: null, why };
  } catch (error) {
    if (error instanceof RetryableError) throw error;
    const reason = error instanceof Error ? error.name : 'unknown_error';
    return { projection: null, why: { table: 'events', row, found: undefined, reason } };
  }
}

/** The version of the first event that is not the one that was appended. */
function firstAltered({ conversation, events }: StoredStream): number | undefined {
  let previous = genesisHash(conversation);
  for (const [index, event] of events.entries()) {
    const isOwn = event.version === index + 1 && event.isAltered !== true;
    if (!isOwn || event.hash !== eventHash(conversation.streamId, previous, event)) return index + 1;
    previous = event.hash;
  }
  return undefined;
}
