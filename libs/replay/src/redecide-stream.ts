import { type AgentConfig } from '@latch/contracts';
import { type EventStore, type StoredStream } from '@latch/event-store';
import { type AgentOf, type Divergence, initialState, redecide } from '@latch/transaction';
import { factsOf, identityOf, isWhole, livePartOf } from './stream-facts.ts';

/** What deciding a stream again has shown. */
export type RedecideVerdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'erased' }
  | { readonly kind: 'differs'; readonly divergence: Divergence };

/**
 * Makes every decision of a stream again, from the recorded inputs and readings and the configuration of each, and compares byte for byte. Pure: no socket, no
 * clock, no effect (invariant I21).
 */
export function redecideStream(stream: StoredStream, agentOf: AgentOf): RedecideVerdict {
  const live = livePartOf(stream.events);
  if (!isWhole(live)) return { kind: 'erased' };
  const divergence = redecide(initialState(identityOf(stream)), factsOf(live.events), agentOf);
  if (divergence === null) return { kind: live.isErased ? 'erased' : 'equal' };
  const before = stream.events.length - live.events.length;
  return { kind: 'differs', divergence: { ...divergence, version: divergence.version + before } };
}

/** Configurations by their digest, read from the store once each. */
export type PinnedConfigs = {
  /** Makes those available that the stream was decided with. */
  load(stream: StoredStream): Promise<void>;
  readonly agentOf: AgentOf;
};

/** Opens the configurations that the store has kept (`config_versions`). */
export function pinnedConfigs(store: Pick<EventStore, 'readConfigVersion'>): PinnedConfigs {
  const known = new Map<string, AgentConfig | undefined>();
  return {
    load: async (stream) => {
      for (const digest of namedIn(stream)) {
        if (!known.has(digest)) known.set(digest, await store.readConfigVersion(digest));
      }
    },
    agentOf: (digest) => known.get(digest),
  };
}

/** Every digest that an event names; what a transaction is pinned to was named when it began. */
function namedIn({ events }: StoredStream): ReadonlySet<string> {
  const named = factsOf(events).flatMap((fact) => {
    if ('configDigest' in fact) return fact.configDigest;
    return fact.type === 'ConfirmationRequested' ? fact.proposal.configDigest : [];
  });
  return new Set(named);
}
