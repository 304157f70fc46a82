import { type IncomingHttpHeaders } from 'node:http';
import { failure, type Result, success } from '@latch/contracts';
import { invalidRequest, type Refusal } from './refusal.ts';

/** Whom a request speaks for. */
export type Principal = {
  /** The tenant of the credential (invariant I12); null where there are no credentials and the request may name any. */
  readonly tenantId: string | null;
};

/** Takes the principal from a request's credential. */
export type Authenticate = (headers: IncomingHttpHeaders) => Result<Principal, Refusal>;

/** How callers are known. `off`: they are not, which is the local default. */
export type AuthMode = 'off';

/** The authentication of a mode. Nothing else in a service knows about credentials. */
export function authenticator(mode: AuthMode): Authenticate {
  switch (mode) {
    case 'off':
      return () => success({ tenantId: null });
    default:
      return mode satisfies never;
  }
}

/**
 * The tenant that a request acts for: that of its credential, or, without credentials, the one that it names, or the installation's default where there is
 * one. A request that names another tenant than its credential's is refused.
 */
export function tenantOf(
  principal: Principal,
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
