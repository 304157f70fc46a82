import { failure, type Result, success } from '@latch/contracts';
import { type Principal } from './principal.ts';
import { invalidRequest, type Refusal } from './refusal.ts';

/**
 * The tenant that a request acts for: that of its credential, or, without credentials, the one that it names, or the installation's default where there is
 * one. A request that names another tenant than its credential's is refused.
 */
export function tenantOf(
  principal: Pick<Principal, 'tenantId'>,
  of: { readonly named: string | undefined; readonly byDefault: string | null },
): Result<string, Refusal> {
  const { tenantId } = principal;
  if (tenantId === null) return namedTenant(of.named ?? of.byDefault);
  if (of.named !== undefined && of.named !== tenantId) return failure({ status: 403, code: 'auth.forbidden' });
  return success(tenantId);
}

function namedTenant(tenantId: string | null): Result<string, Refusal> {
  if (tenantId !== null) return success(tenantId);
  return failure(invalidRequest([{ path: 'query.tenant_id', message: 'is required' }], 'The query is not valid.'));
}
