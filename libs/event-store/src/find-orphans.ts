import { type ComparisonParts } from './compare-projections.ts';
import { type Database, type Sql } from './database.ts';
import { type EventRow, eventColumns, eventOf } from './read-events.ts';
import { type ProjectionDifference, type ProjectionTable } from './projection-difference.ts';
import { type TenantScope } from './tenant-scope.ts';

/** The most rows of a table that are named. */
const mostNamed = 100;

/**
 * Rows that belong to nothing: their stream, transaction or call is not there, or not that of the same conversation. With the comparison of every stream this leaves
 * no row unseen: an item hangs on its transaction, an attempt on its call, a call on its approval, that on a transaction, and a transaction on its stream.
 * Turns are counted: a stream has no more of them than messages were received in it.
 *
 * Each table is gone through once by the database, as of one moment, however large it is; here only what is wrong arrives.
 */
export async function findOrphans(
  database: Pick<Database, 'snapshot'>,
  scope: TenantScope,
  keptSince: ComparisonParts['keptSince'],
): Promise<readonly ProjectionDifference[]> {
  const found: ProjectionDifference[] = [];
  for (const { table, find } of [...orphans, { table: 'turns', find: extraTurns } as const]) {
    const rows = await database.snapshot(scope, async (sql) => {
      // A table of hundreds of millions of rows is not gone through in the time that a statement of a service has.
      await sql(`SELECT set_config('statement_timeout', '0', true)`);
      return find(sql);
    });
    const kept = rows.filter(({ begun, tenant_id: tenantId }) => !isLetGo(begun, keptSince(tenantId)));
    found.push(...kept.map((row) => orphanOf(table, row)));
  }
  return found;
}

type OrphanRow = { readonly row: string; readonly tenant_id: string; readonly begun: Date };

function orphanOf(table: ProjectionTable, { row, tenant_id: tenantId }: OrphanRow): ProjectionDifference {
  return { kind: 'orphan', table, row, column: null, stored: row, found: undefined, tenantId };
}

/** Retention goes in steps, and may be in the middle of them. */
function isLetGo(begun: Date, since: string | null): boolean {
  return since !== null && begun.getTime() < Date.parse(since);
}

type Orphans = { readonly table: ProjectionTable; readonly find: (sql: Sql) => Promise<readonly OrphanRow[]> };

const orphans: readonly Orphans[] = [
  {
    table: 'transactions',
    find: (sql) =>
      sql(
        `SELECT t.transaction_id AS row, t.tenant_id, t.started_at AS begun FROM transactions t
      WHERE NOT EXISTS (SELECT FROM conversations c WHERE c.stream_id = t.stream_id) LIMIT $1`,
        [mostNamed],
      ),
  },
  {
    table: 'transaction_items',
    find: (sql) =>
      sql(
        `SELECT i.transaction_id || '/' || i.ordinal AS row, i.tenant_id, clock_timestamp() AS begun FROM transaction_items i
      WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.transaction_id = i.transaction_id) LIMIT $1`,
        [mostNamed],
      ),
  },
  {
    table: 'approved_invocations',
    find: (sql) =>
      sql(
        `SELECT a.invocation_id AS row, a.tenant_id, a.approved_at AS begun FROM approved_invocations a
      WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.transaction_id = a.transaction_id AND t.stream_id = a.stream_id) LIMIT $1`,
        [mostNamed],
      ),
  },
  {
    table: 'tool_ledger',
    find: (sql) =>
      sql(
        `SELECT l.invocation_id AS row, l.tenant_id, l.created_at AS begun FROM tool_ledger l
      WHERE NOT EXISTS (SELECT FROM approved_invocations a WHERE a.invocation_id = l.invocation_id AND a.stream_id = l.stream_id) LIMIT $1`,
        [mostNamed],
      ),
  },
  {
    table: 'tool_attempts',
    find: (sql) =>
      sql(
        `SELECT t.invocation_id || '/' || t.number AS row, t.tenant_id, t.started_at AS begun FROM tool_attempts t
      WHERE NOT EXISTS (SELECT FROM tool_ledger l WHERE l.invocation_id = t.invocation_id) LIMIT $1`,
        [mostNamed],
      ),
  },
];

/** Nothing ties a turn to its stream but that a message was received: the event names it as its cause. */
async function extraTurns(sql: Sql): Promise<readonly OrphanRow[]> {
  const turns = await sql<OrphanRow & { readonly stream_id: string }>(
    `WITH counted AS (
       SELECT stream_id, count(*) AS turns FROM turns GROUP BY stream_id
     ), crowded AS (
       SELECT stream_id FROM counted
       WHERE turns > (SELECT count(*) FROM events e WHERE e.stream_id = counted.stream_id AND e.type = 'TurnReceived') LIMIT $1
     )
     SELECT t.turn_id AS row, t.stream_id, t.tenant_id, t.created_at AS begun FROM turns t JOIN crowded USING (stream_id)`,
    [mostNamed],
  );
  if (turns.length === 0) return [];
  const received = await sql<EventRow>(
    `SELECT ${eventColumns} FROM events e JOIN streams s USING (stream_id)
     WHERE e.stream_id = ANY ($1::uuid[]) AND e.type = 'TurnReceived'`,
    [[...new Set(turns.map((turn) => turn.stream_id))]],
  );
  const known = new Set(received.map((row) => eventOf(row).causationId));
  return turns.filter(({ row }) => !known.has(row));
}
