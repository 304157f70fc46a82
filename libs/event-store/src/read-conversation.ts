import { type ConversationKey } from '@latch/contracts';
import { type Deadline } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { sealedOfBytes } from './sealed-column.ts';
import { type StoredConversation } from './stored-conversation.ts';

/** A conversation as a statement over `streams s JOIN conversations c` gives it. */
export type ConversationRow = {
  stream_id: string;
  conversation_key: ConversationKey;
  tenant_id: string;
  agent_id: string;
  session_id: string;
  version: number;
  state: unknown;
  sealed_state: Buffer | null;
  config_digest: string | null;
  head_hash: string;
  deadline_at: Date | null;
  deadline_transaction_id: string | null;
  deadline_rev: number | null;
  created_at: Date;
  updated_at: Date;
};

/** The columns of a ConversationRow. */
export const conversationColumns = `c.stream_id, s.conversation_key, c.tenant_id, c.agent_id, c.session_id, c.version, c.state, c.sealed_state, c.config_digest,
  encode(c.head_hash, 'hex') AS head_hash, c.deadline_at, c.deadline_transaction_id, c.deadline_rev, c.created_at, c.updated_at`;

/** A conversation of a tenant, as it was last committed. */
export async function readConversation(
  sql: Sql,
  tenantId: string,
  conversationKey: string,
): Promise<StoredConversation | undefined> {
  const [row] = await sql<ConversationRow>(
    `SELECT ${conversationColumns} FROM streams s JOIN conversations c USING (stream_id)
     WHERE s.conversation_key = $1 AND s.tenant_id = $2`,
    [conversationKey, tenantId],
  );
  return row && conversationOf(row);
}

/** The conversation that a row holds. */
export function conversationOf(row: ConversationRow): StoredConversation {
  return {
    streamId: row.stream_id,
    conversationKey: row.conversation_key,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    sessionId: row.session_id,
    version: row.version,
    state: row.sealed_state === null ? row.state : sealedOfBytes(row.sealed_state),
    configDigest: row.config_digest,
    headHash: row.head_hash,
    deadline: deadlineOf(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The columns that hold a conversation's deadline. */
export type DeadlineColumns = Pick<ConversationRow, 'deadline_at' | 'deadline_transaction_id' | 'deadline_rev'>;

/** The deadline that a row holds; null: none. */
export function deadlineOf(row: DeadlineColumns): Deadline | null {
  const { deadline_at: at, deadline_transaction_id: transactionId, deadline_rev: rev } = row;
  return at && transactionId !== null && rev !== null ? { transactionId, rev, at: at.toISOString() } : null;
}
