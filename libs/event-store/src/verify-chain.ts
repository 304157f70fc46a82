import { failure, type Result, success } from '@latch/contracts';
import { type ChainedEvent, type ChainedStream, eventHash, genesisHash } from './hash-chain.ts';

/** The first place where a stream is not what was written. */
export type ChainBreak = {
  /** Version of the first bad or missing event. */
  readonly version: number;
  readonly reason: 'missing' | 'altered' | 'truncated' | 'extended';
};

/**
 * Checks a whole stream, from its first event to the head that the conversation remembers: each version is there once, each hash follows from
 * the event and the one before (invariant I15).
 */
export function verifyChain(
  stream: ChainedStream,
  events: readonly (ChainedEvent & { readonly hash: string })[],
  head: { readonly version: number; readonly hash: string },
): Result<undefined, ChainBreak> {
  let previous = genesisHash(stream);
  for (const [index, event] of events.entries()) {
    const version = index + 1;
    if (event.version !== version) return failure({ version, reason: 'missing' });
    if (event.hash !== eventHash(stream.streamId, previous, event)) return failure({ version, reason: 'altered' });
    previous = event.hash;
  }
  if (events.length < head.version) return failure({ version: events.length + 1, reason: 'truncated' });
  if (events.length > head.version) return failure({ version: head.version + 1, reason: 'extended' });
  return previous === head.hash ? success(undefined) : failure({ version: head.version, reason: 'altered' });
}
