import { type IncomingMessage } from 'node:http';
import { scopes, type Scope } from '@latch/config';
import { type Refusal } from './refusal.ts';

/** Whom a request speaks for. */
export type Principal = {
  /** The tenant of the credential (invariant I12); null where there are no credentials and the request may name any. */
  readonly tenantId: string | null;
  /** The only user that it speaks as (invariant I4); null: whichever the request names. */
  readonly userId: string | null;
  readonly scopes: readonly Scope[];
  /** Why its credential is not good any more; null while it is. What lasts longer than a request asks again. */
  readonly lapsed: () => Refusal | null;
};

/** Who calls where there are no credentials. */
export const anybody: Principal = { tenantId: null, userId: null, scopes, lapsed: () => null };

const principals = new WeakMap<IncomingMessage, Principal>();

/** Keeps whom a request speaks for; the access gate does, once. */
export function rememberPrincipal(request: IncomingMessage, principal: Principal): void {
  principals.set(request, principal);
}

/** Whom a request speaks for. @throws Error when it came past the access gate, which is a bug: nobody is served by default. */
export function principalOf(request: IncomingMessage): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error('A request came past the access gate.');
  return principal;
}
