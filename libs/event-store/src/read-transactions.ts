import {
  type AggregateOutcome,
  type ConversationKey,
  type ItemOutcome,
  type TransactionStatus,
} from '@latch/contracts';
import { type TransactionItemRow } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { type StoredTransaction } from './stored-conversation.ts';

/** Which transactions of a tenant. */
export type TransactionFilter = {
  readonly tenantId: string;
  readonly status?: string;
  readonly tool?: string;
  readonly agentId?: string;
  /** Started at this instant or later. */
  readonly since?: string;
  /** The last transaction of the page before: only what comes after it, newest first. */
  readonly after?: { readonly startedAt: string; readonly transactionId: string };
  readonly limit: number;
};

type Row = {
  transaction_id: string;
  tenant_id: string;
  agent_id: string;
  conversation_key: ConversationKey;
  tool: string;
  status: TransactionStatus;
  rev: number;
  arguments: Record<string, unknown>;
  outcome: AggregateOutcome | null;
  started_at: Date;
  ended_at: Date | null;
};

const columns = `t.transaction_id, t.tenant_id, c.agent_id, s.conversation_key, t.tool, t.status, t.rev, t.arguments, t.outcome, t.started_at, t.ended_at`;
const tables = `transactions t JOIN streams s USING (stream_id) JOIN conversations c USING (stream_id)`;

/** The transactions of a tenant, newest first, with their items. */
export async function listTransactions(sql: Sql, filter: TransactionFilter): Promise<readonly StoredTransaction[]> {
  const rows = await sql<Row>(
    `SELECT ${columns} FROM ${tables}
     WHERE t.tenant_id = $1 AND ($2::text IS NULL OR t.status = $2) AND ($3::text IS NULL OR t.tool = $3)
       AND ($4::timestamptz IS NULL OR t.started_at >= $4) AND ($6::text IS NULL OR c.agent_id = $6)
       AND ($7::timestamptz IS NULL OR (t.started_at, t.transaction_id) < ($7, $8::text))
     ORDER BY t.started_at DESC, t.transaction_id DESC LIMIT $5`,
    parametersOf(filter),
  );
  return withItems(sql, rows);
}

function parametersOf({ tenantId, status, tool, since, limit, agentId, after }: TransactionFilter): readonly unknown[] {
  const place = [after?.startedAt ?? null, after?.transactionId ?? null];
  return [tenantId, status ?? null, tool ?? null, since ?? null, limit, agentId ?? null, ...place];
}

/** One transaction of a tenant, with its items. */
export async function readTransaction(
  sql: Sql,
  tenantId: string,
  transactionId: string,
): Promise<StoredTransaction | undefined> {
  const rows = await sql<Row>(`SELECT ${columns} FROM ${tables} WHERE t.transaction_id = $1 AND t.tenant_id = $2`, [
    transactionId,
    tenantId,
  ]);
  const [transaction] = await withItems(sql, rows);
  return transaction;
}

/** How many transactions of a tenant are in a state, with the same outcome. */
export type TransactionCount = {
  readonly status: TransactionStatus;
  readonly outcome: AggregateOutcome | null;
  readonly count: number;
};

/** The transactions of a tenant that started at an instant or later, counted by state and outcome. */
export async function countTransactions(
  sql: Sql,
  { tenantId, since }: Required<Pick<TransactionFilter, 'tenantId' | 'since'>>,
): Promise<readonly TransactionCount[]> {
  return sql<TransactionCount>(
    `SELECT status, outcome, count(*)::int AS count FROM transactions WHERE tenant_id = $1 AND started_at >= $2
     GROUP BY status, outcome ORDER BY status, outcome`,
    [tenantId, since],
  );
}

type ItemRow = {
  transaction_id: string;
  item_id: string;
  label: string;
  outcome: ItemOutcome | null;
  reason: string | null;
  protocol: string | null;
};

async function withItems(sql: Sql, rows: readonly Row[]): Promise<readonly StoredTransaction[]> {
  if (rows.length === 0) return [];
  const stored = await sql<ItemRow>(
    `SELECT transaction_id, item_id, label, outcome, reason, protocol FROM transaction_items
     WHERE transaction_id = ANY($1::text[]) ORDER BY transaction_id, ordinal`,
    [rows.map((row) => row.transaction_id)],
  );
  const items = new Map<string, TransactionItemRow[]>(rows.map((row) => [row.transaction_id, []]));
  for (const { transaction_id, item_id, ...item } of stored) items.get(transaction_id)?.push({ id: item_id, ...item });
  return rows.map((row) => transactionOf(row, items.get(row.transaction_id) ?? []));
}

function transactionOf(row: Row, items: readonly TransactionItemRow[]): StoredTransaction {
  return {
    id: row.transaction_id,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    conversationKey: row.conversation_key,
    tool: row.tool,
    status: row.status,
    rev: row.rev,
    arguments: row.arguments,
    items,
    outcome: row.outcome,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** How many transactions are open, of all tenants, by status. */
export async function countOpenTransactions(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ status: string; count: number }>(`SELECT status, count FROM open_transactions()`, []);
  return new Map(rows.map(({ status, count }) => [status, count]));
}
