import { digest, EvidenceBundle, isRecord, parseJson, problemsOf } from '@latch/contracts';
import { checkCapsules } from './check-capsules.ts';
import { checkChain } from './check-chain.ts';
import { checkConfigurations } from './check-configurations.ts';
import { checkEvents } from './check-events.ts';
import { checkIdentity, checkOutcome } from './check-outcome.ts';
import { checkMembers } from './check-members.ts';
import { checkReceipts } from './check-receipts.ts';
import { checkSeals, type SealsChecked } from './check-seals.ts';
import { checkTurns } from './check-turns.ts';
import { type Finding, finding } from './finding.ts';
import { unprovenIn } from './unproven-in.ts';

/** What the check of a bundle has shown. */
export type BundleReport = {
  readonly isGood: boolean;
  /** What keeps the file from being a bundle that this release knows; null when it says that it is one. Nothing was checked then, so nothing is said of any evidence. */
  readonly noBundle: string | null;
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
  /** What the file says and nothing in it can be held against. */
  readonly unproven: readonly string[];
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
  if (!('bundle' in read)) return { ...nothing, ...read };
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
  noBundle: null,
  transactionId: null,
  conversationKey: null,
  findings: [],
  events: 0,
  links: 0,
  receipts: 0,
  isErased: false,
  signatures: 'none',
  unsealedEvents: 0,
  unproven: [],
};

function reportOf(bundle: EvidenceBundle, trustedKeys: readonly string[]): BundleReport {
  const seals = checkSeals(bundle, trustedKeys);
  const findings = [...checks.flatMap((check) => check(bundle)), ...seals.findings];
  const links = bundle.chain?.links.length ?? 0;
  return {
    isGood: findings.length === 0,
    noBundle: null,
    transactionId: bundle.transaction_id,
    conversationKey: bundle.conversation_key,
    findings,
    events: bundle.events.length,
    links,
    receipts: bundle.receipts?.length ?? 0,
    isErased: bundle.erased === true,
    signatures: seals.signatures,
    unsealedEvents: links - seals.sealedUntil,
    unproven: unprovenIn(bundle),
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
  checkMembers,
];

/** Any change that was not made on purpose; who changes on purpose makes a new digest, and is found by the checks behind. */
function checkDigest({ digest: told, ...rest }: EvidenceBundle): readonly Finding[] {
  return told === digest(rest) ? [] : [finding('digest', 'file', 'it is not the digest of what the file holds')];
}

type Unreadable = Pick<BundleReport, 'findings' | 'noBundle'>;

function readBundle(text: string): { readonly bundle: EvidenceBundle } | Unreadable {
  const value = jsonIn(text);
  const noBundle = whyNoBundle(value);
  if (noBundle !== null) return { noBundle, findings: [finding('readable', 'file', noBundle)] };
  // What two readers could read as two things proves nothing to either.
  const strict = parseJson(text);
  if (!strict.ok) return { noBundle: null, findings: [finding('readable', 'file', strict.error)] };
  const parsed = EvidenceBundle.safeParse(value);
  if (parsed.success) return { bundle: parsed.data };
  const findings = problemsOf(parsed.error).map(({ path, message }) => finding('readable', path, message));
  return { noBundle: null, findings };
}

const version = 'evidence-bundle-v1';

/** What says of itself that it is a bundle, and is not made like one, was changed: that is for the checks to tell. */
function whyNoBundle(value: unknown): string | null {
  if (value === undefined) return 'it is no JSON, or not all of it is there';
  const told = isRecord(value) ? value['contract_version'] : undefined;
  if (told === version) return null;
  if (typeof told !== 'string') return `its contract_version is not ${version}: it has none`;
  return `its contract_version is not ${version}: it is ${JSON.stringify(told.slice(0, 60))}`;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
