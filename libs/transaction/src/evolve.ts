import { type TransactionEvent } from './events.ts';
import { type ConversationState } from './state.ts';

/** Applies one fact. Total: an event of an unknown type, or one that does not fit the state, changes nothing. */
export function evolve(state: ConversationState, _event: TransactionEvent): ConversationState {
  return state;
}
