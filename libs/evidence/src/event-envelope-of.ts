import { type EventEnvelope } from '@latch/contracts';
import { type StoredConversation, type StoredEvent } from '@latch/event-store';
import { evidenceType } from '@latch/transaction';

/**
 * A stored event as an EventEnvelope. The stored facts are finer than the events of the bus: `ConfirmationRequested` shows as
 * `IC.CONFIRMATION_REQUESTED`, with the hash that chains it to the event before.
 */
export function eventEnvelopeOf(
  event: StoredEvent,
  conversation: Pick<StoredConversation, 'agentId' | 'sessionId'>,
): EventEnvelope {
  return {
    event_type: evidenceType(event.type),
    timestamp: event.occurredAt,
    tenant_id: event.tenantId,
    agent_id: conversation.agentId,
    ...envelopeFrame(conversation.sessionId),
    trace_id: event.traceId,
    payload: payloadOf(event.payload),
    event_id: event.eventId,
    conversation_key: event.conversationKey,
    transaction_id: event.transactionId,
    message_id: event.messageId ?? undefined,
    causation_id: event.causationId ?? undefined,
    sequence: event.version,
    hash: event.hash,
  };
}

/** What is the same in the envelope of every event of a session. */
export function envelopeFrame(
  sessionId: string,
): Pick<EventEnvelope, 'session_id' | 'contract_version' | 'producer' | 'severity'> {
  return { session_id: sessionId, contract_version: 'event-envelope-v1', producer: 'orchestrator', severity: 'info' };
}

/** An envelope's payload is an object; anything else stands in `value`. */
export function payloadOf(payload: unknown): Record<string, unknown> {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    ? { ...payload }
    : { value: payload };
}
