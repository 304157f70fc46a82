import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ApiKey, type ConfigProblem, type ConfigReport, formatProblems, readApiKeys } from '@latch/config';
import { failure, type Result, success } from '@latch/contracts';
import { type Logger, repeat } from '@latch/observability';
import { type CredentialReaders, type Denial, expired, invalid } from './authenticate.ts';
import { type Principal } from './principal.ts';
import { userOfKey } from './user-of-key.ts';

type Surroundings = {
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly report: (report: ConfigReport) => void;
  /** Between two looks at the file, in milliseconds. @default 1000 */
  readonly everyMs?: number;
};

type KnownKey = ApiKey & { readonly digest: Buffer };

/** What a file said at a look. */
type Look = { readonly digest: string; readonly read: Result<readonly ApiKey[], readonly ConfigProblem[]> };

/**
 * The API keys of a file. A changed file is taken over when it says the same at two looks, so that a half written one counts for nothing: a key that is taken out stops
 * within three seconds. A file with a mistake is told and not used; the last good one stays.
 */
export class ApiKeys {
  private readonly stopLooking: () => Promise<void>;
  private lastDigest: string;
  private handledDigest: string;
  private inUse: string;

  private constructor(
    private readonly file: string,
    private keys: readonly KnownKey[],
    { digest, around }: { readonly digest: string; readonly around: Surroundings },
  ) {
    this.lastDigest = this.handledDigest = this.inUse = digest;
    this.stopLooking = repeat({
      round: () => this.lookAgain(around),
      everyMs: around.everyMs ?? 1_000,
      waitsFirst: true,
      onError: (error) => around.logger.error('auth.keys_not_read', { error }),
    });
  }

  /** Reads the file for the first time. @throws Error with every problem in it: a service does not start without its keys. */
  static async open(file: string, around: Surroundings): Promise<ApiKeys> {
    const { digest, read } = await look(file);
    if (!read.ok) throw new Error(`LATCH_API_KEYS_FILE cannot be used:\n${formatProblems(read.error)}`);
    return new ApiKeys(file, read.value.map(knownKey), { digest, around });
  }

  /** Reads a key that a caller sent. */
  readonly read: NonNullable<CredentialReaders['apiKey']> = (credential) => {
    // A key is 32 random bytes: nobody can try them all, so that the slow hashes that passwords need would only slow every request.
    const digest = createHash('sha256').update(credential).digest();
    return Promise.resolve(this.find(digest));
  };

  /** Looks at the file no more. */
  stop(): Promise<void> {
    return this.stopLooking();
  }

  private find(digest: Buffer): Result<Principal, Denial> {
    // All are compared, each in constant time: how long it takes says nothing about which key is nearly right.
    const [key] = this.keys.filter((known) => timingSafeEqual(known.digest, digest));
    if (key === undefined) return failure(invalid('unknown_key'));
    if (Date.now() >= Date.parse(key.expiresAt)) return failure(expired);
    const lapsed = (): Denial['refusal'] | null => {
      const found = this.find(digest);
      return found.ok ? null : found.error.refusal;
    };
    return success({
      tenantId: key.tenantId,
      userId: key.scopes.includes('speak-for-others') ? null : userOfKey(key.id),
      scopes: key.scopes,
      lapsed,
    });
  }

  private async lookAgain({ logger, report }: Surroundings): Promise<void> {
    const { digest, read } = await look(this.file);
    const isSettled = digest === this.lastDigest;
    this.lastDigest = digest;
    if (!isSettled || digest === this.handledDigest) return;
    this.handledDigest = digest;
    if (!read.ok) {
      logger.error('auth.keys_rejected', { problems: read.error, files: digest });
      return report({ kind: 'rejected', files: digest, inUse: this.inUse, problems: read.error });
    }
    this.keys = read.value.map(knownKey);
    this.inUse = digest;
    logger.info('auth.keys_applied', { keys: read.value.length, files: digest });
    report({ kind: 'applied', files: digest });
  }
}

function knownKey(key: ApiKey): KnownKey {
  return { ...key, digest: Buffer.from(key.sha256, 'hex') };
}

async function look(file: string): Promise<Look> {
  const name = path.basename(file);
  try {
    const bytes = await readFile(file);
    return { digest: createHash('sha256').update(bytes).digest('hex'), read: readApiKeys(name, bytes) };
  } catch {
    const message = 'The file cannot be read. Check that it is there, and that the service may read it.';
    return { digest: 'none', read: failure([{ file: name, line: 1, column: 1, message, severity: 'error' }]) };
  }
}
