import { erasureEvent, type StoredEvent, type StoredStream } from '@latch/event-store';
import { type ConversationIdentity, isTransactionEvent, type TransactionEvent } from '@latch/transaction';

/** Whose stream it is, as the engine names it. */
export function identityOf({ conversation }: Pick<StoredStream, 'conversation'>): ConversationIdentity {
  const { tenantId, agentId, sessionId, conversationKey } = conversation;
  return { tenantId, agentId, sessionId, conversationKey };
}

/** The facts of a stream, in order. What a newer version wrote is a fact like any other; what is no fact at all is left out. */
export function factsOf(events: readonly Pick<StoredEvent, 'payload'>[]): readonly TransactionEvent[] {
  return events.map(({ payload }) => payload).filter(isTransactionEvent);
}

/** The part of a stream that its state comes of. */
export type LivePart = {
  /** What was said since the last erasure, if there was one: the conversation began anew behind the tombstone. */
  readonly events: readonly StoredEvent[];
  /** Whether personal fields of the stream are gone: they verify, and can no longer be folded. */
  readonly isErased: boolean;
};

/** Parts a stream at its last tombstone. */
export function livePartOf(events: readonly StoredEvent[]): LivePart {
  const tombstone = events.findLastIndex(({ type }) => type === erasureEvent);
  return { events: events.slice(tombstone + 1), isErased: tombstone >= 0 || events.some((event) => event.isErased) };
}

/** Whether what is left to fold is whole: nothing behind the last tombstone is erased. */
export function isWhole({ events }: LivePart): boolean {
  return !events.some((event) => event.isErased === true);
}
