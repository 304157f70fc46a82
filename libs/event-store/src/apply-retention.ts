import { clockColumn, type Sql } from './database.ts';
import { type Maintenance } from './open-maintenance.ts';

/** For how long personal data is kept, in days; null: for ever. Per tenant, with a default for those that are not named. */
export type RetentionRules = {
  readonly defaultDays: number | null;
  readonly tenants: Readonly<Record<string, number | null>>;
};

/** What one run of retention did. */
export type Retained = {
  /** Data keys that were destroyed. */
  readonly keys: number;
  /** Rows that were deleted: answers, calls, attempts, evaluations. Events stay for ever; their personal part cannot be read any more. */
  readonly rows: number;
};

const step = 1_000;

/**
 * Destroys the data keys of the months that are over for longer than a tenant keeps personal data, and deletes what stood beside the events. In small steps;
 * any number of replicas may do it at once. Keys of people whose call is under way are left for a later run. A conversation whose snapshot is gone begins
 * anew behind a tombstone when somebody speaks there again.
 */
export async function applyRetention(
  { database: { sql } }: Pick<Maintenance, 'database'>,
  rules: RetentionRules,
): Promise<Retained> {
  const [clock] = await sql<{ now: string }>(`SELECT ${clockColumn}`);
  const named = Object.keys(rules.tenants);
  const total = { keys: 0, rows: 0 };
  const runs = [
    { tenants: null, except: named, days: rules.defaultDays },
    ...Object.entries(rules.tenants).map(([tenantId, days]) => ({ tenants: [tenantId], except: [], days })),
  ];
  for (const { tenants, except, days } of runs) {
    if (days === null) continue;
    const before = firstKeptMonth(clock?.now ?? '', days);
    const of = [tenants, except];
    total.keys += await inSteps(sql, `SELECT destroy_old_keys($1, $2, $3, $4) AS done`, [...of, before]);
    total.rows += await inSteps(sql, `SELECT forget_old_rows($1, $2, $3::timestamptz, $4) AS done`, [
      ...of,
      `${before}-01T00:00:00.000Z`,
    ]);
  }
  return total;
}

/** The first month, `YYYY-MM`, that ended less than so many days ago. */
export function firstKeptMonth(now: string, days: number): string {
  return new Date(Date.parse(now) - days * 86_400_000).toISOString().slice(0, 7);
}

async function inSteps(sql: Sql, text: string, values: readonly unknown[]): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await sql<{ done: number }>(text, [...values, step]);
    const done = row?.done ?? 0;
    total += done;
    if (done === 0) return total;
  }
}
