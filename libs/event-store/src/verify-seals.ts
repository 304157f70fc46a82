import { type Sql } from './database.ts';
import {
  type EvidenceSeal,
  firstPreviousHash,
  headsDigestOf,
  type SealedHead,
  sealHash,
  signedText,
} from './evidence-seal.ts';
import { sealColumns, sealOfRow, type SealRow } from './seal-row.ts';
import { type SignatureCheck } from './signing-key.ts';
import { type ProblemTally, type VerifyProblemKind } from './verify-report.ts';

/** A seal that somebody keeps outside of the database: it and all seals before it must be there. Its hash alone is enough. */
export type KnownSeal = { readonly number?: number; readonly hash: string };

/** With what seals are checked. */
export type SealChecks = {
  /** By key id; empty: signatures are not checked. */
  readonly keys: ReadonlyMap<string, SignatureCheck>;
  readonly lastSeal: KnownSeal | null;
  readonly tally: ProblemTally;
};

/** How many seals are in memory at once. */
const pageSize = 20;

/**
 * Checks all seals in order: their numbers have no gap, each is chained to the one before, holds the heads that its digest names, and is signed.
 *
 * @returns how many there are, and the last one.
 */
export async function verifySeals(
  sql: Sql,
  checks: SealChecks,
): Promise<{ readonly seals: number; readonly last: EvidenceSeal | null }> {
  const chain = new SealChain(checks);
  for (let after = 0; ;) {
    const seals = await readSeals(sql, after);
    const heads = await readHeads(sql, seals);
    for (const seal of seals) chain.next(seal, heads.get(seal.number) ?? []);
    const last = seals.at(-1);
    if (!last) return chain.end();
    after = last.number;
  }
}

class SealChain {
  private count = 0;
  private last: EvidenceSeal | null = null;
  private isKnownThere = false;

  constructor(private readonly checks: SealChecks) {}

  next(seal: EvidenceSeal, heads: readonly SealedHead[]): void {
    const before = this.last;
    this.count += 1;
    this.last = seal;
    const expected = (before?.number ?? 0) + 1;
    if (seal.number !== expected)
      this.found('seal_missing', expected, `seal ${expected} is not there, ${seal.number} is`);
    else if (seal.previousHash !== (before?.hash ?? firstPreviousHash)) {
      this.found('seal_altered', seal.number, 'it is not chained to the seal before');
    }
    if (sealHash(seal) !== seal.hash)
      this.found('seal_altered', seal.number, 'its hash does not follow from what it says');
    if (heads.length !== seal.heads || headsDigestOf(heads) !== seal.headsDigest) {
      this.found('seal_altered', seal.number, `its ${heads.length} heads are not the ${seal.heads} that were sealed`);
    }
    this.checkSignature(seal);
    this.compareWithKnown(seal);
  }

  end(): { readonly seals: number; readonly last: EvidenceSeal | null } {
    const known = this.checks.lastSeal;
    const reached = this.last?.number ?? 0;
    const isThere = known?.number === undefined ? this.isKnownThere : reached >= known.number;
    if (known && !isThere) {
      const wasThere = known.number ?? `the one with hash ${known.hash}`;
      this.found('seal_missing', reached + 1, `the seals end with ${reached}; ${wasThere} was there`);
    }
    return { seals: this.count, last: this.last };
  }

  private checkSignature({ number, keyId, hash, signature }: EvidenceSeal): void {
    if (this.checks.keys.size === 0) return;
    const fits = this.checks.keys.get(keyId);
    if (!fits) this.found('seal_key_unknown', number, `no public key ${keyId} was given`);
    else if (!fits(signedText(hash), signature))
      this.found('seal_forged', number, `it is not signed with key ${keyId}`);
  }

  private compareWithKnown({ number, hash }: EvidenceSeal): void {
    const known = this.checks.lastSeal;
    if (known?.hash === hash) this.isKnownThere = true;
    else if (known?.number === number) {
      this.found('seal_altered', number, `its hash was ${known.hash}`);
    }
  }

  private found(kind: VerifyProblemKind, sealNumber: number, detail: string): void {
    this.checks.tally.add({ kind, sealNumber, detail });
  }
}

async function readSeals(sql: Sql, after: number): Promise<readonly EvidenceSeal[]> {
  const rows = await sql<SealRow>(
    `SELECT ${sealColumns} FROM seals s WHERE s.seal_number > $1 ORDER BY s.seal_number LIMIT $2`,
    [after, pageSize],
  );
  return rows.map(sealOfRow);
}

type HeadRow = { seal_number: string; stream_id: string; tenant_id: string; stream_version: number; hash: string };

async function readHeads(
  sql: Sql,
  seals: readonly EvidenceSeal[],
): Promise<ReadonlyMap<number, readonly SealedHead[]>> {
  const heads = new Map<number, SealedHead[]>(seals.map(({ number }) => [number, []]));
  if (seals.length === 0) return heads;
  const rows = await sql<HeadRow>(
    `SELECT seal_number, stream_id, tenant_id, stream_version, encode(hash, 'hex') AS hash FROM sealed_heads WHERE seal_number = ANY ($1::bigint[])`,
    [seals.map(({ number }) => number)],
  );
  for (const row of rows) heads.get(Number(row.seal_number))?.push(headOf(row));
  return heads;
}

/** The head that a row of `sealed_heads` holds. */
export function headOf(row: Omit<HeadRow, 'seal_number'>): SealedHead {
  return { streamId: row.stream_id, tenantId: row.tenant_id, version: row.stream_version, hash: row.hash };
}
