import {
  type ApprovedRecord,
  type AttemptRecord,
  type ItemRecord,
  type LedgerRecord,
  type ProjectionRecords,
  type TransactionRecord,
  type TurnRecord,
} from './read-projections.ts';
import { type Keys } from './unsealings.ts';

/** The rows of a page by what they are looked for. */
export type IndexedRecords = {
  readonly keys: Keys;
  transactionsOf(streamId: string): readonly TransactionRecord[];
  itemsOf(transactionId: string): readonly ItemRecord[];
  turn(turnId: string): TurnRecord | undefined;
  approved(invocationId: string): ApprovedRecord | undefined;
  /** The calls that stand as approved for a transaction. */
  callsOf(transactionId: string): readonly string[];
  ledger(invocationId: string): LedgerRecord | undefined;
  attemptsOf(invocationId: string): readonly AttemptRecord[];
};

/** Makes them findable. */
export function indexRecords(records: ProjectionRecords): IndexedRecords {
  const transactions = grouped(records.transactions, (row) => row.stream_id);
  const items = grouped(records.items, (row) => row.transaction_id);
  const turns = new Map(records.turns.map((row) => [row.turn_id, row]));
  const approved = new Map(records.approved.map((row) => [row.invocation_id, row]));
  const calls = grouped(records.approved, (row) => row.transaction_id);
  const ledger = new Map(records.ledger.map((row) => [row.invocation_id, row]));
  const attempts = grouped(records.attempts, (row) => row.invocation_id);
  return {
    keys: records.keys,
    transactionsOf: (streamId) => transactions.get(streamId) ?? [],
    itemsOf: (transactionId) => items.get(transactionId) ?? [],
    turn: (turnId) => turns.get(turnId),
    approved: (invocationId) => approved.get(invocationId),
    callsOf: (transactionId) => (calls.get(transactionId) ?? []).map((row) => row.invocation_id),
    ledger: (invocationId) => ledger.get(invocationId),
    attemptsOf: (invocationId) => attempts.get(invocationId) ?? [],
  };
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
