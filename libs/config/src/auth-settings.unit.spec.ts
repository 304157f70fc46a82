import { describe, expect, it } from '@jest/globals';
import { authOf, authSettings } from './auth-settings.ts';
import { readEnvironment } from './read-environment.ts';
import { serverSettings } from './settings.ts';

const schema = serverSettings.extend(authSettings.shape);

function authFrom(env: Record<string, string>): unknown {
  const settings = readEnvironment(schema, env);
  if (!settings.ok) return settings.error;
  try {
    return authOf(settings.value);
  } catch (error) {
    return String(error);
  }
}

const jwt = {
  LATCH_AUTH: 'jwt',
  LATCH_JWT_ISSUER: 'https://login.bank.example',
  LATCH_JWT_AUDIENCE: 'latch',
  LATCH_JWT_JWKS: 'https://login.bank.example/keys',
};
const nobody = { jwt: null, apiKeysFile: null };

describe('where nobody has chosen how callers are known', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('everybody on this machine is let in: %s', (host) => {
    expect(authFrom({ LATCH_HTTP_HOST: host })).toEqual(nobody);
  });

  it.each(['0.0.0.0', '::', '10.0.0.7', 'latch.bank.example', '127.0.0.1.bank.example'])(
    'a service that others can reach does not start, and says what to choose: %s',
    (host) => {
      const told = authFrom({ LATCH_HTTP_HOST: host });
      expect(told).toContain('LATCH_AUTH is not set');
      expect(told).toContain(host);
      expect(authFrom({ LATCH_HTTP_HOST: host, LATCH_AUTH: 'off' })).toEqual(nobody);
    },
  );
});

describe('the ways in which callers are known', () => {
  it('are tokens, with what makes one good', () => {
    expect(authFrom(jwt)).toEqual({
      apiKeysFile: null,
      jwt: {
        issuer: 'https://login.bank.example',
        audience: 'latch',
        keys: { kind: 'url', url: 'https://login.bank.example/keys' },
        tenantClaim: 'tenant_id',
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        toleranceSeconds: 30,
      },
    });
  });

  it('are API keys, or both', () => {
    const keys = { LATCH_API_KEYS_FILE: '/run/keys.yaml' };
    expect(authFrom({ ...keys, LATCH_AUTH: 'api-key' })).toEqual({ jwt: null, apiKeysFile: '/run/keys.yaml' });
    const both = authFrom({ ...jwt, ...keys, LATCH_AUTH: 'jwt, api-key' });
    expect(both).toMatchObject({ jwt: { audience: 'latch' }, apiKeysFile: '/run/keys.yaml' });
  });

  it.each(['on', 'OFF', 'off,jwt', 'jwt,,api-key', 'jwt,jwt', 'basic'])('are no others: %s', (chosen) => {
    expect(authFrom({ ...jwt, LATCH_AUTH: chosen })).toContain('it must be off, jwt, api-key, or jwt,api-key.');
  });

  it('need their settings, which are named together', () => {
    expect(authFrom({ LATCH_AUTH: 'jwt' })).toContain('LATCH_JWT_ISSUER, LATCH_JWT_AUDIENCE, LATCH_JWT_JWKS');
    expect(authFrom({ ...jwt, LATCH_JWT_AUDIENCE: '' })).toContain('jwt, which needs LATCH_JWT_AUDIENCE.');
    expect(authFrom({ LATCH_AUTH: 'api-key' })).toContain('LATCH_API_KEYS_FILE');
  });
});

describe('the keys of an issuer', () => {
  it.each(['http://login.bank.example/keys', 'ftp://login.bank.example/keys', 'https://'])(
    'never come over an open line: %s',
    (place) => {
      expect(authFrom({ ...jwt, LATCH_JWT_JWKS: place })).toContain('it must be an https:// address');
    },
  );

  it.each([
    ['http://127.0.0.1:8080/keys', { kind: 'url', url: 'http://127.0.0.1:8080/keys' }],
    ['http://[::1]:8080/keys', { kind: 'url', url: 'http://[::1]:8080/keys' }],
    ['/run/jwks.json', { kind: 'file', path: '/run/jwks.json' }],
  ])('come from this machine: %s', (place, keys) => {
    expect(authFrom({ ...jwt, LATCH_JWT_JWKS: place })).toMatchObject({ jwt: { keys } });
  });
});

describe('the signatures of tokens', () => {
  it.each(['none', 'HS256', 'RS256,HS512', 'rs256', 'dir', ','])('are never %s', (algorithms) => {
    expect(authFrom({ ...jwt, LATCH_JWT_ALGORITHMS: algorithms })).toContain('it must name some of RS256');
  });

  it('are those that are named', () => {
    expect(authFrom({ ...jwt, LATCH_JWT_ALGORITHMS: 'ES384, RS512' })).toMatchObject({
      jwt: { algorithms: ['ES384', 'RS512'] },
    });
  });

  it.each(['-1', '301', 'x'])('do not make up for clocks that differ by more than five minutes: %s', (seconds) => {
    expect(authFrom({ ...jwt, LATCH_JWT_TOLERANCE_SECONDS: seconds })).toContain('LATCH_JWT_TOLERANCE_SECONDS');
  });
});
