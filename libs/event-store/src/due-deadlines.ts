import { type ConversationKey } from '@latch/contracts';
import { type Sql } from './database.ts';
import { type DeadlineColumns, deadlineOf } from './read-conversation.ts';
import { type DueDeadline } from './stored-conversation.ts';

type DueRow = DeadlineColumns & {
  conversation_key: ConversationKey;
  tenant_id: string;
  agent_id: string;
  session_id: string;
};

/** Deadlines that have passed by the database clock, oldest first; conversations that a batch is just working on are left out. */
export async function dueDeadlines(sql: Sql, { limit }: { readonly limit: number }): Promise<readonly DueDeadline[]> {
  const rows = await sql<DueRow>(
    `SELECT conversation_key, tenant_id, agent_id, session_id, deadline_at, deadline_transaction_id, deadline_rev
     FROM due_deadlines($1)`,
    [limit],
  );
  return rows.flatMap((row) => {
    const deadline = deadlineOf(row);
    if (!deadline) return [];
    return {
      ...deadline,
      conversationKey: row.conversation_key,
      tenantId: row.tenant_id,
      agentId: row.agent_id,
      sessionId: row.session_id,
    };
  });
}
