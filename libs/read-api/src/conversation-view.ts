import { type AgentState, type Checkpoint, digest } from '@latch/contracts';
import { isErased, type StoredConversation } from '@latch/event-store';
import { restoreState, toAgentState } from '@latch/transaction';

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
