import { type ApprovedInvocation, type TransactionRow, type TurnRow } from './conversation-append.ts';
import { type ProjectionDifference } from './projection-difference.ts';
import { type StreamProjection } from './stream-projection.ts';

/** What a rebuild has to write of one stream; nothing else is touched. */
export type RebuildWork = Pick<StreamProjection, 'person'> & {
  readonly transactions: readonly TransactionRow[];
  readonly turns: readonly TurnRow[];
  readonly invocations: readonly ApprovedInvocation[];
  /** Transactions whose rows go, before those that are written come. */
  readonly gone: readonly string[];
  /** How many rows are not what they have to be and will be. */
  readonly changed: number;
  /** How many are not and stay: an answer that was given, an approval or an attempt that is there, is nobody's to write again. */
  readonly left: number;
};

/** Sorts out what of the differences a rebuild puts right. The ledger is restored beside it (`restoreLedger`). */
export function workOf(projection: StreamProjection, differences: readonly ProjectionDifference[]): RebuildWork {
  const { person, transactions, turns = [], invocations = [] } = projection;
  const rows = new Map<string, ProjectionDifference[]>();
  for (const difference of differences) {
    const key = `${difference.table}:${difference.row}`;
    rows.set(key, [...(rows.get(key) ?? []), difference]);
  }
  const all = [...rows.values()];
  const put = all.filter((some) => some.some(isPutRight));
  const left = all.filter((some) => !some.some(isPutRight) && !some.some(isOfLedger));
  const ids = (tables: readonly string[]): ReadonlySet<string> =>
    new Set(put.flat().flatMap((of) => (tables.includes(of.table) ? [transactionOf(of)] : [])));
  const touched = ids(['transactions', 'transaction_items']);
  const [turnIds, callIds] = [ids(['turns']), ids(['approved_invocations'])];
  return {
    person: person ?? null,
    transactions: transactions.filter(({ id }) => touched.has(id)),
    turns: turns.filter(({ turnId }) => turnIds.has(turnId)),
    invocations: invocations.filter(({ invocationId }) => callIds.has(invocationId)),
    gone: [...touched],
    changed: put.length,
    left: left.length,
  };
}

/** A transaction is written whole, whatever is wrong with it; of the rest only what is not there, and the answer of a turn that waits for one. */
function isPutRight({ table, kind, column, stored, found }: ProjectionDifference): boolean {
  if (table === 'transactions' || table === 'transaction_items') return true;
  if (table === 'approved_invocations') return kind === 'missing';
  if (table !== 'turns') return false;
  return kind === 'missing' || (column === 'status' && stored === 'in_flight' && found === 'done');
}

/** A call that has ended and does not stand as done. */
function isOfLedger({ table, kind, column, found }: ProjectionDifference): boolean {
  return table === 'tool_ledger' && (kind === 'missing' || (column === 'status' && found === 'DONE'));
}

/** The row, or, of an item, the transaction that it belongs to. */
function transactionOf({ table, row }: ProjectionDifference): string {
  return table === 'transaction_items' ? row.slice(0, row.lastIndexOf('/')) : row;
}
