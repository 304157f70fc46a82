import { type StoredEvent, type StoredStream } from '@latch/event-store';
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

/** Whether a value holds a field that was erased with its person's key: it can be verified, and no longer be folded. */
export function holdsErased(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('erased' in value && value.erased === true && Object.keys(value).every((name) => erasedNames.has(name)))
    return true;
  return Object.values(value).some(holdsErased);
}

/** An erased field is the marker alone; an event of a type that nobody knows keeps its type beside it. */
const erasedNames: ReadonlySet<string> = new Set(['erased', 'type']);
