import { type EventStore, type VerifyReport, type VerifyRequest } from '@latch/event-store';
import { bundleChecks, type BundleReport, verifyBundle } from '@latch/evidence';
import { type CliSettings } from '../config.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { knownSealOf } from '../replay/known-seal.ts';
import { publicKeysOf } from '../replay/public-keys-of.ts';
import { assertTenantIsThere } from '../replay/assert-tenant-is-there.ts';
import { notABundle, readBundleFile } from '../replay/read-bundle-file.ts';
import { progressBar } from '../replay/progress-bar.ts';
import { runCommand, wholeNumberOption } from '../run-command.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch verify`. */
export type VerifyOptions = {
  readonly tenant?: string;
  readonly publicKey?: string;
  /** File or hash. */
  readonly lastSeal?: string;
  /** Minutes. */
  readonly sealedWithin?: string;
  readonly json?: boolean;
};

/** Seals are made every minute unless set otherwise; this leaves room for a restart, and for a backlog. */
const usuallySealedWithinMinutes = 15;

/**
 * `latch verify`: hash chains, heads and seals of the whole store, and that no seal was taken away since the one that `--last-seal` names; `latch verify FILE`: an
 * evidence bundle, without any database.
 */
export async function verify(settings: CliSettings, file: string | undefined, options: VerifyOptions): Promise<void> {
  await runCommand(options, async () => {
    const publicKeys = publicKeysOf(options.publicKey);
    if (file !== undefined) return verifyFile(file, publicKeys, options);
    const lastSeal = options.lastSeal === undefined ? undefined : knownSealOf(options.lastSeal);
    const sealedWithinMs = sealedWithinOption(options);
    const request = {
      publicKeys,
      ...(lastSeal && { lastSeal }),
      ...(sealedWithinMs !== undefined && { sealedWithinMs }),
    };
    return withAuditedStore(settings, (store) => verifyEverything(store, request, options));
  });
}

/** Whoever has the key of the seals expects them: without this, one who takes all of them away, or keeps events from being sealed, would not be found. */
function sealedWithinOption({ publicKey, sealedWithin }: VerifyOptions): number | undefined {
  const minutes = wholeNumberOption('sealed-within', sealedWithin, 1);
  if (minutes !== undefined) return minutes * 60_000;
  return publicKey === undefined ? undefined : usuallySealedWithinMinutes * 60_000;
}

function verifyFile(
  file: string,
  publicKeys: readonly string[],
  { json, lastSeal, sealedWithin }: VerifyOptions,
): boolean {
  if (lastSeal !== undefined) throw new Error('--last-seal is about the whole store, not about a file');
  if (sealedWithin !== undefined) throw new Error('--sealed-within is about the whole store, not about a file');
  const { noBundle, ...report } = verifyBundle(readBundleFile(file), publicKeys);
  if (noBundle !== null) throw new Error(notABundle(file, noBundle));
  if (json) print(JSON.stringify({ word: 'verify', outcome: report.isGood ? 'equal' : 'differs', ...report }));
  else printLines(bundleLines(report));
  return report.isGood;
}

function bundleLines(report: Omit<BundleReport, 'noBundle'>): readonly string[] {
  const signatures = {
    trusted: 'signed by the key that you gave',
    by_own_key: 'signed by a key that came with the file: give the one that you trust with --public-key',
    unchecked: 'its signature was not checked: give the public key with --public-key',
    none: 'covered by no seal',
  } as const;
  const receipts = report.receipts === 1 ? '1 receipt' : `${report.receipts} receipts`;
  return [
    ...report.findings.flatMap(({ check, place, detail }) => [
      `${check}: ${place}: ${detail}`,
      `  ${bundleChecks[check]}`,
    ]),
    ...(report.transactionId === null ? [] : [`transaction ${report.transactionId} in ${report.conversationKey}`]),
    `${report.links} events in the chain, ${report.events} of them whole, ${receipts}; ${signatures[report.signatures]}`,
    ...(report.isErased ? ['personal data was erased before the file was made, or is kept back by who made it'] : []),
    ...report.unproven.map((what) => `not proven: ${what}`),
    lastLine(report),
  ];
}

/** Only a signature by a key that the reader knows says who wrote the file; without it anybody may have written all of it. */
function lastLine({ isGood, signatures }: Pick<BundleReport, 'isGood' | 'signatures'>): string {
  if (!isGood) return 'THE FILE DOES NOT PROVE WHAT IT SAYS';
  if (signatures === 'trusted') return 'the file proves what it says';
  return signatures === 'none'
    ? 'the file fits together; nobody has signed for it'
    : 'the file fits together; nobody whom you named has signed for it';
}

async function verifyEverything(
  store: EventStore,
  request: VerifyRequest,
  { tenant, json }: VerifyOptions,
): Promise<boolean> {
  const bar = progressBar(await store.streams.count(tenant === undefined ? {} : { tenantId: tenant }));
  const begin = performance.now();
  const report = await store.verifyStore({
    ...request,
    ...(tenant !== undefined && { tenantId: tenant }),
    onProgress: ({ streams, events }) => bar.show({ conversations: streams, events }),
  });
  bar.done();
  // Streams that are gone are told by what is left of them, so only of a good report is a tenant without any one that nobody has.
  if (report.isGood) assertTenantIsThere(tenant, report.streams);
  const seconds = (performance.now() - begin) / 1000;
  const outcome = report.isGood ? 'equal' : 'differs';
  if (json) print(JSON.stringify({ word: 'verify', outcome, ...report, seconds }));
  else printLines(storeLines(report, seconds));
  return report.isGood;
}

function storeLines(report: VerifyReport, seconds: number): readonly string[] {
  const signatures = {
    checked: 'signatures checked',
    no_keys: 'signatures not checked: give the public key with --public-key',
    no_seals: 'nothing was sealed yet',
  } as const;
  const { lastSeal } = report;
  return [
    ...report.problems.map(({ kind, count, first }) => {
      const place =
        first.conversationKey ?? first.streamId ?? (first.sealNumber === undefined ? '' : `seal ${first.sealNumber}`);
      const version = first.version === undefined ? '' : ` event ${first.version}`;
      return `${kind} (${count}), first: ${place}${version}: ${first.detail}`;
    }),
    `${report.streams} streams with ${report.events} events in ${seconds.toFixed(1)} s; ${report.seals} seals, ${signatures[report.signatures]}`,
    ...(report.unsealedEvents > 0 ? [`${report.unsealedEvents} events are behind the last seal`] : []),
    ...(lastSeal === null
      ? []
      : [`last seal: ${lastSeal.number} of ${lastSeal.sealedAt}, ${lastSeal.hash}: keep it somewhere else`]),
    storeVerdict(report),
  ];
}

function storeVerdict({ isGood, signatures, problems }: VerifyReport): string {
  if (!isGood) {
    const isUnsealed = problems.every(({ kind }) => kind === 'unsealed');
    return isUnsealed ? 'NOBODY HAS SIGNED FOR EVENTS THAT SHOULD BE SEALED BY NOW' : 'THE EVIDENCE WAS CHANGED';
  }
  return signatures === 'checked'
    ? 'nothing was changed'
    : 'nothing was changed, as far as can be told without seals and their key';
}
