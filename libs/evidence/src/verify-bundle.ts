import { digest, EvidenceBundle, problemsOf } from '@latch/contracts';
import { checkCapsules } from './check-capsules.ts';
import { checkChain } from './check-chain.ts';
import { checkConfigurations } from './check-configurations.ts';
import { checkEvents } from './check-events.ts';
import { checkIdentity, checkOutcome } from './check-outcome.ts';
import { checkReceipts } from './check-receipts.ts';
import { checkSeals, type SealsChecked } from './check-seals.ts';
import { checkTurns } from './check-turns.ts';
import { type Finding, finding } from './finding.ts';

/** What the check of a bundle has shown. */
export type BundleReport = {
  readonly isGood: boolean;
  readonly transactionId: string | null;
  readonly conversationKey: string | null;
  /** What is wrong, each thing named. */
  readonly findings: readonly Finding[];
  readonly events: number;
  /** Events of the conversation that the chain was computed over. */
  readonly links: number;
  readonly receipts: number;
  readonly isErased: boolean;
  readonly signatures: SealsChecked['signatures'];
  /** Events of the conversation behind the last seal: nobody has signed for them yet. */
  readonly unsealedEvents: number;
};

/**
 * Checks an evidence bundle from nothing but itself: the chain from the begin of the conversation to its head, each event against it, capsules, receipts, items,
 * configurations, the chat, and the seals. No database, no network, no clock. It never throws on what a file holds.
 *
 * @param text the file.
 * @param trustedKeys public keys of seals that the reader knows from elsewhere.
 */
export function verifyBundle(text: string, trustedKeys: readonly string[] = []): BundleReport {
  const read = readBundle(text);
  if (!('bundle' in read)) return { ...nothing, findings: read.findings };
  const { bundle } = read;
  try {
    return reportOf(bundle, trustedKeys);
  } catch (error) {
    // A value of a kind that no writer of ours writes: the file was made or changed by somebody else.
    const detail = error instanceof Error ? error.message : String(error);
    return { ...nothing, findings: [finding('readable', 'file', detail)] };
  }
}

const nothing: BundleReport = {
  isGood: false,
  transactionId: null,
  conversationKey: null,
  findings: [],
  events: 0,
  links: 0,
  receipts: 0,
  isErased: false,
  signatures: 'none',
  unsealedEvents: 0,
};

function reportOf(bundle: EvidenceBundle, trustedKeys: readonly string[]): BundleReport {
  const seals = checkSeals(bundle, trustedKeys);
  const findings = [...checks.flatMap((check) => check(bundle)), ...seals.findings];
  const links = bundle.chain?.links.length ?? 0;
  return {
    isGood: findings.length === 0,
    transactionId: bundle.transaction_id,
    conversationKey: bundle.conversation_key,
    findings,
    events: bundle.events.length,
    links,
    receipts: bundle.receipts?.length ?? 0,
    isErased: bundle.erased === true,
    signatures: seals.signatures,
    unsealedEvents: links - seals.sealedUntil,
  };
}

const checks: readonly ((bundle: EvidenceBundle) => readonly Finding[])[] = [
  checkDigest,
  checkIdentity,
  checkChain,
  checkEvents,
  checkCapsules,
  checkReceipts,
  checkOutcome,
  checkConfigurations,
  checkTurns,
];

/** Any change that was not made on purpose; who changes on purpose makes a new digest, and is found by the checks behind. */
function checkDigest({ digest: told, ...rest }: EvidenceBundle): readonly Finding[] {
  return told === digest(rest) ? [] : [finding('digest', 'file', 'it is not the digest of what the file holds')];
}

function readBundle(text: string): { readonly bundle: EvidenceBundle } | { readonly findings: readonly Finding[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { findings: [finding('readable', 'file', 'it is no JSON')] };
  }
  const parsed = EvidenceBundle.safeParse(value);
  if (parsed.success) return { bundle: parsed.data };
  return { findings: problemsOf(parsed.error).map(({ path, message }) => finding('readable', path, message)) };
}
