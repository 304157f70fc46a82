import { changeState } from './change-state.ts';
import {
  type CallEvent,
  type CollectionEvent,
  type ConversationEvent,
  type EventOf,
  type TransactionEvent,
} from './events.ts';
import { evolveCall } from './evolve-call.ts';
import { evolveCollection } from './evolve-collection.ts';
import { type ReplySlot } from './reply.ts';
import { type ConversationState, type LastTurn } from './state.ts';

/**
 * Applies one fact. Total and pure (invariant I6): an event of a type that this version does not know, or one that does not fit the state, changes nothing.
 */
export function evolve(state: ConversationState, event: TransactionEvent): ConversationState {
  if (isCollectionEvent(event)) return evolveCollection(state, event);
  if (isCallEvent(event)) return evolveCall(state, event);
  return evolveConversation(state, event);
}

function evolveConversation(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'TurnReceived':
      return changeState(state, { lastTurn: lastTurnOf(event), resumeOffer: null });
    case 'ResumeOffered':
      return changeState(state, { resumeOffer: event.transactionId });
    case 'ClarificationAsked':
      return changeState(state, { clarifications: state.clarifications + 1 });
    case 'HandedOff':
      return changeState(state, { clarifications: 0 });
    case 'InconsistencyCleared':
      return changeState(state, { inconsistency: null });
    case 'NewsKept':
      return changeState(state, { untold: keepNews(state.untold, event.slot) });
    case 'TurnAnswered':
      return changeState(state, { untold: [] });
    case 'DeadlineReached':
    case 'InputIgnored':
    case 'AnswerRefused':
    case 'InconsistencyFound':
      return state;
    default:
      return unchanged(state, event);
  }
}

/** The fold is total: what a newer version wrote and this one does not know changes nothing. */
function unchanged(state: ConversationState, _event: never): ConversationState {
  return state;
}

const collectionEvents: Readonly<Record<CollectionEvent['type'], true>> = {
  TransactionStarted: true,
  ParametersCollected: true,
  BusinessContextReceived: true,
  ParameterReopened: true,
  ParameterRequested: true,
  ConfirmationRequested: true,
  ProposalAmended: true,
  ApprovalOutdated: true,
  TransactionParked: true,
  TransactionResumed: true,
};

const callEvents: Readonly<Record<CallEvent['type'], true>> = {
  PreValidationRequested: true,
  PreValidated: true,
  UserConfirmed: true,
  UserDeclined: true,
  ExecutionStarted: true,
  ToolResultReceived: true,
  OutcomeBecameUnknown: true,
  ReconciliationStarted: true,
  ReconciliationFailed: true,
  TransactionSetAside: true,
  TransactionEnded: true,
};

function isCollectionEvent(event: TransactionEvent): event is CollectionEvent {
  return Object.hasOwn(collectionEvents, event.type);
}

function isCallEvent(event: TransactionEvent): event is CallEvent {
  return Object.hasOwn(callEvents, event.type);
}

const maxUntold = 10;

/** Only the latest news are kept: a conversation that nobody comes back to must not grow. */
function keepNews(untold: readonly ReplySlot[], slot: ReplySlot): readonly ReplySlot[] {
  return [...untold, slot].slice(-maxUntold);
}

function lastTurnOf(event: EventOf<'TurnReceived'>): LastTurn {
  const { input } = event;
  return {
    turnId: input.turnId,
    messageId: input.messageId,
    channel: input.channel,
    userId: input.userId,
    text: input.text,
    intent: event.intent,
    route: event.route,
    receivedAt: input.at,
  };
}
