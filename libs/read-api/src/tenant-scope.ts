import { type Result, success } from '@latch/contracts';
import { principalOf, readQuery, type Refusal, tenantOf } from '@latch/http';
import { type Request } from 'express';
import { type z } from 'zod';
import { type ReadApi } from './read-api.ts';

/** The tenant that a read is for, and its checked query. */
export type TenantScope<Q> = { readonly tenantId: string; readonly query: Q };

/** Who asks, for which tenant (invariant I12), and what: the first steps of every read that belongs to a tenant. */
export function tenantScopeOf<S extends z.ZodType<{ tenant_id?: string | undefined }>>(
  { defaultTenantId }: Pick<ReadApi, 'defaultTenantId'>,
  request: Request,
  schema: S,
): Result<TenantScope<z.output<S>>, Refusal> {
  const query = readQuery(schema, request.query);
  if (!query.ok) return query;
  const tenant = tenantOf(principalOf(request), { named: query.value.tenant_id, byDefault: defaultTenantId });
  return tenant.ok ? success({ tenantId: tenant.value, query: query.value }) : tenant;
}
