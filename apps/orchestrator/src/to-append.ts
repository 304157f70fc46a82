import {
  type ConversationKey,
  deterministicId,
  invocationDigest,
  OperationType,
  type ToolInvocation,
  type TurnId,
} from '@latch/contracts';
import {
  type ApprovedInvocation,
  type ConversationAppend,
  type EventToAppend,
  type LoadedConversation,
  type StoredTurn,
  type TransactionRow,
  type TurnRow,
} from '@latch/event-store';
import { type TransactionEvent, type TurnReply } from '@latch/transaction';
import { invocationMessage, signalMessage } from './outgoing.ts';
import { responseMessage } from './response.ts';
import { type DecidedTurn } from './run-turn.ts';

type Surroundings = {
  readonly loaded: ReadonlyMap<ConversationKey, LoadedConversation>;
  /** Turns of earlier batches that are answered now. */
  readonly turns: ReadonlyMap<TurnId, StoredTurn>;
  readonly at: string;
};

/** What a batch makes durable: one entry a conversation, its decisions in order. */
export function toAppend(decided: readonly DecidedTurn[], around: Surroundings): readonly ConversationAppend[] {
  const keys = new Set(decided.map(({ work }) => work.identity.conversationKey));
  return [...keys].map((key) => {
    const turns = decided.filter(({ work }) => work.identity.conversationKey === key);
    return appendOf(turns, { ...around, key });
  });
}

function appendOf(
  decided: readonly DecidedTurn[],
  around: Surroundings & { readonly key: ConversationKey },
): ConversationAppend {
  const { key, loaded, at } = around;
  const last = decided.at(-1);
  if (!last) throw new Error('A conversation without a decision has nothing to append');
  const expectedVersion = loaded.get(key)?.version ?? 0;
  const answers = decided.flatMap((turn) => answersOf(turn, { ...around, decided }));
  const { tenantId, agentId, sessionId } = last.work.identity;
  return {
    conversationKey: key,
    tenantId,
    agentId,
    sessionId,
    person: last.after.lastTurn?.userId ?? null,
    expectedVersion,
    configDigest: last.agent.digest,
    state: last.after,
    events: numbered(decided, expectedVersion, at),
    turns: [...openTurns(decided, answers), ...answers.map(({ row }) => row)],
    transactions: lastOfEach(decided.flatMap(transactionsOf)),
    invocations: decided.flatMap((turn) => turn.reaction.invocations.map((call) => approved(turn, call))),
    deadline: wakeUp(last, at),
    outgoing: decided.flatMap((turn) => [
      ...turn.reaction.invocations.map((call) => invocationMessage(turn, call, at)),
      ...turn.reaction.signals.map((signal, index) => signalMessage(turn, signal, { at, index })),
      ...answers.filter((answer) => answer.turn === turn).map(({ message }) => message),
    ]),
  };
}

const secondLookMs = 60_000;

/** A deadline that is still there after it was handled is looked at again later: it must not hold the sweeper up for all others. */
function wakeUp({ work, reaction }: DecidedTurn, at: string): ConversationAppend['deadline'] {
  const { deadline } = reaction;
  if (work.kind !== 'deadline' || deadline === null || Date.parse(deadline.at) > Date.parse(at)) return deadline;
  return { ...deadline, at: new Date(Date.parse(at) + secondLookMs).toISOString() };
}

function numbered(decided: readonly DecidedTurn[], version: number, at: string): readonly EventToAppend[] {
  const events = decided.flatMap((turn) => turn.events.map((event) => ({ turn, event })));
  return events.map(({ turn: { work }, event }, index) => ({
    eventId: deterministicId('event', work.identity.conversationKey, version + index + 1),
    type: event.type,
    payload: event,
    occurredAt: at,
    causationId: work.eventId,
    messageId: work.kind === 'turn' ? work.request.payload.message_id : null,
    transactionId: transactionOf(event),
    traceId: work.traceId,
  }));
}

function transactionOf(event: TransactionEvent): string | null {
  return 'transactionId' in event ? event.transactionId : null;
}

type Answer = {
  readonly turn: DecidedTurn;
  readonly row: TurnRow;
  readonly message: ReturnType<typeof responseMessage>;
};

function answersOf(turn: DecidedTurn, around: Surroundings & { readonly decided: readonly DecidedTurn[] }): Answer[] {
  return turn.reaction.replies.map((reply) => {
    const { messageId, bodyDigest } = askedIn(reply, around);
    const message = responseMessage(turn, reply, { messageId, bodyDigest, at: around.at });
    return {
      turn,
      message,
      row: { turnId: reply.turnId, messageId, bodyDigest, status: 'done', response: message.value },
    };
  });
}

/** The message that a reply answers: one of this batch, or one of an earlier batch whose tool has answered now. */
function askedIn(
  reply: TurnReply,
  { turns, decided }: Surroundings & { readonly decided: readonly DecidedTurn[] },
): { readonly messageId: string; readonly bodyDigest: string } {
  const stored = turns.get(reply.turnId);
  if (stored) return stored;
  for (const { work } of decided) {
    if (work.kind === 'turn' && work.turnId === reply.turnId) {
      return { messageId: work.request.payload.message_id, bodyDigest: work.bodyDigest };
    }
  }
  throw new Error(`The engine answers turn ${reply.turnId}, which nobody asked`);
}

/** Turns that are accepted and not answered yet: a tool is running. */
function openTurns(decided: readonly DecidedTurn[], answers: readonly Answer[]): readonly TurnRow[] {
  const done = new Set<string>(answers.map(({ row }) => row.turnId));
  return decided.flatMap(({ work }) =>
    work.kind === 'turn' && !done.has(work.turnId)
      ? {
          turnId: work.turnId,
          messageId: work.request.payload.message_id,
          bodyDigest: work.bodyDigest,
          status: 'in_flight' as const,
          response: null,
        }
      : [],
  );
}

/** The rows of the projection, with what the tool said of each item where it has answered. */
function transactionsOf({ events, reaction }: DecidedTurn): readonly TransactionRow[] {
  const ended = events.flatMap((event) => (event.type === 'TransactionEnded' ? event.items : []));
  const told = new Map(ended.map((item) => [item.id, item]));
  return reaction.transactions.map((row) => ({
    ...row,
    items: row.items.map((item) => ({
      ...item,
      reason: told.get(item.id)?.reason ?? null,
      protocol: told.get(item.id)?.protocol ?? null,
    })),
  }));
}

function lastOfEach<T extends { readonly id: string }>(rows: readonly T[]): readonly T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function approved({ work, agent }: DecidedTurn, invocation: ToolInvocation): ApprovedInvocation {
  const { invocation_id, transaction_id, purpose, rev } = invocation;
  if (!invocation_id || !transaction_id || !purpose) {
    throw new Error(`The engine approved a call of ${invocation.tool_name} without its ids`);
  }
  return {
    invocationId: invocation_id,
    tenantId: work.identity.tenantId,
    agentId: work.identity.agentId,
    conversationKey: work.identity.conversationKey,
    transactionId: transaction_id,
    rev: rev ?? 1,
    tool: invocation.tool_name,
    purpose,
    operationType:
      invocation.operation_type ?? agent.tools[invocation.tool_name]?.operationType ?? OperationType.enum.transactional,
    proposalId: invocation.proposal_id ?? null,
    idempotencyKey: invocation.idempotency_key ?? invocation_id,
    expiresAt: invocation.expires_at ?? null,
    digest: invocationDigest(invocation),
    invocation,
  };
}
