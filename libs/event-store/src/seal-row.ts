import { type EvidenceSeal } from './evidence-seal.ts';

/** A seal as a statement over `seals s` gives it. */
export type SealRow = {
  seal_number: string;
  previous_hash: string;
  sealed_at: Date;
  written_by: string;
  position: string;
  events: number;
  heads: number;
  heads_digest: string;
  hash: string;
  key_id: string;
  signature: string;
};

/** The columns of a SealRow. */
export const sealColumns = `s.seal_number, s.previous_hash, s.sealed_at, s.written_by::text AS written_by, s.position, s.events, s.heads, s.heads_digest,
  s.hash, s.key_id, s.signature`;

/** The seal that a row holds. */
export function sealOfRow(row: SealRow): EvidenceSeal {
  return {
    number: Number(row.seal_number),
    previousHash: row.previous_hash,
    sealedAt: row.sealed_at.toISOString(),
    writtenBy: row.written_by,
    position: row.position,
    events: row.events,
    heads: row.heads,
    headsDigest: row.heads_digest,
    keyId: row.key_id,
    hash: row.hash,
    signature: row.signature,
  };
}
