import { type Sql } from './database.ts';

/**
 * Whose rows a transaction is about: of some tenants, or of those that some approved calls belong to (an executor knows a call by its id, and trusts the store
 * for the rest). `everyTenant` is for operator and auditor only; in the hands of a service it opens nothing.
 */
export type TenantScope = { readonly tenants: readonly string[] } | { readonly invocationIds: readonly string[] };

/** The rows of all tenants, for roles that may see them. */
export const everyTenant: TenantScope = { tenants: ['*'] };

/**
 * How the statements of a transaction are planned. `by_key`: once per connection, with indexes only; right for statements that find each row by its key, as those
 * of a batch and of the ledger do, for planning them costs a batch of one turn a quarter of its time. `custom`: anew each time, for the sizes that they meet.
 * `in_order`: along an index as far as the page goes; right for the pages of a table that is read from its begin to its end, which must not be gone through for
 * each page.
 */
export type Plans = 'custom' | 'by_key' | 'in_order';

// Set before the tenants are looked up, so that this too is planned once. A plan by key must not depend on how small the tables were when it was made.
const byKey = `SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), `;
const inOrder = `SELECT set_config('enable_hashagg', 'off', true), set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true), `;
const openedWith = { custom: 'SELECT ', by_key: byKey, in_order: inOrder } as const;

/** Opens the rows of a scope, and of nobody else, until the end of the transaction (row-level security, invariant I12). */
export async function openScope(sql: Sql, scope: TenantScope, plans: Plans = 'custom'): Promise<void> {
  const opening = openedWith[plans];
  if ('tenants' in scope) await sql(`${opening}set_config('app.tenants', $1::text[]::text, true)`, [scope.tenants]);
  else
    await sql(`${opening}set_config('app.tenants', tenants_of_invocations($1::text[])::text, true)`, [
      scope.invocationIds,
    ]);
}
