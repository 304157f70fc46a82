import { type Sql } from './database.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type StoredStream } from './read-streams.ts';
import { sealedPartOf } from './seal-payload.ts';
import { isSealed } from './seal-value.ts';
import { sealedOfBytes } from './sealed-column.ts';
import { type StreamProjection } from './stream-projection.ts';
import { type Keys } from './unsealings.ts';

/** Rows as they are stored. What is sealed is still sealed; the keys that open it are beside them. */
export type ProjectionRecords = {
  readonly transactions: readonly TransactionRecord[];
  readonly items: readonly ItemRecord[];
  readonly turns: readonly TurnRecord[];
  readonly approved: readonly ApprovedRecord[];
  readonly ledger: readonly LedgerRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly keys: Keys;
};

type Owned = { readonly stream_id: string; readonly tenant_id: string };

/** One row of `transactions`. */
export type TransactionRecord = Owned & {
  readonly transaction_id: string;
  readonly tool: string;
  readonly status: string;
  readonly rev: number;
  readonly arguments: unknown;
  readonly outcome: string | null;
  readonly started_at: Date;
  readonly ended_at: Date | null;
};

/** One row of `transaction_items`. */
export type ItemRecord = {
  readonly transaction_id: string;
  readonly ordinal: number;
  readonly tenant_id: string;
  readonly item_id: string;
  readonly label: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly protocol: string | null;
};

/** One row of `turns`. */
export type TurnRecord = Owned & {
  readonly turn_id: string;
  readonly message_id: string | null;
  readonly body_digest: string | null;
  readonly ids: Buffer | null;
  readonly status: string;
  readonly response: string | null;
  readonly sealed_response: Buffer | null;
};

/** One row of `approved_invocations`. */
export type ApprovedRecord = Owned & {
  readonly invocation_id: string;
  readonly agent_id: string;
  readonly transaction_id: string;
  readonly rev: number;
  readonly tool: string;
  readonly purpose: string;
  readonly operation_type: string;
  readonly proposal_id: string | null;
  readonly digest: string | null;
  readonly ids: Buffer | null;
  readonly idempotency_key: string;
  readonly expires_at: Date | null;
  readonly invocation: unknown;
  readonly sealed_invocation: Buffer | null;
};

/** One row of `tool_ledger`. */
export type LedgerRecord = Owned & {
  readonly invocation_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly execution: unknown;
  readonly sealed_execution: Buffer | null;
};

/** One row of `tool_attempts`. */
export type AttemptRecord = {
  readonly invocation_id: string;
  readonly number: number;
  readonly tenant_id: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly outcome: unknown;
  readonly sealed_outcome: Buffer | null;
  readonly step: string | null;
};

/** Whose rows: those of the streams, and those that their events name. */
export type WantedRows = {
  readonly streamIds: readonly string[];
  readonly transactionIds: readonly string[];
  readonly turnIds: readonly string[];
  readonly invocationIds: readonly string[];
};

/** What has to be read of streams to compare it with their projections. */
export function wantedOf(
  page: readonly { readonly stream: StoredStream; readonly projection: StreamProjection }[],
): WantedRows {
  return {
    streamIds: page.map(({ stream }) => stream.conversation.streamId),
    transactionIds: page.flatMap(({ projection }) => projection.transactions.map(({ id }) => id)),
    turnIds: page.flatMap(({ projection }) => (projection.turns ?? []).map(({ turnId }) => turnId)),
    invocationIds: page.flatMap(({ projection }) => (projection.invocations ?? []).map((call) => call.invocationId)),
  };
}

/** Reads the rows by the indexes that there are: an approved call is found by its transaction too, so that none that nobody approved hides beside it. */
export async function readProjections(sql: Sql, vault: PersonalVault, wanted: WantedRows): Promise<ProjectionRecords> {
  const { streamIds, transactionIds, turnIds, invocationIds } = wanted;
  const [transactions, turns, approved] = await Promise.all([
    sql<TransactionRecord>(transactionsSql, [streamIds]),
    sql<TurnRecord>(turnsSql, [turnIds]),
    sql<ApprovedRecord>(approvedSql, [transactionIds, invocationIds]),
  ]);
  const calls = [...new Set([...invocationIds, ...approved.map((row) => row.invocation_id)])];
  const all = [...new Set([...transactionIds, ...transactions.map((row) => row.transaction_id)])];
  const [items, ledger, attempts] = await Promise.all([
    sql<ItemRecord>(itemsSql, [all]),
    sql<LedgerRecord>(ledgerSql, [calls]),
    sql<AttemptRecord>(attemptsSql, [calls]),
  ]);
  const sealed = [
    ...transactions.map((row) => sealedPartOf(row.arguments)),
    ...turns.map((row) => textOf(row.sealed_response)),
    ...approved.map((row) => textOf(row.sealed_invocation)),
    ...ledger.map((row) => textOf(row.sealed_execution)),
    ...attempts.flatMap((row) => [textOf(row.sealed_outcome), isSealed(row.step) ? row.step : undefined]),
  ];
  const keys = await vault.keysOf(sealed, (ids, of) => of.read(sql, ids));
  return { transactions, items, turns, approved, ledger, attempts, keys };
}

function textOf(bytes: Buffer | null): string | undefined {
  return bytes === null ? undefined : sealedOfBytes(bytes);
}

const transactionsSql = `
  SELECT transaction_id, stream_id, tenant_id, tool, status, rev, arguments, outcome, started_at, ended_at
  FROM transactions WHERE stream_id = ANY ($1::uuid[])`;

const itemsSql = `
  SELECT transaction_id, ordinal, tenant_id, item_id, label, outcome, reason, protocol
  FROM transaction_items WHERE transaction_id = ANY ($1::text[]) ORDER BY transaction_id, ordinal`;

const turnsSql = `
  SELECT turn_id, stream_id, tenant_id, message_id, body_digest, ids, status, response, sealed_response
  FROM turns WHERE turn_id = ANY ($1::text[])`;

const approvedSql = `
  SELECT invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose, operation_type, proposal_id, digest, ids,
    idempotency_key, expires_at, invocation, sealed_invocation
  FROM approved_invocations WHERE transaction_id = ANY ($1::text[]) OR invocation_id = ANY ($2::text[])`;

const ledgerSql = `
  SELECT invocation_id, stream_id, tenant_id, status, attempts, execution, sealed_execution
  FROM tool_ledger WHERE invocation_id = ANY ($1::text[])`;

const attemptsSql = `
  SELECT invocation_id, number, tenant_id, started_at, ended_at, outcome, sealed_outcome, step
  FROM tool_attempts WHERE invocation_id = ANY ($1::text[]) ORDER BY invocation_id, number`;
