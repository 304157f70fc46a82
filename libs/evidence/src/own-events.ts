import { type StoredEvent } from '@latch/event-store';

/**
 * The events of a conversation that belong to one of its transactions: those that name it, and of the decisions that they were made in also what names no
 * transaction (the message, the answer). Facts about other transactions do not belong, though they were decided in the same turn.
 */
export function ownEvents(events: readonly StoredEvent[], transactionId: string): readonly StoredEvent[] {
  return decisionsIn(events)
    .filter((decision) => decision.some((event) => event.transactionId === transactionId))
    .flatMap((decision) => decision.filter((event) => (event.transactionId ?? transactionId) === transactionId));
}

/** Each decision begins with the input that caused it. */
function decisionsIn(events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const decisions: StoredEvent[][] = [];
  for (const event of events) {
    const current = decisions.at(-1);
    if (current === undefined || isInput(event)) decisions.push([event]);
    else current.push(event);
  }
  return decisions;
}

function isInput({ payload }: StoredEvent): boolean {
  return typeof payload === 'object' && payload !== null && 'input' in payload;
}
