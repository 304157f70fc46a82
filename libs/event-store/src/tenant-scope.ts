import { type Sql } from './database.ts';

/**
 * Whose rows a transaction is about: of some tenants, or of those that some approved calls belong to (an executor knows a call by its id, and trusts the store
 * for the rest). `everyTenant` is for operator and auditor only; in the hands of a service it opens nothing.
 */
export type TenantScope = { readonly tenants: readonly string[] } | { readonly invocationIds: readonly string[] };

/** The rows of all tenants, for roles that may see them. */
export const everyTenant: TenantScope = { tenants: ['*'] };

/** Opens the rows of a scope, and of nobody else, until the end of the transaction (row-level security, invariant I12). */
export async function openScope(sql: Sql, scope: TenantScope): Promise<void> {
  if ('tenants' in scope) await sql(`SELECT set_config('app.tenants', $1::text[]::text, true)`, [scope.tenants]);
  else
    await sql(`SELECT set_config('app.tenants', tenants_of_invocations($1::text[])::text, true)`, [
      scope.invocationIds,
    ]);
}
