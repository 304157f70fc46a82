export { canonicalize } from './canonicalize.ts';
export { capsule } from './confirmation.ts';
export { decide, decideStep } from './decide.ts';
export { type TransactionEvent } from './events.ts';
export { evidenceType } from './evidence-type.ts';
export { evolve } from './evolve.ts';
export { expectationOf } from './expectation.ts';
export { explainTurn } from './explain.ts';
export { type ToolResultArrived, type TransactionInput, type UserSpoke } from './inputs.ts';
export { namedItems } from './items.ts';
export { type MessageClass, messageClasses, messageClassMeanings } from './message-class.ts';
export { precedence, type RankedState, rankedStates, turnActionMeanings } from './precedence.ts';
export { nextDeadline, react, type Reaction, type ReplyFacts, type Signal, type TurnReply } from './react.ts';
export { findTurn, isTransactionEvent, type RecordedFact } from './recorded-turn.ts';
export {
  type AgentOf,
  configDigestOf,
  type Divergence,
  divergences,
  fold,
  rebuildState,
  redecide,
  type ReplayedStep,
  replaySteps,
} from './replay.ts';
export { isApprovalOutdated } from './renew-approval.ts';
export { type Reply, type ReplySlot, type ShownValue } from './reply.ts';
export { restoreState } from './restore-state.ts';
export {
  type ConversationIdentity,
  type ConversationState,
  initialState,
  type PendingCall,
  type Proposal,
} from './state.ts';
export { toAgentState } from './to-agent-state.ts';
export {
  type ConfirmationReading,
  type Expectation,
  type IntentReading,
  type ProposalChange,
  type Reading,
  type Understanding,
} from './understanding.ts';
