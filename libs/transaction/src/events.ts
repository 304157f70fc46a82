import {
  type AggregateOutcome,
  type BusinessContext,
  type ResultItem,
  type StructuredError,
  type TransactionId,
  type TurnId,
} from '@latch/contracts';
import { type DeadlinePassed, type ToolResultArrived, type TransactionInput, type UserSpoke } from './inputs.ts';
import { type MessageClass } from './message-class.ts';
import { type RankedState } from './precedence.ts';
import { type ReplySlot } from './reply.ts';
import {
  type Arguments,
  type Confirmation,
  type Correction,
  type EndReason,
  type Lineage,
  type PendingCall,
  type PreValidation,
  type Proposal,
  type ProposalReason,
  type TerminalStatus,
} from './state.ts';
import { type ProposalChange } from './understanding.ts';

/** Where a value came from (DESIGN section 4, argument sources). */
export type ArgumentSource =
  'tool_arguments' | 'business_context' | 'context' | 'metadata' | 'inputs' | 'text' | 'amendment';

/**
 * Facts about one conversation, in the order in which they happened. Each decision begins with the input that caused it (TurnReceived,
 * ToolResultReceived, DeadlineReached or InputIgnored), so that the stream alone is enough to decide everything again.
 */
export type TransactionEvent = ConversationEvent | CollectionEvent | CallEvent;

/** One type of event. */
export type EventOf<T extends TransactionEvent['type']> = Extract<TransactionEvent, { readonly type: T }>;

/** What reached the conversation and how it was answered. */
export type ConversationEvent =
  /** `rule` is the message class that won the precedence, `status` the state that it was ranked in. */
  | {
      readonly type: 'TurnReceived';
      readonly input: UserSpoke;
      readonly status: RankedState;
      readonly rule: MessageClass;
      /** The intent that the message names clearly, and where routing.yaml sends it. */
      readonly intent: string | null;
      readonly route: string | null;
      readonly configDigest: string;
    }
  | { readonly type: 'DeadlineReached'; readonly input: DeadlinePassed }
  /** A late, stale or repeated input: evidence that changes nothing. */
  | { readonly type: 'InputIgnored'; readonly input: TransactionInput; readonly reason: IgnoreReason }
  /** A part of a turn that was not acted upon, such as a yes for a proposal that is no longer the current one. */
  | {
      readonly type: 'AnswerRefused';
      readonly turnId: TurnId;
      readonly reason: RefusalReason;
      readonly proposalId: string | null;
    }
  | { readonly type: 'ClarificationAsked'; readonly turnId: TurnId }
  | {
      readonly type: 'HandedOff';
      readonly transactionId: TransactionId | null;
      readonly reason: HandOffReason;
    }
  | { readonly type: 'ResumeOffered'; readonly transactionId: TransactionId }
  | { readonly type: 'InconsistencyFound'; readonly turnId: TurnId; readonly detail: string }
  | { readonly type: 'InconsistencyCleared'; readonly turnId: TurnId }
  /** A fact that reached us while no turn was open, to be said in the next answer. */
  | { readonly type: 'NewsKept'; readonly slot: ReplySlot }
  /** The one answer of a turn (invariant I1). */
  | {
      readonly type: 'TurnAnswered';
      readonly turnId: TurnId;
      readonly slots: readonly ReplySlot[];
      readonly answeredAt: string;
    };

/** How a transaction begins, is filled, shown, parked and taken up again. */
export type CollectionEvent =
  | {
      readonly type: 'TransactionStarted';
      readonly transactionId: TransactionId;
      readonly tool: string;
      readonly intent: string | null;
      readonly userId: string;
      readonly configDigest: string;
      readonly lineage: Lineage | null;
      readonly deadlineAt: string;
      readonly startedAt: string;
    }
  | {
      readonly type: 'ParametersCollected';
      readonly transactionId: TransactionId;
      readonly values: Arguments;
      readonly sources: Readonly<Record<string, ArgumentSource>>;
      readonly corrections: readonly Correction[];
    }
  | {
      readonly type: 'BusinessContextReceived';
      readonly transactionId: TransactionId;
      readonly businessContext: BusinessContext;
    }
  /** Exactly this parameter is open again: a tool refused its value, or asks for it. One fact for each. */
  | {
      readonly type: 'ParameterReopened';
      readonly transactionId: TransactionId;
      readonly parameter: string;
      readonly detail: string;
    }
  | {
      readonly type: 'ParameterRequested';
      readonly transactionId: TransactionId;
      readonly missing: readonly string[];
      readonly why: 'missing' | 'invalid' | 'unclear';
      readonly detail: string | null;
      readonly deadlineAt: string;
    }
  | {
      readonly type: 'ConfirmationRequested';
      readonly transactionId: TransactionId;
      readonly proposal: Proposal;
      readonly why: ProposalReason;
    }
  | {
      readonly type: 'ProposalAmended';
      readonly transactionId: TransactionId;
      readonly proposalId: string;
      readonly change: ProposalChange;
    }
  /**
   * The executor sent nothing, because the tool's schema is not the one that the call was approved under. What was collected stays; from here on the
   * transaction is pinned to `configDigest`, and is validated and confirmed again.
   */
  | {
      readonly type: 'ApprovalOutdated';
      readonly transactionId: TransactionId;
      readonly reason: 'schema_changed';
      readonly configDigest: string;
      readonly deadlineAt: string;
    }
  | {
      readonly type: 'TransactionParked';
      readonly transactionId: TransactionId;
      readonly deadlineAt: string;
      readonly parkedAt: string;
    }
  | { readonly type: 'TransactionResumed'; readonly transactionId: TransactionId; readonly deadlineAt: string };

/** Calls, what came of them, and how transactions end. */
export type CallEvent =
  | {
      readonly type: 'PreValidationRequested';
      readonly transactionId: TransactionId;
      readonly call: PendingCall;
      readonly why: ProposalReason;
    }
  | { readonly type: 'PreValidated'; readonly transactionId: TransactionId; readonly preValidation: PreValidation }
  | { readonly type: 'UserConfirmed'; readonly transactionId: TransactionId; readonly confirmation: Confirmation }
  | {
      readonly type: 'UserDeclined';
      readonly transactionId: TransactionId;
      readonly proposalId: string;
      readonly turnId: TurnId;
    }
  | {
      readonly type: 'ExecutionStarted';
      readonly transactionId: TransactionId;
      readonly call: PendingCall;
      readonly confirmation: Confirmation | null;
    }
  | { readonly type: 'ToolResultReceived'; readonly input: ToolResultArrived; readonly transactionId: TransactionId }
  /** `nextCheckAt`: when it is asked about; null when nobody can be asked. */
  | {
      readonly type: 'OutcomeBecameUnknown';
      readonly transactionId: TransactionId;
      readonly error: StructuredError | null;
      readonly nextCheckAt: string | null;
    }
  | { readonly type: 'ReconciliationStarted'; readonly transactionId: TransactionId; readonly call: PendingCall }
  /** The question brought no evidence. */
  | {
      readonly type: 'ReconciliationFailed';
      readonly transactionId: TransactionId;
      readonly nextCheckAt: string | null;
    }
  /** The user turned to something else while an outcome is unknown; it stays unknown and is still asked about. */
  | { readonly type: 'TransactionSetAside'; readonly transactionId: TransactionId }
  | {
      readonly type: 'TransactionEnded';
      readonly transactionId: TransactionId;
      readonly status: TerminalStatus;
      readonly reason: EndReason;
      readonly detail: string | null;
      readonly outcome: AggregateOutcome | null;
      readonly items: readonly ResultItem[];
      readonly error: StructuredError | null;
      readonly endedInTurn: TurnId | null;
      readonly endedAt: string;
    };

/** Why a person was offered: too many unclear answers, a refusal, or a tool that cannot be served from here. */
export type HandOffReason = 'unclear' | 'permission' | 'schema_changed' | 'input_required';

/** Why a whole input changed nothing. */
export type IgnoreReason = 'repeated_turn' | 'result_not_awaited' | 'deadline_not_due';

/** Why a yes or no did not count. */
export type RefusalReason = 'stale_proposal' | 'other_user' | 'nothing_to_confirm' | 'expired';
