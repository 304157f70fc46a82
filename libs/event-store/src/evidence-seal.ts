import { digest } from '@latch/contracts';
import { headTreeRoot } from './head-tree.ts';

/** The head of one stream, as a seal signs it. */
export type SealedHead = {
  readonly streamId: string;
  readonly tenantId: string;
  readonly version: number;
  /** Hash of the event at that version, 64 hex digits. */
  readonly hash: string;
};

/** One seal: the heads of all streams that have grown since the one before, signed together. */
export type EvidenceSeal = {
  /** From 1, without gaps. */
  readonly number: number;
  /** Hash of the seal before; of the first one `firstPreviousHash`. */
  readonly previousHash: string;
  /** Database clock, UTC with milliseconds. */
  readonly sealedAt: string;
  /** How far in the global order of events it reaches. */
  readonly writtenBy: string;
  readonly position: string;
  /** Number of events that it covers for the first time. */
  readonly events: number;
  /** Number of streams whose heads it signs. */
  readonly heads: number;
  /** Digest of these heads, in the order of their stream ids. */
  readonly headsDigest: string;
  readonly keyId: string;
  /** What is signed: the digest of everything above. 64 hex digits. */
  readonly hash: string;
  /** Ed25519 signature of `signedText`, base64. */
  readonly signature: string;
};

/** What the first seal is chained to. */
export const firstPreviousHash = '0'.repeat(64);

/** The digest of heads, whatever their order: the root of a hash tree, so that one of them can be proved alone. */
export function headsDigestOf(heads: readonly SealedHead[]): string {
  return headTreeRoot(heads);
}

/** The hash of a seal: over all its fields, the digest of its heads and the hash of the seal before. */
export function sealHash(seal: Omit<EvidenceSeal, 'hash' | 'signature'>): string {
  return digest({
    seal: 'v1',
    number: seal.number,
    previous_hash: seal.previousHash,
    sealed_at: seal.sealedAt,
    written_by: seal.writtenBy,
    position: seal.position,
    events: seal.events,
    heads: seal.heads,
    heads_digest: seal.headsDigest,
    key_id: seal.keyId,
  });
}

/** The text that the key signs: it names its purpose, so that a signature is good for nothing else. */
export function signedText(hash: string): string {
  return `latch-evidence-seal-v1:${hash}`;
}
