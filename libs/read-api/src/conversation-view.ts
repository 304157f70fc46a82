import { type AgentState, type Checkpoint, digest, type EventEnvelope, isRecord } from '@latch/contracts';
import { isErased, type StoredConversation, type StoredEvent } from '@latch/event-store';
import { evidenceType, restoreState, toAgentState } from '@latch/transaction';

/**
 * The published state of a stored conversation, derived from the folded state. A state that cannot be read says so in `inconsistency`; one that was erased is
 * that of a conversation in which nothing was said yet, as whoever speaks next finds it.
 */
export function agentStateOf(conversation: StoredConversation): AgentState {
  return toAgentState(restoreState(conversation, isErased(conversation.state) ? null : conversation.state));
}

/** The Checkpoint of a stored conversation. */
export function checkpointOf(conversation: StoredConversation): Checkpoint {
  return {
    conversation_key: conversation.conversationKey,
    tenant_id: conversation.tenantId,
    agent_id: conversation.agentId,
    session_id: conversation.sessionId,
    version: conversation.version,
    state_digest: digest(conversation.state),
    config_digest: conversation.configDigest,
    state: agentStateOf(conversation),
    updated_at: conversation.updatedAt,
    contract_version: 'checkpoint-v1',
  };
}

/**
 * A stored event as an EventEnvelope. The stored facts are finer than the events of the bus: `ConfirmationRequested` shows as
 * `IC.CONFIRMATION_REQUESTED`, with the hash that chains it to the event before.
 */
export function envelopeOf(event: StoredEvent, conversation: StoredConversation): EventEnvelope {
  return {
    event_type: evidenceType(event.type),
    timestamp: event.occurredAt,
    tenant_id: event.tenantId,
    agent_id: conversation.agentId,
    session_id: conversation.sessionId,
    trace_id: event.traceId,
    payload: isRecord(event.payload) ? event.payload : { value: event.payload },
    event_id: event.eventId,
    contract_version: 'event-envelope-v1',
    conversation_key: event.conversationKey,
    transaction_id: event.transactionId,
    message_id: event.messageId ?? undefined,
    causation_id: event.causationId ?? undefined,
    sequence: event.version,
    producer: 'orchestrator',
    severity: 'info',
    hash: event.hash,
  };
}
