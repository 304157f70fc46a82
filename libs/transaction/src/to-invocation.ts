import { itemKey, type ToolInvocation } from '@latch/contracts';
import { toolOf } from './draft.ts';
import { type EventOf } from './events.ts';
import { type DecidedStep } from './react.ts';
import { type PendingCall, type TransactionCore } from './state.ts';

/** The approved call on the wire: exactly what the event holds, so exactly what was shown (invariant I5). */
export function toInvocation(
  step: DecidedStep,
  event: EventOf<'PreValidationRequested'> | EventOf<'ExecutionStarted'> | EventOf<'ReconciliationStarted'>,
): ToolInvocation {
  const { call } = event;
  const transaction = transactionOf(step, event.transactionId);
  return {
    contract_version: 'tool-invocation-v1',
    tenant_id: step.after.tenantId,
    agent_id: step.after.agentId,
    tool_name: call.tool,
    arguments: { ...call.arguments },
    business_context: transaction?.businessContext ?? {},
    metadata: { trace_id: call.traceId },
    invocation_id: call.invocationId,
    transaction_id: event.transactionId,
    rev: call.rev,
    purpose: call.purpose,
    operation_type: call.purpose === 'execution' ? toolOf(step.agent, call.tool).operationType : 'read_only',
    proposal_id: call.proposalId,
    items: itemsWithKeys(call, transaction),
    tool_schema_hash: call.toolSchemaHash ?? null,
    expires_at: call.expiresAt,
    ...(step.after.lastTurn === null ? {} : { channel: step.after.lastTurn.channel }),
    ...(call.idempotencyKey === null ? {} : { idempotency_key: call.idempotencyKey }),
  };
}

/** Each item travels with its own key: that of the first call that was ever made for it, so that a retry is recognized by the server. */
function itemsWithKeys(call: PendingCall, transaction: TransactionCore | undefined): ToolInvocation['items'] {
  const key = transaction?.lineage?.idempotencyKey ?? call.idempotencyKey;
  return call.items.map((item) => (key === null ? item : { ...item, item_key: itemKey(key, item.id) }));
}

function transactionOf({ after }: DecidedStep, id: string): TransactionCore | undefined {
  return [after.transaction, ...after.unresolved].find((held) => held?.id === id) ?? undefined;
}
