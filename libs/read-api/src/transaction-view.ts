import { type StoredTransaction } from '@latch/event-store';

/** A transaction in a list. */
export function transactionSummary(transaction: StoredTransaction): object {
  return {
    transaction_id: transaction.id,
    tenant_id: transaction.tenantId,
    agent_id: transaction.agentId,
    conversation_key: transaction.conversationKey,
    tool: transaction.tool,
    status: transaction.status,
    rev: transaction.rev,
    outcome: transaction.outcome,
    items_count: transaction.items.length,
    started_at: transaction.startedAt,
    ended_at: transaction.endedAt,
    ...(transaction.isErased && { erased: true }),
  };
}

/** One transaction, with its arguments and the outcome of each item. */
export function transactionView(transaction: StoredTransaction): object {
  return {
    ...transactionSummary(transaction),
    arguments: transaction.arguments,
    items: transaction.items.map(({ id, label, outcome, reason, protocol }) => ({
      id,
      label,
      outcome,
      reason,
      protocol,
    })),
  };
}
