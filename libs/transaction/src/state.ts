import {
  type AggregateOutcome,
  type BusinessContext,
  type ConversationKey,
  type InvocationId,
  type InvocationPurpose,
  type ProposalId,
  type ProposalItem,
  type ResultItem,
  type StructuredError,
  type TransactionId,
  type TurnId,
} from '@latch/contracts';
import { type ReplySlot, type ShownValue } from './reply.ts';

/** Arguments by parameter name, as JSON values. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Who talks with whom: the parts of a conversation key. */
export type ConversationIdentity = {
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationKey: ConversationKey;
};

/** A turn whose answer waits for a tool, with what is already to be said. */
export type PendingTurn = { readonly turnId: TurnId; readonly said: readonly ReplySlot[] };

/** One logical tool call that was approved and has not answered yet. */
export type PendingCall = {
  readonly invocationId: InvocationId;
  readonly purpose: InvocationPurpose;
  readonly tool: string;
  readonly arguments: Arguments;
  readonly items: readonly ProposalItem[];
  readonly rev: number;
  readonly proposalId: ProposalId | null;
  /** The tool's schema that the approval was given under; absent where none was pinned, and for calls that nobody approves. */
  readonly toolSchemaHash?: string;
  /** Minted once, with the call; null for a pre-validation, which has no effect. */
  readonly idempotencyKey: string | null;
  readonly startedAt: string;
  /** After this instant the call must not be started. */
  readonly expiresAt: string;
  /** After this instant nobody waits for the answer any more. */
  readonly deadlineAt: string;
  /** The trace of the turn that led to the call. */
  readonly traceId: string;
  /** The turn that is answered when the result arrives; null when the user has been answered already. */
  readonly turn: PendingTurn | null;
};

/** What a yes approves, frozen: `proposalId` is the digest of everything in it (the confirmation capsule, DESIGN section 4). */
export type Proposal = {
  readonly proposalId: ProposalId;
  readonly rev: number;
  readonly tool: string;
  /** The schema that the tool catalogue had accepted; null: none was pinned. */
  readonly toolSchemaHash: string | null;
  /** After the parameter mapping: exactly what will be sent. */
  readonly arguments: Arguments;
  readonly items: readonly ProposalItem[];
  readonly rejected: readonly RejectedItem[];
  /** The question that the pre-validator wrote. */
  readonly message: string | null;
  readonly values: readonly ShownValue[];
  readonly configDigest: string;
  readonly principal: string;
  readonly expiresAt: string;
};

/** Why a proposal is shown: it is the first one, the user changed it, or what it was built on has changed. */
export type ProposalReason = 'first' | 'amended' | 'renewed';

/** An item that was named and that the validator does not accept. */
export type RejectedItem = { readonly label: string; readonly reason: string | null };

/** What the pre-validator said, kept as evidence and for the proposal. */
export type PreValidation = {
  readonly invocationId: InvocationId;
  readonly tool: string;
  /** Null when the validator failed and the policy fails open. */
  readonly eligible: boolean | null;
  readonly status: string | null;
  readonly reason: string | null;
  readonly resolvedArguments: Arguments;
  readonly confirmationMessage: string | null;
};

/** A yes, and the proposal that it is bound to. */
export type Confirmation = {
  readonly proposalId: ProposalId;
  readonly rev: number;
  readonly turnId: TurnId;
  readonly userId: string;
  readonly confirmedAt: string;
};

/** A later value for a parameter that already had one. */
export type Correction = {
  readonly parameter: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly turnId: TurnId;
};

/** One answer of a tool inside a transaction. The whole result is in the event stream; this is what may be said about it. */
export type Evidence = {
  readonly invocationId: InvocationId;
  readonly purpose: InvocationPurpose;
  readonly tool: string;
  readonly ok: boolean;
  readonly outcome: AggregateOutcome;
  readonly items: readonly ResultItem[];
  readonly error: StructuredError | null;
  readonly receivedAt: string;
};

/** The earlier transaction whose failed items this one tries again: the same item keys are used. */
export type Lineage = { readonly transactionId: TransactionId; readonly idempotencyKey: string };

/** What every transaction carries, whatever its status. */
export type TransactionCore = {
  readonly id: TransactionId;
  readonly tool: string;
  readonly intent: string | null;
  /** Who started it: only that user's yes counts. */
  readonly userId: string;
  /** Number of proposals or unconfirmed executions so far; the current one has this number. */
  readonly rev: number;
  readonly configDigest: string;
  /** What was collected, merged over turns. Never rebuilt from the last message. */
  readonly arguments: Arguments;
  readonly businessContext: BusinessContext;
  readonly corrections: readonly Correction[];
  readonly preValidation: PreValidation | null;
  readonly evidence: readonly Evidence[];
  readonly lineage: Lineage | null;
  readonly startedAt: string;
};

/** Waiting for the user to give what is missing. */
export type CollectingTransaction = TransactionCore & {
  readonly status: 'COLLECTING_PARAMETERS';
  /** Pending parameters, the one that was asked for first. */
  readonly missing: readonly string[];
  /** Parameters whose values a tool refused: only a new value closes them, no default. */
  readonly reopened: readonly string[];
  readonly deadlineAt: string;
};

/** The policy's validator is being asked. */
export type ValidatingTransaction = TransactionCore & {
  readonly status: 'PRE_VALIDATION';
  readonly call: PendingCall;
  /** What the proposal will be, once the validator has answered. */
  readonly why: ProposalReason;
};

/** One proposal was shown; nothing runs before its yes. */
export type AwaitingTransaction = TransactionCore & {
  readonly status: 'AWAITING_CONFIRMATION';
  readonly proposal: Proposal;
};

/** The tool is running. `confirmation` is null only for a tool whose policy asks for none. */
export type ExecutingTransaction = TransactionCore & {
  readonly status: 'EXECUTING';
  readonly call: PendingCall;
  readonly confirmation: Confirmation | null;
};

/** The call may or may not have had its effect; `reconcile` is the question that runs about it. */
export type UnknownTransaction = TransactionCore & {
  readonly status: 'OUTCOME_UNKNOWN';
  readonly call: PendingCall;
  readonly confirmation: Confirmation | null;
  readonly reconcile: PendingCall | null;
  readonly reconcileAttempts: number;
  /** When it is asked again; null when there is nobody (left) to ask. */
  readonly deadlineAt: string | null;
};

/** The one transaction that the conversation is about. No open transaction is IDLE. */
export type OpenTransaction =
  CollectingTransaction | ValidatingTransaction | AwaitingTransaction | ExecutingTransaction | UnknownTransaction;

/** Interrupted by a new intention, with its arguments, resumable until `deadlineAt`. */
export type ParkedTransaction = TransactionCore & {
  readonly status: 'INTERRUPTED';
  readonly parkedAt: string;
  readonly deadlineAt: string;
};

/** The states from which there is no way back (invariant I10). */
export const terminalStatuses = ['COMPLETED', 'CANCELLED', 'OUT_OF_SCOPE', 'FAILED', 'EXPIRED'] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

/** Why a transaction ended, as a stable word. */
export type EndReason =
  | 'executed'
  | 'declined'
  | 'abandoned'
  | 'not_eligible'
  | 'tool_failed'
  | 'validator_failed'
  | 'not_allowed'
  | 'no_answer_in_time'
  | 'too_many_parked'
  | 'no_effect_found'
  /** The same call was made before and nobody knows yet whether it had its effect. */
  | 'outcome_pending';

/** Snapshot of a transaction that ended. It is evidence and the subject of a retry; it never becomes active again. */
export type EndedTransaction = TransactionCore & {
  readonly status: TerminalStatus;
  readonly reason: EndReason;
  readonly detail: string | null;
  readonly outcome: AggregateOutcome | null;
  readonly items: readonly ResultItem[];
  readonly error: StructuredError | null;
  /** What was shown and never confirmed, when it ended there. */
  readonly proposal: Proposal | null;
  /** The call that was made, if one was. */
  readonly call: PendingCall | null;
  readonly confirmation: Confirmation | null;
  /** The turn in which it ended; null when a deadline ended it. */
  readonly endedInTurn: TurnId | null;
  readonly endedAt: string;
};

/** The last message of the user, for the published state. */
export type LastTurn = {
  readonly turnId: TurnId;
  readonly messageId: string;
  readonly channel: string;
  readonly userId: string;
  readonly text: string;
  readonly intent: string | null;
  readonly route: string | null;
  readonly receivedAt: string;
};

/**
 * The folded state of a conversation: a JSON value, stored as the snapshot. `transaction` is the canonical `active_transaction` of seeds/002;
 * everything that is published is derived from here.
 */
export type ConversationState = ConversationIdentity & {
  readonly stateVersion: 1;
  readonly transaction: OpenTransaction | null;
  /** The latest parked first. */
  readonly parked: readonly ParkedTransaction[];
  /** Transactions of unknown outcome that the user left for something else; they are still reconciled. */
  readonly unresolved: readonly UnknownTransaction[];
  readonly last: EndedTransaction | null;
  /** The parked transaction that was offered in the last answer: a plain yes takes it up. */
  readonly resumeOffer: TransactionId | null;
  readonly lastTurn: LastTurn | null;
  /** Unclear answers in a row. */
  readonly clarifications: number;
  /** News that reached us while no turn was open; said first in the next answer. */
  readonly untold: readonly ReplySlot[];
  /** What is wrong with a stored snapshot that cannot be; such a conversation is answered and never silently restarted. */
  readonly inconsistency: string | null;
};

/** A conversation in which nothing was said yet. */
export function initialState(identity: ConversationIdentity): ConversationState {
  return {
    tenantId: identity.tenantId,
    agentId: identity.agentId,
    sessionId: identity.sessionId,
    conversationKey: identity.conversationKey,
    stateVersion: 1,
    transaction: null,
    parked: [],
    unresolved: [],
    last: null,
    resumeOffer: null,
    lastTurn: null,
    clarifications: 0,
    untold: [],
    inconsistency: null,
  };
}
