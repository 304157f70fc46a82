import { createServer, type Server } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { z } from 'zod';

/** What an issuer answers when it is asked for its keys. */
type KeysAnswer = { readonly status: number; readonly body: string; readonly location?: string };

/** How a token is made; what is left out is as in a good one. */
export type TokenParts = {
  readonly claims?: JWTPayload;
  readonly kid?: string;
  /** null: it never does. */
  readonly expiresInSeconds?: number | null;
  readonly key?: SigningKey;
};

type SigningKey = Parameters<SignJWT['sign']>[0];

/** An issuer of tokens with a real server for its keys. */
export type IdentityProvider = {
  readonly issuer: string;
  readonly audience: string;
  readonly keysUrl: string;
  /** How often somebody has asked for the keys. */
  asked(): number;
  /** A token of tenant `acme` and user `u-1` with every scope of a user. */
  token(parts?: TokenParts): Promise<string>;
  /** From now on tokens are signed with a new key, and only that is published. */
  rotate(): Promise<void>;
  /** What is answered instead of the keys; undefined: the keys again. */
  answerWith(answer: KeysAnswer | 'nothing' | undefined): void;
  /** The public key of the current pair, as text: what a careless check would take for a shared secret. */
  publicPem(): Promise<string>;
  publicJwk(): JWK;
  /** The settings of a service that trusts it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

type Pair = { readonly kid: string; readonly privateKey: SigningKey; readonly pem: string; readonly jwk: JWK };

/** Opens an issuer on a free port of this machine. */
export async function openIdentityProvider(algorithm = 'ES256'): Promise<IdentityProvider> {
  let pair = await makePair(algorithm, 'key-1');
  let answer: KeysAnswer | 'nothing' | undefined;
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    if (answer === 'nothing') return;
    const { status, body, location }: KeysAnswer = answer ?? {
      status: 200,
      body: JSON.stringify({ keys: [pair.jwk] }),
    };
    response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) });
    response.end(body);
  });
  const url = await listen(server);
  const issuer = 'https://login.bank.example/realms/latch';
  const audience = 'latch';
  return {
    ...{ issuer, audience, keysUrl: `${url}/keys` },
    asked: () => asked,
    token: ({ claims = {}, kid = pair.kid, expiresInSeconds = 300, key = pair.privateKey } = {}) => {
      const good = { iss: issuer, aud: audience, sub: 'u-1', tenant_id: 'acme', scope: 'speak' };
      const token = new SignJWT({ ...good, ...claims })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
        .setIssuedAt();
      if (expiresInSeconds !== null) token.setExpirationTime(Math.floor(Date.now() / 1_000) + expiresInSeconds);
      return token.sign(key);
    },
    rotate: async () => {
      pair = await makePair(algorithm, `key-${Date.now()}`);
    },
    answerWith: (next) => (answer = next),
    publicPem: () => Promise.resolve(pair.pem),
    publicJwk: () => pair.jwk,
    environment: {
      LATCH_JWT_ISSUER: issuer,
      LATCH_JWT_AUDIENCE: audience,
      LATCH_JWT_JWKS: `${url}/keys`,
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A key pair that no issuer has published, under a name. */
export async function makePair(algorithm: string, kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
  return { kid, privateKey, pem: await exportSPKI(publicKey), jwk };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `http://127.0.0.1:${port}`;
}
