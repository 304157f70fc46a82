import { loadPlatformConfig, loadPrivacyConfig, personalDataOf } from '@latch/config';
import { applyRetention, type EventStore, openMaintenance } from '@latch/event-store';
import { type Bus, reportConfig } from '@latch/messaging';
import { type Logger, type Metrics } from '@latch/observability';
import { type LiveConfigs } from './agent-configs.ts';
import { type OrchestratorSettings } from './config.ts';
import { startConfigWatch } from './config-watch.ts';
import { startDeadlines } from './deadlines.ts';
import { digestFolder } from './digest-folder.ts';
import { startForgettingClaims } from './forget-claims.ts';
import { startMeasuringTransactions } from './measure-transactions.ts';
import { startKeepingPartitions } from './keep-partitions.ts';
import { startKeepingRetention } from './keep-retention.ts';
import { startSealing } from './seal-evidence.ts';
import { postponeDeadline } from './set-aside.ts';
import { type Work } from './work.ts';

/** What the jobs beside the consumer need. */
export type JobParts = {
  readonly settings: OrchestratorSettings;
  readonly logger: Logger;
  readonly store: EventStore;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly configs: LiveConfigs;
  /** Digest of the configuration files that the service started with. */
  readonly filesInUse: string;
  readonly handle: (work: readonly Work[]) => Promise<void>;
};

/**
 * Starts what runs beside the consumer: the sweeper of deadlines, the forgetting of claims, the watch over the configuration, the count of open transactions, and what keeps the
 * store: partitions made ahead, seals, and retention of personal data.
 *
 * @returns a function that stops them all and waits for what is running.
 */
export function startJobs(parts: JobParts): () => Promise<void> {
  const { settings, logger, store, bus, metrics, handle } = parts;
  const stops = [
    startForgettingClaims({ store, logger, olderThanHours: settings.LATCH_INBOX_KEEP_HOURS }),
    startDeadlines({
      store,
      handle,
      postpone: (work) => postponeDeadline(store, work),
      logger,
      pollMs: settings.LATCH_DEADLINE_POLL_MS,
      maxBatch: settings.LATCH_MAX_BATCH,
    }),
    startKeepingPartitions({ store, metrics, logger }),
    startSealing({
      store,
      bus,
      metrics,
      logger,
      key: settings.LATCH_SIGNING_KEY,
      everyMs: settings.LATCH_SEAL_EVERY_MS,
    }),
    startMeasuringTransactions({ store, metrics, logger }),
    keepRetention(parts),
    watchConfig(parts),
  ];
  return async () => {
    for (const stop of stops) await stop();
  };
}

function keepRetention({ settings, logger, metrics }: JobParts): () => Promise<void> {
  const maintenance = openMaintenance({
    databaseUrl: settings.DATABASE_URL,
    personalData: personalDataOf(settings),
    logger,
    role: 'latch_orchestrator',
  });
  const stop = startKeepingRetention({
    rules: () => loadPrivacyConfig(settings.LATCH_CONFIG_DIR),
    apply: (rules) => applyRetention(maintenance, rules),
    logger,
    metrics,
  });
  return async () => {
    await stop();
    await maintenance.close();
  };
}

function watchConfig({ settings, logger, bus, metrics, configs, filesInUse }: JobParts): () => Promise<void> {
  const folder = settings.LATCH_CONFIG_DIR;
  return startConfigWatch(
    {
      look: () => digestFolder(folder),
      read: () => loadPlatformConfig(folder),
      use: (platform) => configs.use(platform),
      refreshSchemas: () => configs.refreshSchemas(),
      report: reportConfig({ service: 'orchestrator', bus, logger, metrics }),
      logger,
      everyMs: settings.LATCH_CONFIG_POLL_MS,
    },
    filesInUse,
  );
}
