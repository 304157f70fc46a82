import { isScope, type JwtOptions, type Scope } from '@latch/config';
import { ClientId, failure, type Result, KeyPart, success } from '@latch/contracts';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import {
  type AuthFailure,
  type CredentialReaders,
  type Denial,
  expired,
  invalid,
  unavailable,
} from './authenticate.ts';
import { type Principal } from './principal.ts';
import { type SigningKeys, SigningKeysUnavailable } from './signing-keys.ts';
import { isUserOfToken } from './user-of-key.ts';

/**
 * Reads tokens (JWT, RFC 7519, as RFC 9068 uses them) of one issuer, for one audience. The key is one of the issuer's own, never one that the token brings or leads to,
 * and the signature one of those that are set, so that a token cannot choose how it is checked.
 */
export function tokenReader(options: JwtOptions, keys: Pick<SigningKeys, 'keyOf'>): CredentialReaders['token'] {
  const { issuer, audience, algorithms, toleranceSeconds } = options;
  const rules = {
    ...{ issuer, audience, algorithms: [...algorithms], clockTolerance: toleranceSeconds },
    requiredClaims: ['exp', 'sub', options.tenantClaim],
  };
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys.keyOf, rules);
      return principalIn(payload, options);
    } catch (error) {
      return failure(denialOf(error));
    }
  };
}

function principalIn(payload: JWTPayload, options: JwtOptions): Result<Principal, Denial> {
  const [tenant, subject] = [KeyPart.safeParse(payload[options.tenantClaim]), ClientId.safeParse(payload.sub)];
  if (!tenant.success || !subject.success || !isUserOfToken(subject.data)) return failure(invalid('claims'));
  const allowed = scopesIn(payload);
  const endsAtMs = (Number(payload.exp) + options.toleranceSeconds) * 1_000;
  return success({
    tenantId: tenant.data,
    userId: allowed.includes('speak-for-others') ? null : subject.data,
    scopes: allowed,
    lapsed: () => (Date.now() >= endsAtMs ? expired.refusal : null),
  });
}

/** `scope`, words in one text (RFC 9068); or `scp`, as some issuers say it, words or a list. */
function scopesIn({ scope, scp }: JWTPayload): readonly Scope[] {
  const said: unknown = scope ?? scp;
  const words: readonly unknown[] = typeof said === 'string' ? said.split(' ') : [said].flat();
  return words.filter((word) => typeof word === 'string').filter(isScope);
}

/** Whatever goes wrong while a token is checked, it is not good; only that its issuer could not be asked is another matter. */
function denialOf(error: unknown): Denial {
  if (error instanceof SigningKeysUnavailable) return unavailable;
  if (error instanceof errors.JWTExpired) return expired;
  return invalid(reasonOf(error));
}

function reasonOf(error: unknown): AuthFailure {
  if (error instanceof errors.JWTClaimValidationFailed) return reasonsOfClaims[error.claim] ?? 'claims';
  if (error instanceof errors.JOSEError) return reasonsOfCodes[error.code] ?? 'malformed';
  return 'malformed';
}

const reasonsOfClaims: Readonly<Record<string, AuthFailure>> = {
  iss: 'issuer',
  aud: 'audience',
  nbf: 'not_yet',
};

const reasonsOfCodes: Readonly<Record<string, AuthFailure>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'algorithm',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown_key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'unknown_key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
};
