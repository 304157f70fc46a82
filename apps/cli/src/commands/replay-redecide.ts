import { formatProblems, loadPlatformConfig } from '@latch/config';
import { type PlatformConfig } from '@latch/contracts';
import { type AgainstVerdict, isAllEqual, type RedecideVerdict, type ReplaySummary } from '@latch/replay';
import { type CliSettings } from '../config.ts';
import { hideAspects, hideDecisions } from '../replay/hide-values.ts';
import { againstLines } from '../replay/against-lines.ts';
import { againstJob, redecideJob, type Replayed, type ReplayJob } from '../replay/replay-job.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { unreadableLines } from '../replay/unreadable-lines.ts';
import { replayScope, type ReplayScope } from '../replay/replay-scope.ts';
import { instantOption, runCommand, wholeNumberOption } from '../run-command.ts';
import { workersOption } from '../replay/share-work.ts';
import { stopSignal } from '../system/stop-signal.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch replay redecide`. */
export type RedecideOptions = {
  readonly against?: string;
  readonly conversation?: string;
  readonly tenant?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly show?: string;
  readonly workers?: string;
  /** Show values of messages and calls, which may be personal. */
  readonly clear?: boolean;
  readonly json?: boolean;
};

/** `latch replay redecide`: makes every decision again; with `--against`, as another configuration would have made it. */
export async function replayRedecide(settings: CliSettings, options: RedecideOptions): Promise<void> {
  await runCommand(options, async () => {
    const scope = scopeOf(options);
    const workers = workersOption(options.workers);
    const show = wholeNumberOption('show', options.show) ?? 20;
    const platform = options.against === undefined ? undefined : await readPlatform(options.against);
    return withAuditedStore(settings, async (store, access) => {
      const replayed = <V>(job: ReplayJob<V>): Promise<Replayed<V>> =>
        replayScope({ store, access }, scope, { job, workers, signal: stopSignal() });
      if (platform === undefined) return tellRedecided(await replayed(redecideJob), options);
      const { agents, digest } = platform;
      return tellAgainst(await replayed(againstJob({ agents, show })), { ...options, digest });
    });
  });
}

function scopeOf({ conversation, tenant, since, limit }: RedecideOptions): ReplayScope {
  const changedSince = instantOption('since', since);
  const most = wholeNumberOption('limit', limit, 1);
  return {
    ...(conversation !== undefined && { conversation }),
    ...(tenant !== undefined && { tenant }),
    ...(changedSince !== undefined && { since: changedSince }),
    ...(most !== undefined && { limit: most }),
  };
}

async function readPlatform(folder: string): Promise<PlatformConfig> {
  const platform = await loadPlatformConfig(folder, {});
  if (platform.ok) return platform.value;
  throw new Error(`${folder} is no configuration that can be used:\n${formatProblems(platform.error)}`);
}

function tellRedecided({ summary }: Replayed<RedecideVerdict>, { json, clear }: RedecideOptions): boolean {
  const outcome = isAllEqual(summary) ? 'equal' : 'differs';
  if (json) print(JSON.stringify({ word: 'redecide', outcome, ...(clear ? summary : hideDecisions(summary)) }));
  else printLines(linesOf(summary));
  return isAllEqual(summary);
}

function linesOf({ findings, ...counts }: ReplaySummary<RedecideVerdict>): readonly string[] {
  const differing = findings.flatMap(({ conversationKey, verdict }) => {
    if (verdict.kind !== 'differs') return [];
    const { version, reason, configDigest, recorded, decided } = verdict.divergence;
    if (reason === 'config_unknown')
      return [`${conversationKey} event ${version}: configuration ${configDigest} is gone`];
    const types = [recorded, decided].map((events) => events.map(({ type }) => type).join(', '));
    return [
      `${conversationKey} event ${version} is decided otherwise`,
      `  recorded ${types[0]}`,
      `  decided  ${types[1]}`,
    ];
  });
  return [
    ...differing,
    `${counts.equal} of ${counts.conversations} conversations: every decision again as recorded, byte for byte`,
    ...(counts.differ > 0 ? [`${counts.differ} differ`] : []),
    ...unreadableLines(counts.unreadable),
    ...(counts.erased > 0
      ? [`${counts.erased} erased: personal data is gone, what is left is decided as recorded`]
      : []),
    `${counts.events} events in ${counts.seconds.toFixed(1)} s`,
  ];
}

function tellAgainst(
  { summary, report: found }: Replayed<AgainstVerdict>,
  { json, digest, clear }: RedecideOptions & { readonly digest: string },
): boolean {
  const { findings: _kept, ...counts } = summary;
  const outcome = isAllEqual(summary) ? 'equal' : 'differs';
  const report = clear ? found : hideAspects(found);
  const { conversations: findings, ...differences } = report;
  if (json)
    print(
      JSON.stringify({ word: 'redecide_against', outcome, config_digest: digest, ...counts, ...differences, findings }),
    );
  else printLines(againstLines(counts, report));
  return isAllEqual(summary);
}
