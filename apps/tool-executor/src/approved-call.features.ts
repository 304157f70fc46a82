import { type BusMessage, invocationDigest, type ProposalItem, type ToolInvocation, topics } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { makeEnvelope, toBusMessage } from '@latch/messaging';
import { v7 as newUuid } from 'uuid';

/** What a test says about a call. */
export type Sketch = {
  args: Record<string, unknown>;
  items: (string | ProposalItem)[];
  fields: Partial<ApprovedInvocation>;
};

/** An approved call, with what a test says about it. */
export function approvedCall(tool: string, { args, items, fields }: Sketch): ApprovedInvocation {
  const id = newUuid();
  const isRead = tool === 'look';
  const base = {
    invocationId: id,
    tenantId: 'default',
    agentId: 'agent',
    conversationKey: `default:agent:${id}`,
    transactionId: `tx-${id}`,
    rev: 1,
    tool,
    purpose: 'execution' as const,
    operationType: isRead ? ('read_only' as const) : ('transactional' as const),
    proposalId: isRead ? null : 'proposal-1',
    idempotencyKey: `key-${id}`,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    ...fields,
  };
  const invocation: ToolInvocation = {
    contract_version: 'tool-invocation-v1',
    tenant_id: base.tenantId,
    agent_id: base.agentId,
    tool_name: tool,
    arguments: args,
    invocation_id: base.invocationId,
    transaction_id: base.transactionId,
    rev: base.rev,
    purpose: base.purpose,
    operation_type: base.operationType,
    proposal_id: base.proposalId,
    idempotency_key: base.idempotencyKey,
    items: items.map((item) => (typeof item === 'string' ? { id: item, label: item } : item)),
    metadata: { trace_id: 'trace-1' },
    ...(base.expiresAt === null ? {} : { expires_at: base.expiresAt }),
  };
  return { ...base, digest: invocationDigest(invocation), invocation };
}

/** The same call, approved under a schema of its tool. */
export function underSchema(approved: ApprovedInvocation, hash: string | undefined): ApprovedInvocation {
  if (hash === undefined) return approved;
  const invocation = { ...approved.invocation, tool_schema_hash: hash };
  return { ...approved, digest: invocationDigest(invocation), invocation };
}

/** The record that wakes the executor; a test may announce what nobody approved. */
export function announce(approved: ApprovedInvocation, invocation: ToolInvocation, traceparent?: string): BusMessage {
  const envelope = makeEnvelope({
    eventType: 'IC.TOOL_REQUESTED',
    eventId: newUuid(),
    payload: invocation,
    contractVersion: 'tool-invocation-v1',
    tenantId: approved.tenantId,
    agentId: approved.agentId,
    sessionId: 'session',
    conversationKey: approved.conversationKey,
    traceId: 'trace-1',
    producer: 'orchestrator',
    timestamp: new Date().toISOString(),
  });
  return toBusMessage(topics.toolInvocations, envelope, { traceparent });
}
