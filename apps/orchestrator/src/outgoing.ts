import {
  type BusMessage,
  deterministicId,
  eventCatalogue,
  type EventType,
  type ToolInvocation,
  type Topic,
  topics,
  type TurnConflict,
} from '@latch/contracts';
import { makeEnvelope, type ReceivedEnvelope, toBusMessage } from '@latch/messaging';
import { type Signal } from '@latch/transaction';
import { type DecidedTurn } from './run-turn.ts';
import { type TurnWork, type Work } from './work.ts';

const producer = 'orchestrator';

/**
 * The call that the executor is woken with. What may be called stands in the store; this only says that there is something to do, and so the business context
 * stays off the bus (invariant I16).
 */
export function invocationMessage(decided: DecidedTurn, approved: ToolInvocation, at: string): BusMessage {
  const { business_context: _, ...invocation } = approved;
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

/** A message of this service, with the trace that it belongs to. */
export function publishable(topic: Topic, { traceparent }: Work, envelope: ReceivedEnvelope): BusMessage {
  return toBusMessage(topic, envelope, { traceparent });
}

/** What an envelope says beside whose it is. */
export type Content = {
  readonly eventType: EventType;
  readonly eventId: string;
  readonly payload: Record<string, unknown>;
  readonly at: string;
};

/** The envelope of something that a unit of work caused. */
export function envelopeOf(work: Work, content: Content): ReceivedEnvelope {
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
