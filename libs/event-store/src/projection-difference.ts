/** A table that is made from the events, or that holds what the events know the end of. */
export type ProjectionTable =
  'transactions' | 'transaction_items' | 'turns' | 'approved_invocations' | 'tool_ledger' | 'tool_attempts';

/** Where a table is not what the events say. */
export type ProjectionDifference = {
  /**
   * `changed`: a column holds something else. `missing`: a row that has to be there is not. `extra`: a row of the stream that its events know nothing of.
   * `orphan`: a row of no stream. `unprovable`: the events of the stream cannot be read or their configuration is gone, so that nothing proves the rows.
   */
  readonly kind: 'changed' | 'missing' | 'extra' | 'orphan' | 'unprovable';
  /** Why nothing is proven: `event_altered`, `configuration_gone`, or the name of the error with which making the rows failed. Of `unprovable` only. */
  readonly reason?: string;
  readonly table: ProjectionTable | 'conversations' | 'events' | 'config_versions';
  /** The key of the row; that of an item or attempt is `<transaction or call>/<number>`. */
  readonly row: string;
  /** Null where it is the whole row. What several columns hold together is named `<column>.<part>`. */
  readonly column: string | null;
  /** What stands there, opened; undefined for a row that is missing. Personal values are in the clear here: whoever shows them masks them. */
  readonly stored: unknown;
  /** What the events say. */
  readonly found: unknown;
  readonly tenantId: string;
  /** Absent of an orphan. */
  readonly conversationKey?: string;
};

/** What stands in the place of a stored value that cannot be read: it was altered or moved, or its key is gone. */
export type Unreadable = { readonly unreadable: string };

/** Columns that hold what people said, or what a tool said of them. */
const personalColumns: ReadonlySet<string> = new Set([
  'conversations.state',
  'transactions.arguments',
  'transaction_items.item_id',
  'transaction_items.label',
  'transaction_items.reason',
  'transaction_items.protocol',
  'turns.response',
  'approved_invocations.invocation',
  'tool_ledger.execution',
  'tool_attempts.outcome',
  'tool_attempts.step',
]);

/** Whether the values of a difference may hold something personal, so that they are not to be printed. */
export function isPersonal({ table, column }: Pick<ProjectionDifference, 'table' | 'column'>): boolean {
  return column !== null && personalColumns.has(`${table}.${column}`);
}
