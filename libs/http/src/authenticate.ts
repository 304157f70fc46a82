import { type IncomingHttpHeaders } from 'node:http';
import { apiKeyPrefix } from '@latch/config';
import { failure, type Result } from '@latch/contracts';
import { type Principal } from './principal.ts';
import { type Refusal } from './refusal.ts';

/** Why a credential is not accepted; for the operator, never for the caller. */
export type AuthFailure =
  | ('missing' | 'malformed' | 'method' | 'algorithm' | 'unknown_key' | 'signature')
  | ('issuer' | 'audience' | 'expired' | 'not_yet' | 'claims' | 'scope' | 'forbidden' | 'unavailable');

/** A credential that is not accepted: what the caller is told, and what the operator is. */
export type Denial = { readonly refusal: Refusal; readonly reason: AuthFailure };

/** Takes the principal from a request's credential. */
export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Result<Principal, Denial>>;

/** Reads one kind of credential. */
type ReadCredential = (credential: string) => Promise<Result<Principal, Denial>>;

/** The kinds that are taken; null: that one is not. */
export type CredentialReaders = { readonly token: ReadCredential | null; readonly apiKey: ReadCredential | null };

/** Reads `authorization: Bearer`, which carries a token or an API key. A credential stands nowhere else: an address is in every log. */
export function authenticateWith({ token, apiKey }: CredentialReaders): Authenticate {
  return async ({ authorization }) => {
    if (authorization === undefined || !/^bearer\b/i.test(authorization)) return failure(missing);
    const [, credential] = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization) ?? [];
    if (credential === undefined) return failure(invalid('malformed'));
    const read = credential.startsWith(apiKeyPrefix) ? apiKey : token;
    return read === null ? failure(invalid('method')) : read(credential);
  };
}

const realm = 'Bearer realm="latch"';

const missing: Denial = {
  reason: 'missing',
  refusal: { status: 401, code: 'auth.required', challenge: realm },
};

/** A credential that is not good. The caller is told that, and no more (RFC 6750): who guesses learns nothing of how near it was. */
export function invalid(reason: AuthFailure): Denial {
  const challenge = `${realm}, error="invalid_token"`;
  return { reason, refusal: { status: 401, code: 'auth.invalid', challenge } };
}

/** A credential that was good. */
export const expired: Denial = {
  reason: 'expired',
  refusal: { status: 401, code: 'auth.expired', challenge: `${realm}, error="invalid_token"` },
};

/** Nobody can say whether the credential is good. */
export const unavailable: Denial = {
  reason: 'unavailable',
  refusal: { status: 503, code: 'auth.unavailable', retryAfterSeconds: 2 },
};

/** A good credential without any of the scopes that a request needs. */
export function lacking(needed: readonly string[]): Denial {
  return {
    reason: 'scope',
    refusal: {
      status: 403,
      code: 'auth.forbidden',
      detail: `The credential lacks the scope ${needed.join(' or ')}.`,
      challenge: `${realm}, error="insufficient_scope", scope="${needed.join(' ')}"`,
    },
  };
}
