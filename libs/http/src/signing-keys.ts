import { readFile } from 'node:fs/promises';
import { isRecord } from '@latch/contracts';
import { type SigningKeysAt } from '@latch/config';
import { type Logger } from '@latch/observability';
import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type LocalJWKSet,
} from 'jose';

/** The issuer's keys are not there: nobody can say whether a token is good. */
export class SigningKeysUnavailable extends Error {}

/** When keys are looked for again, in milliseconds. */
export type KeyTimes = {
  /** After this long they are, so that a key that the issuer has taken away is forgotten. */
  readonly maxAgeMs: number;
  /** For a key that is not known, at most this often: whoever makes up names of keys must not make us call the issuer. */
  readonly cooldownMs: number;
  /** After a failure, at most this often. */
  readonly retryMs: number;
  /** How long the issuer may take. */
  readonly timeoutMs: number;
};

const usualTimes: KeyTimes = { maxAgeMs: 300_000, cooldownMs: 30_000, retryMs: 1_000, timeoutMs: 5_000 };

const maxBytes = 262_144;

/**
 * The keys of an issuer. They are fetched when the first token comes, again when they are old, and when a token names one that is not known. While the issuer does not
 * answer, those that are known go on, and it is asked again soon: what it took away meanwhile shall not be good for another such time.
 */
export class SigningKeys {
  private known: LocalJWKSet | undefined;
  private triedAtMs = -Infinity;
  private hasFailed = false;
  private fetching: Promise<void> | undefined;
  private readonly times: KeyTimes;

  constructor(
    private readonly place: SigningKeysAt,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    times: Partial<KeyTimes> = {},
  ) {
    this.times = { ...usualTimes, ...times };
  }

  /**
   * The key that a token says it is signed with, if the issuer has it.
   *
   * @throws SigningKeysUnavailable when it is not known here and the issuer cannot be asked; a JOSEError when the issuer has no such key.
   */
  readonly keyOf = async (header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    if (this.age() > (this.hasFailed ? this.times.retryMs : this.times.maxAgeMs)) void this.fetch();
    const found = this.known && (await find(this.known, header, token));
    if (found) return found;
    await (this.fetching ?? (this.mayFetch() ? this.fetch() : undefined));
    const foundNow = this.known && (await find(this.known, header, token));
    if (foundNow) return foundNow;
    if (this.hasFailed || this.known === undefined) throw new SigningKeysUnavailable();
    throw new errors.JWKSNoMatchingKey();
  };

  private age(): number {
    return performance.now() - this.triedAtMs;
  }

  private mayFetch(): boolean {
    return this.age() > (this.hasFailed ? this.times.retryMs : this.times.cooldownMs);
  }

  /** One at a time, for all who wait. It never rejects. */
  private fetch(): Promise<void> {
    this.triedAtMs = performance.now();
    this.fetching ??= this.read().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async read(): Promise<void> {
    try {
      const keys = keySetIn(await readText(this.place, this.times.timeoutMs));
      this.known = createLocalJWKSet(keys);
      this.hasFailed = false;
      this.logger.info('auth.signing_keys_read', { keys: keys.keys.length });
    } catch (error) {
      this.hasFailed = true;
      this.logger.warn('auth.signing_keys_unavailable', { error, has_known: this.known !== undefined });
    }
  }
}

async function find(
  keys: LocalJWKSet,
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
): Promise<CryptoKey | undefined> {
  try {
    return await keys(header, token);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    throw error;
  }
}

function keySetIn(text: string): JSONWebKeySet {
  const parsed: unknown = JSON.parse(text);
  const keys: unknown = isRecord(parsed) ? parsed['keys'] : undefined;
  if (!Array.isArray(keys)) throw new Error('This is no JWK Set: it has no list `keys`.');
  return { keys: keys.filter(isRecord) };
}

async function readText(place: SigningKeysAt, timeoutMs: number): Promise<string> {
  if (place.kind === 'file') return bounded(await readFile(place.path)).toString();
  const answer = await fetch(place.url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    // Another address is another issuer.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`The issuer answered ${answer.status}.`);
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) bounded(Buffer.concat([...chunks.splice(0), chunk]), chunks);
  return Buffer.concat(chunks).toString();
}

function bounded(bytes: Buffer, into: Buffer[] = []): Buffer {
  if (bytes.length > maxBytes) throw new Error(`The key set is larger than ${maxBytes} bytes.`);
  into.push(bytes);
  return bytes;
}
