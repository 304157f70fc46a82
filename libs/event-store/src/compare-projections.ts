import { isDeepStrictEqual } from 'node:util';
import { alignAnswer } from './align-answer.ts';
import { type ReadExecution, pairLedger, type StoredCall } from './pair-ledger.ts';
import { expectedCall, expectedItem, expectedTransaction, expectedTurn, type Owner } from './expected-columns.ts';
import { type ProjectionDifference, type ProjectionTable } from './projection-difference.ts';
import { type ProvenCall } from './proven-call.ts';
import { type IndexedRecords } from './index-records.ts';
import { type StoredConversation } from './stored-conversation.ts';
import { type StreamProjection } from './stream-projection.ts';
import { approvedColumns, type Columns, type Opening, transactionColumns, turnColumns } from './stored-columns.ts';

/** What was found of one stream. */
export type StreamComparison = {
  readonly differences: readonly ProjectionDifference[];
  /** Rows that were compared. */
  readonly rows: number;
  /** Rows that are not there any more, and are older than what their tenant keeps. */
  readonly letGo: number;
  /** Calls whose record was made again from the events. */
  readonly rebuilt: number;
};

/** What comparing takes. */
export type ComparisonParts = {
  readonly read: ReadExecution;
  /** The instant before which retention has let rows of a tenant go; null: it never does. */
  readonly keptSince: (tenantId: string) => string | null;
};

/** Compares the rows of a stream with what its events say; pure. The differences come in the order of the tables, each with its first columns first. */
export function compareProjections(
  conversation: Pick<StoredConversation, 'streamId' | 'tenantId' | 'conversationKey'>,
  of: { readonly projection: StreamProjection; readonly records: IndexedRecords },
  parts: ComparisonParts,
): StreamComparison {
  const comparison = new Comparison(conversation, of, parts);
  comparison.compareTransactions();
  comparison.compareTurns();
  comparison.compareCalls();
  return comparison;
}

class Comparison implements StreamComparison {
  readonly differences: ProjectionDifference[] = [];
  rows = 0;
  letGo = 0;
  rebuilt = 0;
  private readonly owner: Owner;
  private readonly opening: Opening;

  constructor(
    private readonly conversation: Pick<StoredConversation, 'streamId' | 'tenantId' | 'conversationKey'>,
    private readonly of: { readonly projection: StreamProjection; readonly records: IndexedRecords },
    private readonly parts: ComparisonParts,
  ) {
    this.owner = conversation;
    this.opening = { ...conversation, keys: of.records.keys };
  }

  compareTransactions(): void {
    const { projection, records } = this.of;
    const stored = new Map(
      records.transactionsOf(this.owner.streamId).map((row) => [row.transaction_id, row] as const),
    );
    for (const row of projection.transactions) {
      const record = stored.get(row.id);
      stored.delete(row.id);
      const items = records.itemsOf(row.id);
      const told = record && transactionColumns(record, items, this.opening);
      this.compareRow('transactions', row.id, {
        stored: told?.columns,
        expected: expectedTransaction(row, this.owner),
      });
      if (told === undefined) continue;
      const extra = new Map(told.items);
      row.items.forEach((item, index) => {
        const place = `${row.id}/${index + 1}`;
        this.compareRow('transaction_items', place, {
          stored: told.items.get(index + 1),
          expected: expectedItem(item, this.owner),
        });
        extra.delete(index + 1);
      });
      for (const number of extra.keys()) this.addExtra('transaction_items', `${row.id}/${number}`);
    }
    for (const id of stored.keys()) this.addExtra('transactions', id);
  }

  compareTurns(): void {
    const { records, projection } = this.of;
    for (const turn of projection.turns ?? []) {
      const { turnId } = turn;
      const record = records.turn(turnId);
      const isDigestKnown = projection.withoutDigest?.has(turnId) !== true;
      const expected = expectedTurn(turn, this.owner, isDigestKnown);
      const told = record && turnColumns(record, this.opening);
      const order = projection.answers?.get(turnId);
      const stored = told && { ...told, response: alignAnswer(told['response'], expected['response'], order) };
      this.compareRow('turns', turnId, { stored, expected });
    }
  }

  compareCalls(): void {
    const { records, projection } = this.of;
    const { invocations = [], calls = [], transactions } = projection;
    const proven = new Map(calls.map((call) => [call.invocationId, call]));
    const known = new Set(invocations.map(({ invocationId }) => invocationId));
    for (const approved of invocations) {
      const { invocationId: id } = approved;
      const record = records.approved(id);
      const stored = record && approvedColumns(record, this.opening);
      this.compareRow('approved_invocations', id, { stored, expected: expectedCall(approved, this.owner) });
      this.compareLedger(id, {
        approved,
        proven: proven.get(id),
        row: records.ledger(id),
        attempts: records.attemptsOf(id),
      });
    }
    for (const id of transactions.flatMap((row) => records.callsOf(row.id))) {
      if (!known.has(id)) this.addExtra('approved_invocations', id);
    }
  }

  private compareLedger(id: string, call: StoredCall): void {
    const { owner, opening } = this;
    const pair = pairLedger(call, { owner, opening, read: this.parts.read });
    if (pair.isRebuilt) this.rebuilt += 1;
    if (pair.ledger !== null) this.compareRow('tool_ledger', id, pair.ledger);
    else if (hasEnded(call.proven)) this.compareRow('tool_ledger', id, { stored: undefined, expected: {} });
    for (const [number, { stored, expected }] of pair.attempts) {
      const place = `${id}/${number}`;
      if (expected === null) this.addExtra('tool_attempts', place);
      else this.compareRow('tool_attempts', place, { stored, expected });
    }
  }

  private compareRow(
    table: ProjectionTable,
    id: string,
    { stored, expected }: { readonly stored: Columns | undefined; readonly expected: Columns },
  ): void {
    if (stored === undefined && this.mayBeGone(id)) {
      this.letGo += 1;
      return;
    }
    this.rows += 1;
    if (stored === undefined) return this.add('missing', { table, row: id, column: null, stored, found: expected });
    for (const [column, found] of Object.entries(expected)) {
      if (!isDeepStrictEqual(stored[column], found)) {
        this.add('changed', { table, row: id, column: columnOf(table, column), stored: stored[column], found });
      }
    }
  }

  private addExtra(table: ProjectionTable, row: string): void {
    this.rows += 1;
    this.add('extra', { table, row, column: null, stored: row, found: undefined });
  }

  private add(
    kind: ProjectionDifference['kind'],
    at: Omit<ProjectionDifference, 'kind' | 'tenantId' | 'conversationKey'>,
  ): void {
    const { tenantId, conversationKey } = this.conversation;
    this.differences.push({ kind, ...at, tenantId, conversationKey });
  }

  /** Whether retention may have taken it: of a turn, a call or an attempt that began before what the tenant keeps. */
  private mayBeGone(id: string): boolean {
    const since = this.parts.keptSince(this.owner.tenantId);
    const begun = this.of.projection.begunAt?.get(id.split('/')[0] ?? '');
    return since !== null && begun !== undefined && Date.parse(begun) < Date.parse(since);
  }
}

function hasEnded(proven: ProvenCall | undefined): boolean {
  return proven !== undefined && proven.outcome !== null;
}

/** What nothing is looked up by stands packed in one column. */
function columnOf(table: ProjectionTable, column: string): string {
  const packed: Partial<Record<ProjectionTable, readonly string[]>> = {
    turns: ['message_id', 'body_digest'],
    approved_invocations: ['proposal_id', 'digest'],
  };
  return packed[table]?.includes(column) ? `ids.${column}` : column;
}
