import {
  type AgentConfig,
  type AggregateOutcome,
  type EventType,
  type ProposalId,
  type ResultItem,
  type StructuredError,
  type ToolInvocation,
  type TransactionId,
  type TransactionStatus,
  type TurnId,
} from '@latch/contracts';
import { type TransactionEvent } from './events.ts';
import { type TransactionInput } from './inputs.ts';
import { type ReplySlot } from './reply.ts';
import { type Arguments, type ConversationState } from './state.ts';

/** What the channel response says beside the words (`ChannelResponse.metadata`). */
export type ReplyFacts = {
  readonly intent: string | null;
  readonly route: string | null;
  readonly transactionId: TransactionId | null;
  readonly transactionStatus: TransactionStatus;
  readonly missingParameters: readonly string[];
  readonly proposalId: ProposalId | null;
  readonly outcome: AggregateOutcome | null;
  readonly items: readonly ResultItem[];
  readonly error: StructuredError | null;
};

/** The one answer of a turn, before it has words. */
export type TurnReply = { readonly turnId: TurnId; readonly slots: readonly ReplySlot[]; readonly facts: ReplyFacts };

/** A business fact or an operator's problem that was caused. */
export type Signal = {
  readonly eventType: EventType;
  readonly transactionId: TransactionId | null;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** One transaction as the projection shows it; the latest row of an id wins. */
export type TransactionRow = {
  readonly id: TransactionId;
  readonly tool: string;
  readonly status: TransactionStatus;
  readonly rev: number;
  readonly arguments: Arguments;
  /** The effective set; `outcome` is null until the tool has reported the item. */
  readonly items: readonly {
    readonly id: string;
    readonly label: string;
    readonly outcome: ResultItem['outcome'] | null;
  }[];
  readonly outcome: AggregateOutcome | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
};

/** The next instant at which the conversation must be woken with `DeadlinePassed`. */
export type Deadline = { readonly transactionId: TransactionId; readonly rev: number; readonly at: string };

/** What follows from a decision. */
export type Reaction = {
  /** Calls to approve and to publish. */
  readonly invocations: readonly ToolInvocation[];
  /**
   * Answers, each for its own turn. Usually one; none while a call runs; two when the user abandons in the middle of a pre-validation, because
   * the turn that had started it is answered as well.
   */
  readonly replies: readonly TurnReply[];
  readonly signals: readonly Signal[];
  readonly transactions: readonly TransactionRow[];
  /** Replaces the deadline that was stored before; null: none is left. */
  readonly deadline: Deadline | null;
};

/** The step that a reaction is about. */
export type DecidedStep = {
  readonly before: ConversationState;
  readonly events: readonly TransactionEvent[];
  readonly after: ConversationState;
  readonly input: TransactionInput;
  readonly agent: AgentConfig;
};

/** Says what follows from a decision. */
export function react(_step: DecidedStep): Reaction {
  return { invocations: [], replies: [], signals: [], transactions: [], deadline: null };
}
