import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { authOf, authSettings } from '@latch/config';
import { createLogger } from '@latch/observability';
import { eventually, type IdentityProvider, openIdentityProvider, wrongCredentials } from '@latch/testing';
import { type Authenticate, authenticateWith } from './authenticate.ts';
import { tokenReader } from './read-token.ts';
import { type KeyTimes, SigningKeys } from './signing-keys.ts';

const providers: IdentityProvider[] = [];
afterEach(async () => {
  for (const provider of providers.splice(0)) await provider.close();
});

async function open(algorithm?: string): Promise<IdentityProvider> {
  const provider = await openIdentityProvider(algorithm);
  providers.push(provider);
  return provider;
}

/** The check of a service with these settings, over a real server of keys. */
function authenticates(
  provider: IdentityProvider,
  of: { readonly env?: Readonly<Record<string, string>>; readonly times?: Partial<KeyTimes> } = {},
): Authenticate {
  const settings = authSettings.parse({ LATCH_AUTH: 'jwt', ...provider.environment, ...of.env });
  const { jwt } = authOf({ ...settings, LATCH_HTTP_HOST: '127.0.0.1' });
  if (jwt === null) throw new Error('tokens are not taken');
  const logger = createLogger({ service: 'spec', level: 'silent' });
  return authenticateWith({ token: tokenReader(jwt, new SigningKeys(jwt.keys, logger, of.times)), apiKey: null });
}

async function codeOf(authenticate: Authenticate, token: string): Promise<string> {
  const known = await authenticate({ authorization: `Bearer ${token}` });
  return known.ok ? 'ok' : known.error.refusal.code;
}

async function reasonOf(authenticate: Authenticate, token: string): Promise<string> {
  const known = await authenticate({ authorization: `Bearer ${token}` });
  return known.ok ? 'ok' : known.error.reason;
}

describe('a token', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'says tenant, user and scopes when it is good: %s',
    async (algorithm) => {
      const provider = await open(algorithm);
      const token = await provider.token({ claims: { scope: 'speak read of-others' } });
      const known = await authenticates(provider)({ authorization: `bearer ${token}` });
      expect(known).toMatchObject({ ok: true, value: { tenantId: 'acme', userId: 'u-1', scopes: ['speak', 'read'] } });
    },
  );

  it('of a gateway speaks for whoever the gateway names', async () => {
    const provider = await open();
    const token = await provider.token({ claims: { scope: 'speak-for-others' } });
    expect(await authenticates(provider)({ authorization: `Bearer ${token}` })).toMatchObject({
      value: { userId: null },
    });
  });

  it.each([
    [{ scope: undefined, scp: 'read operate' }, ['read', 'operate']],
    [{ scope: undefined, scp: ['read', 7, 'admin'] }, ['read']],
    [{ scope: 'constructor toString __proto__' }, []],
    [{ scope: { read: true } }, []],
    [{ scope: undefined }, []],
  ])('may say its scopes in the ways of other issuers: %j', async (claims, scopes) => {
    const provider = await open();
    const token = await provider.token({ claims });
    expect(await authenticates(provider)({ authorization: `Bearer ${token}` })).toMatchObject({ value: { scopes } });
  });

  it('that is wrong is refused, whatever is wrong with it', async () => {
    const provider = await open();
    const authenticate = authenticates(provider);
    const wrong = await wrongCredentials(provider, { scope: 'speak' });
    for (const [name, { authorization, status, code }] of Object.entries(wrong)) {
      const known = await authenticate({ authorization });
      expect({ name, known }).toMatchObject({ known: { ok: false, error: { refusal: { status, code } } } });
    }
  });

  it('tells the operator what was wrong, and the caller not', async () => {
    const provider = await open();
    const authenticate = authenticates(provider, { times: { cooldownMs: 0 } });
    const wrong = await wrongCredentials(provider, {});
    const reasons = await Promise.all(
      Object.values(wrong).map(async ({ authorization }) => {
        const known = await authenticate({ authorization });
        return known.ok ? 'ok' : known.error.reason;
      }),
    );
    expect(new Set(reasons)).toEqual(
      new Set([
        ...['missing', 'malformed', 'method', 'expired', 'issuer', 'audience', 'not_yet', 'unknown_key'],
        ...['signature', 'algorithm', 'claims'],
      ]),
    );
  });
});

describe('the settings of tokens', () => {
  it.each([
    ['LATCH_JWT_ISSUER', 'https://login.other.example', 'issuer'],
    ['LATCH_JWT_AUDIENCE', 'another-api', 'audience'],
    ['LATCH_JWT_TENANT_CLAIM', 'org', 'claims'],
    ['LATCH_JWT_ALGORITHMS', 'RS256', 'algorithm'],
  ])('count: with another %s a token is not good', async (name, value, reason) => {
    const provider = await open();
    const token = await provider.token();
    expect(await reasonOf(authenticates(provider), token)).toBe('ok');
    expect(await reasonOf(authenticates(provider, { env: { [name]: value } }), token)).toBe(reason);
  });

  it('name the claim of the tenant, also one with an address for a name', async () => {
    const provider = await open();
    const token = await provider.token({ claims: { tenant_id: 'wrong', 'https://bank.example/org': 'acme' } });
    const authenticate = authenticates(provider, { env: { LATCH_JWT_TENANT_CLAIM: 'https://bank.example/org' } });
    expect(await authenticate({ authorization: `Bearer ${token}` })).toMatchObject({ value: { tenantId: 'acme' } });
  });

  it('make up for clocks that differ, as far as they say', async () => {
    const provider = await open();
    const token = await provider.token({ expiresInSeconds: -20 });
    expect(await codeOf(authenticates(provider), token)).toBe('ok');
    expect(await codeOf(authenticates(provider, { env: { LATCH_JWT_TOLERANCE_SECONDS: '5' } }), token)).toBe(
      'auth.expired',
    );
  });

  it('may name a file of keys', async () => {
    const provider = await open();
    const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'latch-')), 'jwks.json');
    writeFileSync(file, JSON.stringify({ keys: [provider.publicJwk()] }));
    const authenticate = authenticates(provider, { env: { LATCH_JWT_JWKS: file } });
    expect(await codeOf(authenticate, await provider.token())).toBe('ok');
    expect(provider.asked()).toBe(0);
  });
});

describe('the keys of the issuer', () => {
  it('are fetched once, however many tokens come at once', async () => {
    const provider = await open();
    const authenticate = authenticates(provider);
    const token = await provider.token();
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => codeOf(authenticate, token))))).toEqual(
      new Set(['ok']),
    );
    expect(provider.asked()).toBe(1);
  });

  it('are looked for again when a token has a new one, and not for every made-up name', async () => {
    const provider = await open();
    const authenticate = authenticates(provider, { times: { cooldownMs: 150 } });
    expect(await codeOf(authenticate, await provider.token())).toBe('ok');
    await provider.rotate();
    const token = await provider.token();
    await eventually(async () => expect(await codeOf(authenticate, token)).toBe('ok'));
    const asked = provider.asked();
    const madeUp = await Promise.all(
      Array.from({ length: 50 }, (_, index) => provider.token({ kid: `made-up-${index}` })),
    );
    for (const one of madeUp) expect(await codeOf(authenticate, one)).toBe('auth.invalid');
    expect(provider.asked() - asked).toBeLessThanOrEqual(2);
  });

  it('that the issuer has taken away are forgotten when they are old', async () => {
    const provider = await open();
    const authenticate = authenticates(provider, { times: { maxAgeMs: 50, cooldownMs: 60_000 } });
    const token = await provider.token();
    expect(await codeOf(authenticate, token)).toBe('ok');
    await provider.rotate();
    await eventually(async () => expect(await codeOf(authenticate, token)).toBe('auth.invalid'));
  });

  it('that the issuer has taken away are forgotten soon after it could not be asked, and not only when they are old again', async () => {
    const provider = await open();
    const authenticate = authenticates(provider, { times: { maxAgeMs: 60_000, cooldownMs: 0, retryMs: 20 } });
    const token = await provider.token();
    expect(await codeOf(authenticate, token)).toBe('ok');
    provider.answerWith({ status: 500, body: '' });
    expect(await codeOf(authenticate, await provider.token({ kid: 'made-up' }))).toBe('auth.unavailable');
    await provider.rotate();
    provider.answerWith(undefined);
    await eventually(async () => expect(await codeOf(authenticate, token)).toBe('auth.invalid'));
  });

  it.each([
    ['an error', { status: 500, body: '' }],
    ['a page', { status: 200, body: '<html></html>' }],
    ['no list of keys', { status: 200, body: '{}' }],
    ['another address', { status: 302, body: '' }],
    ['more than anybody needs', { status: 200, body: `{"keys":[],"x":"${'x'.repeat(300_000)}"}` }],
    ['nothing, for too long', 'nothing'],
  ] as const)(
    'go on while the issuer answers with %s; without any nobody is let in, and nobody is blamed',
    async (_, answer) => {
      const provider = await open();
      const times = { maxAgeMs: 20, retryMs: 20, timeoutMs: 100 };
      const knowing = authenticates(provider, { times });
      const token = await provider.token();
      expect(await codeOf(knowing, token)).toBe('ok');
      provider.answerWith(answer);
      const unknowing = authenticates(provider, { times });
      const told = await unknowing({ authorization: `Bearer ${token}` });
      const refusal = { status: 503, code: 'auth.unavailable', retryAfterSeconds: 2 };
      expect(told).toMatchObject({ ok: false, error: { refusal } });
      const asked = provider.asked();
      await eventually(async () => {
        expect(await codeOf(knowing, token)).toBe('ok');
        expect(provider.asked()).toBeGreaterThan(asked);
      });
      expect(await codeOf(knowing, token)).toBe('ok');
      provider.answerWith(undefined);
      await eventually(async () => expect(await codeOf(unknowing, token)).toBe('ok'));
    },
  );

  it('never come from where the issuer would send us', async () => {
    const [provider, other] = [await open(), await open()];
    provider.answerWith({ status: 302, body: '', location: other.keysUrl });
    expect(await codeOf(authenticates(provider), await provider.token())).toBe('auth.unavailable');
    expect(other.asked()).toBe(0);
  });

  it('never are shared secrets, even where the issuer publishes one', async () => {
    const provider = await open();
    const secret = Buffer.from('s'.repeat(32)).toString('base64url');
    provider.answerWith({
      status: 200,
      body: JSON.stringify({ keys: [{ kty: 'oct', kid: 'key-1', alg: 'ES256', k: secret }] }),
    });
    expect(await codeOf(authenticates(provider), await provider.token())).toBe('auth.invalid');
  });
});
