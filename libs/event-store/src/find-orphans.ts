import { type ComparisonParts } from './compare-projections.ts';
import { type Database } from './database.ts';
import { findUnknownTurns } from './find-unknown-turns.ts';
import { type FoundRows, type IsKept, mostOrphans, type OrphanRow } from './orphan-row.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type ProjectionDifference, type ProjectionTable } from './projection-difference.ts';
import { type TenantScope } from './tenant-scope.ts';

/** Rows of one table that belong to nothing. */
export type Orphans = {
  readonly differences: readonly ProjectionDifference[];
  /** Whether there are more of them than are named. */
  readonly isCut: boolean;
  /** Turns that no event knows of because they were refused: nothing was done for them. */
  readonly refused: number;
};

/**
 * Rows that belong to nothing: their stream, transaction or call is not there, or not that of the same conversation. With the comparison of every stream this leaves
 * no row unseen: an item hangs on its transaction, an attempt on its call, a call on its approval, that on a transaction, and a transaction on its stream. A turn hangs
 * on the event that it was received.
 *
 * Each table is gone through once by the database, as of one moment, however large it is; here arrive, of what is wrong, the newest rows of each tenant: retention
 * takes the oldest ones, so that what it is about to take never hides what it keeps.
 */
export async function findOrphans(
  { database, vault }: { readonly database: Pick<Database, 'snapshot'>; readonly vault: PersonalVault },
  scope: TenantScope,
  keptSince: ComparisonParts['keptSince'],
): Promise<readonly Orphans[]> {
  const isKept: IsKept = ({ begun, tenant_id: tenantId }) => {
    const since = keptSince(tenantId);
    return since === null || begun.getTime() >= Date.parse(since);
  };
  const found: Orphans[] = [];
  for (const { table, find } of finders) {
    const { rows, refused } = await database.snapshot(scope, async (sql) => {
      // A table of hundreds of millions of rows is not gone through in the time that a statement of a service has.
      await sql(`SELECT set_config('statement_timeout', '0', true)`);
      return find({ sql, vault }, isKept);
    });
    found.push({ ...orphansOf(table, rows.filter(isKept)), refused });
  }
  return found;
}

function orphansOf(table: ProjectionTable, rows: readonly OrphanRow[]): Omit<Orphans, 'refused'> {
  const counts = new Map<string, number>();
  const differences = rows.flatMap(({ id, tenant_id: tenantId }): readonly ProjectionDifference[] => {
    const count = (counts.get(tenantId) ?? 0) + 1;
    counts.set(tenantId, count);
    if (count > mostOrphans) return [];
    return [{ kind: 'orphan', table, row: id, column: null, stored: id, found: undefined, tenantId }];
  });
  return { differences, isCut: differences.length < rows.length };
}

/** A table, the key of its rows and when they began, and the table without a row of which they are orphans. */
type Hanging = {
  readonly table: ProjectionTable;
  readonly key: string;
  readonly begun: string;
  readonly parent: string;
  readonly on: string;
};

/** When a row began that retention never takes. */
const neverTaken = 'clock_timestamp()';

const hanging: readonly Hanging[] = [
  {
    table: 'transactions',
    key: 'c.transaction_id',
    begun: neverTaken,
    parent: 'conversations',
    on: 'p.stream_id = c.stream_id',
  },
  {
    table: 'transaction_items',
    key: `c.transaction_id || '/' || c.ordinal`,
    begun: neverTaken,
    parent: 'transactions',
    on: 'p.transaction_id = c.transaction_id',
  },
  {
    table: 'approved_invocations',
    key: 'c.invocation_id',
    begun: 'c.approved_at',
    parent: 'transactions',
    on: 'p.transaction_id = c.transaction_id AND p.stream_id = c.stream_id',
  },
  {
    table: 'tool_ledger',
    key: 'c.invocation_id',
    begun: 'c.created_at',
    parent: 'approved_invocations',
    on: 'p.invocation_id = c.invocation_id AND p.stream_id = c.stream_id',
  },
  {
    table: 'tool_attempts',
    key: `c.invocation_id || '/' || c.number`,
    begun: 'c.started_at',
    parent: 'tool_ledger',
    on: 'p.invocation_id = c.invocation_id',
  },
];

type Finder = {
  readonly table: ProjectionTable;
  readonly find: typeof findUnknownTurns;
};

const finders: readonly Finder[] = [
  ...hanging.map((of) => ({ table: of.table, find: findHanging(of) })),
  { table: 'turns', find: findUnknownTurns },
];

/** One row more than is named, to know of more. */
function findHanging({ table, key, begun, parent, on }: Hanging): Finder['find'] {
  return async ({ sql }): Promise<FoundRows> => {
    const rows = await sql<OrphanRow>(
      `SELECT id, tenant_id, begun FROM (
         SELECT ${key} AS id, c.tenant_id, ${begun} AS begun, row_number() OVER (PARTITION BY c.tenant_id ORDER BY ${begun} DESC) AS place
         FROM ${table} c WHERE NOT EXISTS (SELECT FROM ${parent} p WHERE ${on})
       ) orphans WHERE place <= $1`,
      [mostOrphans + 1],
    );
    return { rows, refused: 0 };
  };
}
