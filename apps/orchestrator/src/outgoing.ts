import {
  type BusMessage,
  type ChannelResponse,
  deterministicId,
  eventCatalogue,
  type EventType,
  type ToolInvocation,
  type Topic,
  topics,
  type TurnConflict,
  type TurnId,
} from '@latch/contracts';
import { makeEnvelope, type ReceivedEnvelope, toBusMessage } from '@latch/messaging';
import { composeReply } from '@latch/presentation';
import { type Signal, type TurnReply } from '@latch/transaction';
import { type DecidedTurn } from './run-turn.ts';
import { type TurnWork, type Work } from './work.ts';

const producer = 'orchestrator';

/** The call that the executor is woken with. What may be called stands in the store; this only says that there is something to do. */
export function invocationMessage(decided: DecidedTurn, invocation: ToolInvocation, at: string): BusMessage {
  const eventId = deterministicId('tool-requested', invocation.invocation_id ?? decided.work.eventId);
  const envelope = envelopeOf(decided.work, { eventType: 'IC.TOOL_REQUESTED', eventId, payload: invocation, at });
  const { transaction_id } = invocation;
  return publishable(topics.toolInvocations, decided.work, { ...envelope, transaction_id });
}

/** A fact for monitors and people. `index` tells apart the signals of one decision. */
export function signalMessage(decided: DecidedTurn, signal: Signal, at: { at: string; index: number }): BusMessage {
  const eventId = deterministicId('signal', decided.work.eventId, at.index);
  const payload = { ...signal.payload };
  const envelope = envelopeOf(decided.work, { eventType: signal.eventType, eventId, payload, at: at.at });
  return publishable(topics.signals, decided.work, { ...envelope, transaction_id: signal.transactionId });
}

/** The message that an answer belongs to. */
type Asked = { readonly messageId: string; readonly bodyDigest: string };

/** The one answer of a turn, in words. */
export function responseMessage(
  decided: DecidedTurn,
  reply: TurnReply,
  turn: Asked & { readonly at: string },
): BusMessage {
  const { facts } = reply;
  const payload = responseOf(decided, reply, turn);
  const eventId = responseIdOf(reply.turnId);
  const envelope = envelopeOf(decided.work, { eventType: 'IC.AGENT_COMPLETED', eventId, payload, at: turn.at });
  return publishable(topics.responses, decided.work, {
    ...envelope,
    message_id: turn.messageId,
    transaction_id: facts.transactionId,
  });
}

/** The id of a turn's answer: the turn's own, so that a repeated answer is the same event. */
export function responseIdOf(turnId: TurnId): string {
  return deterministicId('response', turnId);
}

function responseOf({ work, after, agent }: DecidedTurn, reply: TurnReply, turn: Asked): ChannelResponse {
  const { facts } = reply;
  return {
    channel: after.lastTurn?.channel ?? 'unknown',
    session_id: work.identity.conversationKey,
    text: composeReply({ slots: reply.slots }, agent.locale),
    metadata: {
      tenant_id: work.identity.tenantId,
      agent_id: work.identity.agentId,
      route: facts.route,
      intent: facts.intent,
      guardrails: [],
      judges: [],
      contract_version: 'channel-response-v1',
      turn_id: reply.turnId,
      body_digest: turn.bodyDigest,
      message_id: turn.messageId,
      transaction_id: facts.transactionId,
      transaction_status: facts.transactionStatus,
      missing_parameters: [...facts.missingParameters],
      proposal_id: facts.proposalId,
      outcome: facts.outcome,
      items: [...facts.items],
      error: facts.error,
      trace_id: work.traceId,
    },
  };
}

/** The refusal of a message whose id was used with another body. */
export function conflictMessage(work: TurnWork, at: string): BusMessage {
  const payload: TurnConflict = {
    turn_id: work.turnId,
    body_digest: work.bodyDigest,
    code: 'turn.conflict',
    message: `The message id ${work.request.payload.message_id} was used with another body in this conversation.`,
  };
  const eventId = deterministicId('turn-conflict', work.turnId, work.bodyDigest);
  const envelope = envelopeOf(work, { eventType: 'IC.TURN_CONFLICT', eventId, payload, at });
  return publishable(topics.responses, work, envelope);
}

function publishable(topic: Topic, { traceparent }: Work, envelope: ReceivedEnvelope): BusMessage {
  return toBusMessage(topic, envelope, { traceparent });
}

type Content = {
  readonly eventType: EventType;
  readonly eventId: string;
  readonly payload: Record<string, unknown>;
  readonly at: string;
};

function envelopeOf(work: Work, content: Content): ReceivedEnvelope {
  const entry = eventCatalogue[content.eventType];
  return makeEnvelope({
    eventType: content.eventType,
    eventId: content.eventId,
    payload: content.payload,
    timestamp: content.at,
    contractVersion: entry.payload === 'signal' ? 'event-envelope-v1' : entry.payload,
    severity: entry.severity,
    tenantId: work.identity.tenantId,
    agentId: work.identity.agentId,
    sessionId: work.identity.sessionId,
    conversationKey: work.identity.conversationKey,
    traceId: work.traceId,
    causationId: work.eventId,
    ...(work.kind === 'turn' ? requestIds(work) : {}),
    producer,
  });
}

function requestIds({ request }: TurnWork): { messageId: string; requestId?: string } {
  const requestId = request.payload.metadata?.request_id;
  return { messageId: request.payload.message_id, ...(requestId === undefined ? {} : { requestId }) };
}
