import { type EvidenceBundle, type EvidenceSealProof } from '@latch/contracts';
import {
  type EvidenceSeal,
  readPublicKeys,
  rootOfProof,
  sealHash,
  type SignatureCheck,
  signedText,
} from '@latch/event-store';
import { type Finding, finding, unless, when } from './finding.ts';

/** What the check of the seals has shown. */
export type SealsChecked = {
  readonly findings: readonly Finding[];
  /** `trusted`: by a key that the reader brought; `by_own_key`: by one that the file brought itself; `unchecked`: no key; `none`: no seal. */
  readonly signatures: 'trusted' | 'by_own_key' | 'unchecked' | 'none';
  /** The last event that a seal covers; 0: none. */
  readonly sealedUntil: number;
};

/**
 * Each seal signs a head that the chain leads through. A key that the reader brings counts; the file's own only shows that the seal fits a key that came with it.
 *
 * @param trusted public keys that the reader knows from elsewhere: SPKI in base64, or PEM.
 */
export function checkSeals(bundle: EvidenceBundle, trusted: readonly string[]): SealsChecked {
  const { seals = [], public_keys: own = [] } = bundle;
  const keys = readPublicKeys(trusted.length > 0 ? trusted : own);
  if (!keys.ok)
    return { findings: [finding('seals', 'public keys', keys.error)], signatures: 'unchecked', sealedUntil: 0 };
  const checked = seals.map((proof) => ({ proof, problems: sealProblems(proof, bundle, keys.value) }));
  const good = checked.filter(({ problems }) => problems.length === 0);
  const sealedUntil = Math.max(0, ...good.map(({ proof }) => proof.head.version));
  const findings = checked.flatMap(({ proof, problems }) =>
    problems.map((problem) => finding('seals', `seal ${proof.seal.number}`, problem)),
  );
  const isAsked = trusted.length > 0 && findings.length === 0;
  return {
    findings: [...findings, ...(isAsked ? unsealedIn(bundle, sealedUntil) : [])],
    signatures: signaturesOf(seals.length, keys.value.size, trusted.length),
    sealedUntil,
  };
}

/** Whoever brings a key wants to know who vouches: what no seal signs anybody could have written. */
function unsealedIn({ chain }: EvidenceBundle, sealedUntil: number): readonly Finding[] {
  const end = chain?.links.length ?? 0;
  if (sealedUntil >= end && end > 0) return [];
  const detail =
    sealedUntil === 0
      ? 'no seal of the key that you gave signs this conversation'
      : `the last seal signs it up to event ${sealedUntil}`;
  return [finding('unsealed', `event ${sealedUntil + 1}`, detail)];
}

function signaturesOf(seals: number, keys: number, trusted: number): SealsChecked['signatures'] {
  if (seals === 0) return 'none';
  if (keys === 0) return 'unchecked';
  return trusted > 0 ? 'trusted' : 'by_own_key';
}

function sealProblems(
  { seal, head, proof }: EvidenceSealProof,
  bundle: EvidenceBundle,
  keys: ReadonlyMap<string, SignatureCheck>,
): readonly string[] {
  const link = bundle.chain?.links[head.version - 1];
  const leaf = {
    streamId: bundle.chain?.stream_id ?? '',
    tenantId: bundle.tenant_id,
    version: head.version,
    hash: head.hash,
  };
  const isSigned = keys.get(seal.key_id);
  return [
    ...unless(
      link?.hash === head.hash,
      'it signs another head than the chain leads through: the conversation was rewritten',
    ),
    ...unless(rootOfProof(leaf, proof) === seal.heads_digest, 'the head is not among those that it signs'),
    ...unless(sealHash(fieldsOf(seal)) === seal.hash, 'it was altered'),
    ...when(keys.size > 0 && isSigned === undefined, 'no public key is that of its signature'),
    ...when(isSigned && !isSigned(signedText(seal.hash), seal.signature), 'its signature is forged'),
    ...unless(
      Buffer.from(seal.signature, 'base64').toString('base64') === seal.signature,
      'its signature is not written as base64 is',
    ),
  ];
}

function fieldsOf(seal: EvidenceSealProof['seal']): Omit<EvidenceSeal, 'hash' | 'signature'> {
  return {
    number: seal.number,
    previousHash: seal.previous_hash,
    sealedAt: seal.sealed_at,
    writtenBy: seal.written_by,
    position: seal.position,
    events: seal.events,
    heads: seal.heads,
    headsDigest: seal.heads_digest,
    keyId: seal.key_id,
  };
}
