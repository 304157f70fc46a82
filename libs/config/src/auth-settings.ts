import { z } from 'zod';
import { isThisMachine } from './is-this-machine.ts';
import { type serverSettings } from './settings.ts';

/** Where the keys of a token's issuer are. */
export type SigningKeysAt =
  { readonly kind: 'url'; readonly url: string } | { readonly kind: 'file'; readonly path: string };

/** What makes a token good. */
export type JwtOptions = {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: SigningKeysAt;
  /** The claim that names the tenant. */
  readonly tenantClaim: string;
  readonly algorithms: readonly string[];
  /** By how much the clocks of issuer and service may differ, in seconds. */
  readonly toleranceSeconds: number;
};

/** How the callers of an HTTP API are known; a way that is null is not taken. Both null: they are not known, and everybody is let in. */
export type AuthOptions = { readonly jwt: JwtOptions | null; readonly apiKeysFile: string | null };

const methods = ['jwt', 'api-key'] as const;
type Method = (typeof methods)[number];

/** Signatures of a private key. With a shared secret (HS*), whoever checks a token could make one; `none` is no signature. */
const signatures = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519'],
];

const authRule = 'it must be off, jwt, api-key, or jwt,api-key.';

/** The settings of every service with an HTTP API that belongs to tenants. */
export const authSettings = z.object({
  LATCH_AUTH: z
    .string()
    .transform((text, context): readonly Method[] => {
      const named = entriesOf(text);
      if (named.length === 1 && named[0] === 'off') return [];
      const known = methods.filter((method) => named.includes(method));
      if (known.length > 0 && known.length === named.length) return known;
      context.addIssue({ code: 'custom', message: authRule });
      return z.NEVER;
    })
    .optional()
    .describe(
      'How callers are known: off, jwt, api-key, or jwt,api-key. off lets everybody speak for every tenant. Not set: off where LATCH_HTTP_HOST is this machine alone; elsewhere the service does not start.',
    ),
  LATCH_JWT_ISSUER: z.string().optional().describe('The `iss` that a token must have; needed with jwt.'),
  LATCH_JWT_AUDIENCE: z.string().optional().describe('The `aud` that a token must have; needed with jwt.'),
  LATCH_JWT_JWKS: z
    .string()
    .transform((text, context): SigningKeysAt => {
      const place = placeOf(text);
      if (place !== null) return place;
      context.addIssue({
        code: 'custom',
        message: 'it must be an https:// address (http:// on this machine only) or the path of a file.',
      });
      return z.NEVER;
    })
    .optional()
    .describe("Where the issuer's keys are (a JWK Set): an https:// address or a file; needed with jwt."),
  LATCH_JWT_TENANT_CLAIM: z
    .string()
    .default('tenant_id')
    .describe('The claim of a token that names its tenant; default tenant_id.'),
  LATCH_JWT_ALGORITHMS: z
    .string()
    .transform((text, context): readonly string[] => {
      const named = entriesOf(text);
      if (named.length > 0 && named.every((name) => signatures.includes(name))) return named;
      context.addIssue({ code: 'custom', message: `it must name some of ${signatures.join(', ')}.` });
      return z.NEVER;
    })
    .default(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'])
    .describe('Signatures that a token may have; default RS256,PS256,ES256,EdDSA,Ed25519.'),
  LATCH_JWT_TOLERANCE_SECONDS: z.coerce
    .number({ error: 'it must be a whole number from 0 to 300.' })
    .int()
    .min(0)
    .max(300)
    .default(30)
    .describe('By how much the clocks of issuer and service may differ, in seconds; default 30.'),
  LATCH_API_KEYS_FILE: z
    .string()
    .optional()
    .describe('File with the hashed API keys; needed with api-key. It is read again when it changes.'),
});

type AuthSettings = Readonly<z.infer<typeof authSettings>> &
  Pick<Readonly<z.infer<typeof serverSettings>>, 'LATCH_HTTP_HOST'>;

/**
 * How a service knows its callers.
 *
 * @throws Error with a sentence for the operator when nobody has chosen and others can reach the port, or when what was chosen lacks a setting.
 */
export function authOf(settings: AuthSettings): AuthOptions {
  const { LATCH_AUTH: chosen, LATCH_HTTP_HOST: host } = settings;
  if (chosen === undefined && !isThisMachine(host)) throw new Error(nobodyChose(host));
  const jwt = chosen?.includes('jwt') === true ? jwtOf(settings) : null;
  if (chosen?.includes('api-key') !== true) return { jwt, apiKeysFile: null };
  if (settings.LATCH_API_KEYS_FILE === undefined) throw new Error(missing('api-key', ['LATCH_API_KEYS_FILE']));
  return { jwt, apiKeysFile: settings.LATCH_API_KEYS_FILE };
}

function nobodyChose(host: string): string {
  return (
    `LATCH_AUTH is not set, and others can reach this service (LATCH_HTTP_HOST=${host}). Set it to jwt, api-key, or jwt,api-key. ` +
    'Or set it to off: then everybody who reaches the port speaks for every tenant, so nobody but your own gateway may reach it.'
  );
}

function jwtOf(settings: AuthSettings): JwtOptions {
  const { LATCH_JWT_ISSUER: issuer, LATCH_JWT_AUDIENCE: audience, LATCH_JWT_JWKS: keys } = settings;
  if (issuer === undefined || audience === undefined || keys === undefined) {
    const needed = { LATCH_JWT_ISSUER: issuer, LATCH_JWT_AUDIENCE: audience, LATCH_JWT_JWKS: keys };
    throw new Error(
      missing(
        'jwt',
        Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : [])),
      ),
    );
  }
  return {
    ...{ issuer, audience, keys },
    tenantClaim: settings.LATCH_JWT_TENANT_CLAIM,
    algorithms: settings.LATCH_JWT_ALGORITHMS,
    toleranceSeconds: settings.LATCH_JWT_TOLERANCE_SECONDS,
  };
}

function missing(method: Method, names: readonly string[]): string {
  return `LATCH_AUTH has ${method}, which needs ${names.join(', ')}. See docs/how-to/authenticate-callers.md.`;
}

/** An empty entry stays one, and is refused: what stood there may have got lost. */
function entriesOf(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim());
}

/** A key that came over an open line could be anybody's. */
function placeOf(text: string): SigningKeysAt | null {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { kind: 'file', path: text };
  if (!URL.canParse(text)) return null;
  const { protocol, hostname } = new URL(text);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
  return isAllowed ? { kind: 'url', url: text } : null;
}
