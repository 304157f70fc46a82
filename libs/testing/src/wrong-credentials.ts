import { createHmac } from 'node:crypto';
import { apiKeyPrefix } from '@latch/config';
import { type IdentityProvider, makePair } from './identity-provider.ts';

/** A credential that must not be taken, and what is said of it. */
export type WrongCredential = {
  readonly authorization: string | undefined;
  readonly status: number;
  readonly code: string;
};

/** Every wrong credential that is known here, for tokens of the provider. @param claims what makes a token good but for what is wrong with it. */
export async function wrongCredentials(
  provider: IdentityProvider,
  claims: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, WrongCredential>>> {
  const good = await provider.token({ claims });
  const [header = '', payload = '', signature = ''] = good.split('.');
  const stranger = await makePair('ES256', 'stranger');
  const impostor = await makePair('ES256', provider.publicJwk().kid ?? '');
  const invalid = (authorization: string): WrongCredential => ({ authorization, status: 401, code: 'auth.invalid' });
  const token = async (parts: Parameters<IdentityProvider['token']>[0]): Promise<WrongCredential> =>
    invalid(`Bearer ${await provider.token(parts)}`);
  return {
    none: { authorization: undefined, status: 401, code: 'auth.required' },
    'of another scheme': { authorization: 'Basic YTpi', status: 401, code: 'auth.required' },
    empty: invalid('Bearer '),
    garbage: invalid('Bearer garbage'),
    'two tokens': invalid(`Bearer ${good} ${good}`),
    'a key that is none': invalid(`Bearer ${apiKeyPrefix}${'k'.repeat(43)}`),
    expired: { ...(await token({ claims, expiresInSeconds: -3_600 })), code: 'auth.expired' },
    'without an end': await token({ claims, expiresInSeconds: null }),
    'of another issuer': await token({ claims: { ...claims, iss: 'https://login.other.example' } }),
    'for another audience': await token({ claims: { ...claims, aud: 'another-api' } }),
    'not good yet': await token({ claims: { ...claims, nbf: Math.floor(Date.now() / 1_000) + 3_600 } }),
    'of an unknown key': await token({ claims, kid: 'stranger', key: stranger.privateKey }),
    'signed by another under the name of the key': await token({ claims, key: impostor.privateKey }),
    'that was altered': invalid(`Bearer ${header}.${altered(payload)}.${signature}`),
    'without a signature': invalid(`Bearer ${header}.${payload}.`),
    'alg none': invalid(`Bearer ${encoded({ alg: 'none' })}.${payload}.`),
    'alg none with a signature': invalid(`Bearer ${encoded({ alg: 'None', kid: 'key-1' })}.${payload}.${signature}`),
    'HS256 with the public key as the secret': invalid(`Bearer ${forged(payload, await provider.publicPem())}`),
    'a key that it brings itself': invalid(
      `Bearer ${encoded({ alg: 'ES256', jwk: stranger.jwk })}.${payload}.${signature}`,
    ),
    'of no tenant': await token({ claims: { ...claims, tenant_id: undefined } }),
    'of two tenants': await token({ claims: { ...claims, tenant_id: ['acme', 'rival'] } }),
    'of a tenant that is no name': await token({ claims: { ...claims, tenant_id: 'acme:retail' } }),
    'of nobody': await token({ claims: { ...claims, sub: '' } }),
    'of the user of an API key': await token({ claims: { ...claims, sub: 'key:kiosk' } }),
    'of the user whom nobody names': await token({ claims: { ...claims, sub: 'anonymous' } }),
  };
}

function forged(payload: string, secret: string): string {
  const signed = `${encoded({ alg: 'HS256', kid: 'key-1', typ: 'JWT' })}.${payload}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function altered(payload: string): string {
  const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return encoded({ ...claims, tenant_id: 'rival' });
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
