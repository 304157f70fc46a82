import { type IncomingHttpHeaders } from 'node:http';

/** The tenant of a request's credential (invariant I12); null where there are no credentials and a request may name any. */
export type Authenticate = (headers: IncomingHttpHeaders) => { readonly tenantId: string | null };

/** How callers are known. `off`: they are not, which is the local default. */
export type AuthMode = 'off';

/** The authentication of a mode. Nothing else in the evaluator knows about credentials. */
export function authenticator(mode: AuthMode): Authenticate {
  switch (mode) {
    case 'off':
      return () => ({ tenantId: null });
    default:
      return mode satisfies never;
  }
}
