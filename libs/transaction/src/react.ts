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
import { type EventOf, type TransactionEvent } from './events.ts';
import { type TransactionInput } from './inputs.ts';
import { type ReplySlot } from './reply.ts';
import { deadlinesOf } from './on-deadline.ts';
import { signalsOf } from './signals.ts';
import { type Arguments, type ConversationState } from './state.ts';
import { statusOf } from './to-agent-state.ts';
import { toInvocation } from './to-invocation.ts';
import { transactionRows } from './transaction-rows.ts';

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

/**
 * Says what follows from a decision. Only events speak, and only the fact that a call was approved leads to one: a replay that stops before this function
 * has no effect (invariant I21).
 */
export function react(step: DecidedStep): Reaction {
  return {
    invocations: step.events.filter((event) => 'call' in event).map((event) => toInvocation(step, event)),
    replies: step.events.filter((event) => event.type === 'TurnAnswered').map((event) => replyOf(step, event)),
    signals: signalsOf(step),
    transactions: transactionRows(step),
    deadline: nextDeadline(step.after),
  };
}

/** The earliest instant at which a conversation in this state must be woken; null: never. */
export function nextDeadline(state: ConversationState): Deadline | null {
  const [next] = deadlinesOf(state);
  return next === undefined ? null : { transactionId: next.transaction.id, rev: next.transaction.rev, at: next.at };
}

function replyOf(step: DecidedStep, { turnId, slots }: EventOf<'TurnAnswered'>): TurnReply {
  return { turnId, slots, facts: replyFacts(step, slots) };
}

/** What the response says beside the words: the state after the turn, and the evidence that the words are about. */
function replyFacts({ after }: DecidedStep, slots: readonly ReplySlot[]): ReplyFacts {
  const told = slots.findLast((slot) => slot.kind === 'outcome') ?? null;
  const { transaction } = after;
  const toldId = told === null ? null : (after.last?.id ?? null);
  return {
    transactionId: transaction === null ? toldId : transaction.id,
    transactionStatus: statusTold(after, told !== null),
    missingParameters: transaction?.status === 'COLLECTING_PARAMETERS' ? transaction.missing : [],
    proposalId: transaction?.status === 'AWAITING_CONFIRMATION' ? transaction.proposal.proposalId : null,
    ...routeOf(after),
    ...(told === null ? { outcome: null, items: [], error: null } : evidenceOf(told)),
  };
}

/** Another message may have come while the tool ran: the answer that reports an outcome names the status that belongs to it. */
function statusTold(after: ConversationState, isOutcome: boolean): ReplyFacts['transactionStatus'] {
  return isOutcome && after.transaction === null && after.last !== null ? after.last.status : statusOf(after);
}

function routeOf({ lastTurn }: ConversationState): Pick<ReplyFacts, 'intent' | 'route'> {
  return lastTurn === null ? { intent: null, route: null } : { intent: lastTurn.intent, route: lastTurn.route };
}

function evidenceOf({
  outcome,
  items,
  error,
}: Extract<ReplySlot, { readonly kind: 'outcome' }>): Pick<ReplyFacts, 'outcome' | 'items' | 'error'> {
  return { outcome, items, error };
}
