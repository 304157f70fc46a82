import { type StoredEvent } from '@latch/event-store';
import { type Work } from '@latch/orchestrator/engine';
import { bodyDigestOf, type GatewayRequest } from '@latch/contracts';
import { type ConversationIdentity, type TransactionInput, type UserSpoke } from '@latch/transaction';

/** The unit of work that a stored decision was about, as far as its stream tells it: what its messages are made of again. */
export function rebuiltWork(identity: ConversationIdentity, input: TransactionInput, event: StoredEvent): Work {
  const core = { identity, eventId: event.causationId ?? event.eventId, bodyDigest: '', traceId: event.traceId };
  switch (input.type) {
    case 'UserSpoke': {
      const request = requestOf(identity, input);
      return {
        kind: 'turn',
        ...core,
        bodyDigest: input.bodyDigest ?? bodyDigestOf(request),
        turnId: input.turnId,
        request,
      };
    }
    case 'ToolResultArrived':
      return { kind: 'tool_result', ...core, invocationId: input.invocationId, result: input.result };
    case 'DeadlinePassed':
      return { kind: 'deadline', ...core, transactionId: input.transactionId, rev: input.rev };
    default:
      return input satisfies never;
  }
}

/**
 * The request of a turn. Its business context is the one that the turn was decided with: what identity.yaml found is in it, so that its digest is not always that
 * of the request that came.
 */
function requestOf({ tenantId, agentId, sessionId }: ConversationIdentity, turn: UserSpoke): GatewayRequest {
  const { payload: unreadInPayload, ...unread } = turn.unread ?? {};
  return {
    ...unread,
    channel: turn.channel,
    tenant_id: tenantId,
    agent_id: agentId,
    payload: {
      ...Object(unreadInPayload),
      message: turn.text,
      session_id: sessionId,
      message_id: turn.messageId,
      user_id: turn.userId,
      inputs: turn.inputs ?? undefined,
      business_context: turn.businessContext,
      tool_arguments: { ...turn.sources.toolArguments },
      context: { ...turn.sources.context },
      metadata: { ...turn.sources.metadata },
    },
  };
}
