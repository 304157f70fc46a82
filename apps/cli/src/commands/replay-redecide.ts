import { formatProblems, loadPlatformConfig } from '@latch/config';
import { type PlatformConfig } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import {
  againstReport,
  pinnedConfigs,
  redecideAgainst,
  redecideStream,
  type RedecideVerdict,
  type ReplaySummary,
} from '@latch/replay';
import { type CliSettings } from '../config.ts';
import { againstLines } from '../replay/against-lines.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { replayScope, type ReplayScope } from '../replay/replay-scope.ts';
import { instantOption, runReplay, wholeNumberOption } from '../replay/run-replay.ts';
import { print } from '../terminal.ts';

/** Options of `latch replay redecide`. */
export type RedecideOptions = {
  readonly against?: string;
  readonly conversation?: string;
  readonly tenant?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly show?: string;
  readonly json?: boolean;
};

/** `latch replay redecide`: makes every decision again; with `--against`, as another configuration would have made it. */
export async function replayRedecide(settings: CliSettings, options: RedecideOptions): Promise<void> {
  await runReplay(options, async () => {
    const scope = scopeOf(options);
    const platform = options.against === undefined ? undefined : await readPlatform(options.against);
    return withAuditedStore(settings, (store) =>
      platform === undefined
        ? redecideAll(store, scope, options)
        : redecideWith(store, scope, { ...options, platform, show: wholeNumberOption('show', options.show) ?? 20 }),
    );
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

async function redecideAll(store: EventStore, scope: ReplayScope, { json }: RedecideOptions): Promise<boolean> {
  const configs = pinnedConfigs(store);
  const summary = await replayScope(store, scope, {
    check: async (stream) => {
      await configs.load(stream);
      return redecideStream(stream, configs.agentOf);
    },
  });
  const outcome = summary.differ === 0 ? 'equal' : 'differs';
  if (json) print(JSON.stringify({ word: 'redecide', outcome, ...summary }));
  else linesOf(summary).forEach((line) => print(line));
  return summary.differ === 0;
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
    ...(counts.erased > 0
      ? [`${counts.erased} erased: personal data is gone, what is left is decided as recorded`]
      : []),
    `${counts.events} events in ${counts.seconds.toFixed(1)} s`,
  ];
}

type AgainstOptions = Omit<RedecideOptions, 'show'> & { readonly platform: PlatformConfig; readonly show: number };

async function redecideWith(store: EventStore, scope: ReplayScope, options: AgainstOptions): Promise<boolean> {
  const { agents, digest } = options.platform;
  const gathered = againstReport(options.show);
  const summary = await replayScope(store, scope, {
    check: (stream) => {
      const { agentId } = stream.conversation;
      return redecideAgainst(stream, Object.hasOwn(agents, agentId) ? agents[agentId] : undefined);
    },
    onVerdict: gathered.add,
    mostFindings: 0,
  });
  const { findings: _kept, ...counts } = summary;
  const report = gathered.report();
  const outcome = summary.differ === 0 ? 'equal' : 'differs';
  if (options.json)
    print(JSON.stringify({ word: 'redecide_against', outcome, config_digest: digest, ...counts, ...report }));
  else againstLines(counts, report).forEach((line) => print(line));
  return summary.differ === 0;
}
