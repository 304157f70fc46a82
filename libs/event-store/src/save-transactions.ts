import { TerminalError } from '@latch/contracts';
import { type ChainedAppend } from './chain-append.ts';
import { type TransactionRow } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { nothingSaved } from './store-errors.ts';

type Row = TransactionRow & { readonly streamId: string; readonly tenantId: string };

/** Saves the projection of transactions with their items. Where a batch names a transaction twice, the last row counts. */
export async function saveTransactions(sql: Sql, conversations: readonly ChainedAppend[]): Promise<void> {
  const rows = new Map<string, Row>(
    conversations.flatMap(({ transactions, streamId, tenantId }) =>
      transactions.map((transaction) => [transaction.id, { ...transaction, streamId, tenantId }]),
    ),
  );
  if (rows.size === 0) return;
  await Promise.all([upsertTransactions(sql, [...rows.values()]), replaceItems(sql, [...rows.values()])]);
}

/** @throws TerminalError when an id belongs to another conversation: it is never moved. */
async function upsertTransactions(sql: Sql, rows: readonly Row[]): Promise<void> {
  const saved = await sql(
    `INSERT INTO transactions (transaction_id, stream_id, tenant_id, tool, status, rev, arguments, outcome, started_at, ended_at)
     SELECT transaction_id, stream_id, tenant_id, tool, status, rev, arguments::json, outcome, started_at, ended_at
     FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::timestamptz[],
       $10::timestamptz[]
     ) AS i (transaction_id, stream_id, tenant_id, tool, status, rev, arguments, outcome, started_at, ended_at)
     ON CONFLICT (transaction_id) DO UPDATE SET
       tool = excluded.tool, status = excluded.status, rev = excluded.rev, arguments = excluded.arguments,
       outcome = excluded.outcome, ended_at = excluded.ended_at
     WHERE transactions.stream_id = excluded.stream_id
     RETURNING transaction_id`,
    [
      rows.map(({ id }) => id),
      rows.map(({ streamId }) => streamId),
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ tool }) => tool),
      rows.map(({ status }) => status),
      rows.map(({ rev }) => rev),
      rows.map((row) => JSON.stringify(row.arguments)),
      rows.map(({ outcome }) => outcome),
      rows.map(({ startedAt }) => startedAt),
      rows.map(({ endedAt }) => endedAt),
    ],
  ).catch(nothingSaved);
  if (saved.length < rows.length) {
    throw new TerminalError('A transaction belongs to another conversation', { code: 'internal' });
  }
}

/** Items are numbered; those past the new count go. An unchanged item is not written again. */
async function replaceItems(sql: Sql, rows: readonly Row[]): Promise<void> {
  const items = rows.flatMap((row) =>
    row.items.map((item, index) => ({ ...item, ordinal: index + 1, transactionId: row.id, tenantId: row.tenantId })),
  );
  await sql(
    `WITH gone AS (
       DELETE FROM transaction_items t USING unnest($9::text[], $10::int[]) AS kept (transaction_id, count)
       WHERE t.transaction_id = kept.transaction_id AND t.ordinal > kept.count
     )
     INSERT INTO transaction_items (transaction_id, ordinal, tenant_id, item_id, label, outcome, reason, protocol)
     SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
     ON CONFLICT (transaction_id, ordinal) DO UPDATE SET
       item_id = excluded.item_id, label = excluded.label, outcome = excluded.outcome, reason = excluded.reason,
       protocol = excluded.protocol
     WHERE (transaction_items.item_id, transaction_items.label, transaction_items.outcome, transaction_items.reason,
         transaction_items.protocol)
       IS DISTINCT FROM (excluded.item_id, excluded.label, excluded.outcome, excluded.reason, excluded.protocol)`,
    [
      items.map(({ transactionId }) => transactionId),
      items.map(({ ordinal }) => ordinal),
      items.map(({ tenantId }) => tenantId),
      items.map(({ id }) => id),
      items.map(({ label }) => label),
      items.map(({ outcome }) => outcome),
      items.map(({ reason }) => reason ?? null),
      items.map(({ protocol }) => protocol ?? null),
      rows.map(({ id }) => id),
      rows.map((row) => row.items.length),
    ],
  );
}
