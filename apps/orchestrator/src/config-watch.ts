import { type ConfigProblem, type ConfigReport } from '@latch/config';
import { type PlatformConfig, type Result } from '@latch/contracts';
import { type Logger, repeat } from '@latch/observability';

/** What watching the configuration needs. */
export type ConfigWatchParts = {
  /** Digest of what the files say now; rejects when they cannot be read. */
  readonly look: () => Promise<string>;
  /** Reads and checks them. */
  readonly read: () => Promise<Result<PlatformConfig, readonly ConfigProblem[]>>;
  /** Makes them current. */
  readonly use: (platform: PlatformConfig) => Promise<void>;
  /** Looks again which schemas of tools are accepted. */
  readonly refreshSchemas: () => Promise<void>;
  readonly report: (report: ConfigReport) => void;
  readonly logger: Logger;
  /** Between two looks, in milliseconds. */
  readonly everyMs: number;
};

/**
 * Takes changed files over while the service runs (DESIGN section 9). Files that have a mistake are told and not used: the last good configuration stays, and
 * the service goes on. Files are read once they say the same at two looks, so that nobody has to write them all at once.
 *
 * @param inUse digest of the files that the service started with.
 * @returns a function that stops looking and waits for the look that is running.
 */
export function startConfigWatch(parts: ConfigWatchParts, inUse: string): () => Promise<void> {
  let seen: Seen = { inUse, handled: inUse, last: inUse };
  const round = async (): Promise<void> => {
    seen = await lookAtFiles(parts, seen);
    await parts.refreshSchemas();
  };
  const onError = (error: unknown): void => parts.logger.warn('config.schemas_not_read', { error });
  return repeat({ round, everyMs: parts.everyMs, waitsFirst: true, onError });
}

/** Digests of files: those that are used, those that were taken over or rejected last, and those of the last look. */
type Seen = { readonly inUse: string; readonly handled: string; readonly last: string };

async function lookAtFiles(parts: ConfigWatchParts, seen: Seen): Promise<Seen> {
  try {
    const now = await parts.look();
    const isSettled = now === seen.last;
    if (!isSettled || now === seen.handled) return { ...seen, last: now };
    return { inUse: await takeOver(parts, now, seen.inUse), handled: now, last: now };
  } catch (error) {
    // What could not be read or kept this time is looked at again.
    parts.logger.warn('config.not_read', { error });
    return seen;
  }
}

/** @returns the digest of the files that are used from now on. */
async function takeOver(parts: ConfigWatchParts, now: string, inUse: string): Promise<string> {
  if (now === inUse) {
    parts.report({ kind: 'applied', files: now });
    return now;
  }
  const platform = await parts.read();
  if (!platform.ok) {
    parts.logger.error('config.rejected', { problems: platform.error.length, files: now });
    parts.report({ kind: 'rejected', files: now, inUse, problems: platform.error });
    return inUse;
  }
  await parts.use(platform.value);
  parts.logger.info('config.applied', { files: now });
  parts.report({ kind: 'applied', files: now });
  return now;
}
