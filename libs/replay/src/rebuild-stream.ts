import { canonicalJson, failure, type Result, success } from '@latch/contracts';
import { isErased, type StoredEvent, type StoredStream } from '@latch/event-store';
import { type ConversationIdentity, type ConversationState, initialState, rebuildState } from '@latch/transaction';
import { firstDifference, type ValueDifference } from './first-difference.ts';
import { factsOf, identityOf, isWhole, livePartOf } from './stream-facts.ts';

/**
 * What the fold of a stream says of the state that is stored beside it. `erased`: personal fields are gone with their person's key, so that they cannot be
 * folded; what came after the erasure folds to the stored state, and the hash chain still verifies.
 */
export type RebuildVerdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'erased' }
  | { readonly kind: 'differs'; readonly difference: ValueDifference };

/** Folds a stream and compares the result with the stored state, byte for byte in canonical JSON (invariant I6). */
export function rebuildStream(stream: StoredStream): RebuildVerdict {
  const live = livePartOf(stream.events);
  const { state, isStateAltered } = stream.conversation;
  if (!isWhole(live) || isErased(state)) return { kind: 'erased' };
  const empty = initialState(identityOf(stream));
  const rebuilt = rebuildState(empty, factsOf(live.events));
  if (isStateAltered === true) {
    return { kind: 'differs', difference: { path: '$', stored: { unreadable: 'altered' }, found: rebuilt } };
  }
  const stored = state ?? empty;
  if (canonicalJson(rebuilt) === canonicalJson(stored)) return { kind: live.isErased ? 'erased' : 'equal' };
  const difference = firstDifference(stored, rebuilt) ?? { path: '$', stored, found: rebuilt };
  return { kind: 'differs', difference };
}

/** A conversation as it was after one of its events. */
export type StateAtVersion = {
  readonly version: number;
  readonly state: ConversationState;
  /** The configuration of the last decision until then; null before the first that needed one. */
  readonly configDigest: string | null;
  /** When the event happened; null before the first. */
  readonly at: string | null;
};

/** Why there is no such state. */
export type NoStateReason = 'unknown_version' | 'erased';

/**
 * The state of a conversation after event `version` of its stream: time travel. Version 0 is the conversation in which nothing was said yet.
 *
 * @param events the stream from its first event to `version` at least.
 * @returns `unknown_version` when the stream ends before it; `erased` when personal fields that the state would hold are gone.
 */
export function stateAt(
  identity: ConversationIdentity,
  events: readonly StoredEvent[],
  version: number,
): Result<StateAtVersion, NoStateReason> {
  const until = events.slice(0, version);
  if (!Number.isSafeInteger(version) || version < 0 || until.length < version) return failure('unknown_version');
  const live = livePartOf(until);
  if (!isWhole(live)) return failure('erased');
  const facts = factsOf(live.events);
  return success({
    version,
    state: rebuildState(initialState(identity), facts),
    configDigest: facts.reduce<string | null>(
      (last, fact) => ('configDigest' in fact ? fact.configDigest : last),
      null,
    ),
    at: until.at(-1)?.occurredAt ?? null,
  });
}
