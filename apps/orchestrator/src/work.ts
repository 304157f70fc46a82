import {
  bodyDigestOf,
  ConversationKey,
  deterministicId,
  digest,
  GatewayRequest,
  InvocationId,
  TerminalError,
  ToolResult,
  topics,
  TransactionId,
  TurnId,
} from '@latch/contracts';
import { type DueDeadline, type MessageToClaim } from '@latch/event-store';
import { isRedriven, type Received } from '@latch/messaging';
import { type ConversationIdentity } from '@latch/transaction';

/** What every unit of work carries: whose it is, what makes it one of a kind, and what caused it. */
type WorkCore = {
  readonly identity: ConversationIdentity;
  /** Claimed in the inbox: the same id is handled once. */
  readonly eventId: string;
  readonly bodyDigest: string;
  readonly traceId: string;
  /** W3C trace context of the message, handed on to what it causes. */
  readonly traceparent?: string | undefined;
};

/** A user message. */
export type TurnWork = WorkCore & {
  readonly kind: 'turn';
  readonly turnId: TurnId;
  readonly request: GatewayRequest;
  /** Set where an operator has sent the message again: when ingress had accepted it, UTC. */
  readonly redriven?: { readonly acceptedAt: string } | undefined;
};

/** The canonical result of a tool call. */
export type ToolResultWork = WorkCore & {
  readonly kind: 'tool_result';
  readonly invocationId: InvocationId;
  readonly result: ToolResult;
};

/** A deadline that has passed. */
export type DeadlineWork = WorkCore & {
  readonly kind: 'deadline';
  readonly transactionId: TransactionId;
  readonly rev: number;
};

/** One input of the engine, before the engine's own types. */
export type Work = TurnWork | ToolResultWork | DeadlineWork;

/**
 * The work in one bus message.
 *
 * @throws TerminalError when a tool result names no invocation: it can never be handled.
 */
export function workOf({ record, envelope, payload }: Received): Work {
  const core = {
    identity: {
      tenantId: envelope.tenant_id,
      agentId: envelope.agent_id,
      sessionId: envelope.session_id,
      conversationKey: ConversationKey.parse(envelope.conversation_key),
    },
    eventId: envelope.event_id,
    traceId: envelope.trace_id,
    traceparent: record.headers['traceparent'],
  };
  if (record.topic === topics.turns) {
    const request = GatewayRequest.parse(payload);
    const redriven = isRedriven(record) ? { acceptedAt: envelope.timestamp } : undefined;
    const turnId = TurnId.parse(core.eventId);
    return { kind: 'turn', ...core, bodyDigest: bodyDigestOf(request), turnId, request, redriven };
  }
  const result = ToolResult.parse(payload);
  const invocationId = InvocationId.safeParse(result.invocation_id);
  if (!invocationId.success) {
    throw new TerminalError('A tool result without invocation_id belongs to no call', { code: 'message.invalid' });
  }
  return { kind: 'tool_result', ...core, bodyDigest: digest(result), invocationId: invocationId.data, result };
}

/** The work of waking a conversation; its id is the deadline's own, so that any number of replicas wakes it once. */
export function workOfDeadline(due: DueDeadline): DeadlineWork {
  const { conversationKey, transactionId, rev, at } = due;
  const eventId = deterministicId('deadline', conversationKey, transactionId, rev, at);
  return {
    kind: 'deadline',
    identity: { tenantId: due.tenantId, agentId: due.agentId, sessionId: due.sessionId, conversationKey },
    eventId,
    bodyDigest: eventId,
    traceId: eventId.replaceAll('-', ''),
    transactionId: TransactionId.parse(transactionId),
    rev,
  };
}

/** What a unit of work claims in the inbox. */
export function claimOf(unit: Work, receivedAt: string): MessageToClaim {
  const { conversationKey, tenantId } = unit.identity;
  const { eventId, bodyDigest } = unit;
  return { eventId, consumer: 'orchestrator', conversationKey, tenantId, bodyDigest, receivedAt };
}

/** The conversations that a batch is about, each once, in the order of their first message. */
export function conversationsOf(work: readonly Work[]): readonly ConversationKey[] {
  return [...new Set(work.map((unit) => unit.identity.conversationKey))];
}
