import { type ConversationState } from './state.ts';

/**
 * The state with some fields changed. Every field is written out: V8 copies an object that was itself made by a copy ten times slower, and every fact makes
 * a new state.
 */
export function changeState(state: ConversationState, changes: Partial<ConversationState>): ConversationState {
  return {
    tenantId: state.tenantId,
    agentId: state.agentId,
    sessionId: state.sessionId,
    conversationKey: state.conversationKey,
    stateVersion: state.stateVersion,
    transaction: changed(state.transaction, changes.transaction),
    parked: changed(state.parked, changes.parked),
    unresolved: changed(state.unresolved, changes.unresolved),
    last: changed(state.last, changes.last),
    resumeOffer: changed(state.resumeOffer, changes.resumeOffer),
    lastTurn: changed(state.lastTurn, changes.lastTurn),
    clarifications: changed(state.clarifications, changes.clarifications),
    untold: changed(state.untold, changes.untold),
    inconsistency: changed(state.inconsistency, changes.inconsistency),
  };
}

function changed<T>(before: T, after: T | undefined): T {
  return after === undefined ? before : after;
}
