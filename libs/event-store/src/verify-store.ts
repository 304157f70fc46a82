import { TerminalError } from '@latch/contracts';
import { type Database } from './database.ts';
import { readPublicKeys } from './signing-key.ts';
import { everyTenant } from './tenant-scope.ts';
import { type KnownSeal, verifySeals } from './verify-seals.ts';
import { verifyStreams } from './verify-streams.ts';
import { ProblemTally, type VerifyProgress, type VerifyReport } from './verify-report.ts';

/** What to verify, and with what. */
export type VerifyRequest = {
  /** Public keys of seals, SPKI in base64 or PEM; with none, signatures are not checked and the report says so. */
  readonly publicKeys: readonly string[];
  /** Only streams of this tenant; seals are checked all the same. */
  readonly tenantId?: string;
  /** A seal that was published, or reported by an earlier verification: it and all before it must still be there. */
  readonly lastSeal?: KnownSeal;
  /** Events that are older must be sealed. Not given: an unsealed event is no problem, only counted. */
  readonly sealedWithinMs?: number;
  /** Told after each page of streams. */
  readonly onProgress?: (progress: VerifyProgress) => void;
};

/**
 * Verifies the whole store, in bounded memory: the seals and their chain, each stream from its first event to its head, and each against what was sealed of it. What
 * it finds it names with its first place, by kind (invariant I15). It reads as of each page's moment, so the system may run meanwhile.
 *
 * @throws TerminalError when a public key cannot be read.
 */
export async function verifyStore(
  database: Pick<Database, 'within' | 'snapshot'>,
  request: VerifyRequest,
): Promise<VerifyReport> {
  const keys = readPublicKeys(request.publicKeys);
  if (!keys.ok) throw new TerminalError(keys.error, { code: 'message.invalid' });
  const tally = new ProblemTally();
  const checks = { keys: keys.value, lastSeal: request.lastSeal ?? null, tally };
  const { seals, last } = await verifySeals(database.within(everyTenant), checks);
  const streams = await verifyStreams(database, { ...request, tally });
  return {
    isGood: tally.count() === 0,
    ...streams,
    seals,
    lastSeal: last && { number: last.number, hash: last.hash, sealedAt: last.sealedAt },
    signatures: seals === 0 ? 'no_seals' : keys.value.size === 0 ? 'no_keys' : 'checked',
    problems: tally.list(),
  };
}
