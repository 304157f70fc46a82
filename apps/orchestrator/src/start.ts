import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { personalDataOf, readPlatformOrThrow } from '@latch/config';
import { type Locale, type PlatformConfig, platformVersion, topics } from '@latch/contracts';
import { type EventStore, openEventStore } from '@latch/event-store';
import { BatchServer, type Bus, openBus, type Poison, Relay } from '@latch/messaging';
import {
  createLogger,
  createMetrics,
  healthOf,
  type Logger,
  type Metrics,
  nestLogger,
  type RunningService,
} from '@latch/observability';
import { type LiveConfigs, openAgentConfigs } from './agent-configs.ts';
import { startFoldChecks } from './check-folds.ts';
import { type OrchestratorSettings } from './config.ts';
import { countDecision } from './count-decision.ts';
import { digestFolder } from './digest-folder.ts';
import { type BatchHandler, createBatchHandler } from './handle-batch.ts';
import { orchestratorModule } from './orchestrator.module.ts';
import { type DecidedTurn } from './run-turn.ts';
import { refuseTurn } from './set-aside.ts';
import { startJobs } from './start-jobs.ts';
import { type Work, workOf } from './work.ts';

const service = 'orchestrator';

/** What the caller may bring: a bus that several services share in compact mode, a logger, and what to do when the service cannot go on. */
export type OrchestratorParts = {
  readonly bus?: Bus;
  readonly logger?: Logger;
  readonly fatal?: (error: unknown) => void;
};

/**
 * Starts the engine's shell: consumer, deadline sweeper, relay and operations endpoints.
 *
 * @throws Error with every configuration problem, or when database or bus do not answer.
 */
export async function startOrchestrator(
  settings: OrchestratorSettings,
  parts: OrchestratorParts = {},
): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service, level: settings.LATCH_LOG_LEVEL });
  const { platform, filesInUse } = await readPlatform(settings.LATCH_CONFIG_DIR);
  const store = await openEventStore({
    databaseUrl: settings.DATABASE_URL,
    producer: service,
    logger,
    role: 'latch_orchestrator',
    personalData: personalDataOf(settings),
  });
  const bus = parts.bus ?? (await openBus(settings, { service, logger }));
  const metrics = createMetrics({ service, version: platformVersion });
  const configs = await openAgentConfigs(platform, store);
  const folds = startFoldChecks({ store, metrics, logger });
  const onDecided = (decided: DecidedTurn): void => {
    countDecision(metrics, decided);
    folds.note(decided.work.identity);
  };
  const batches = createBatchHandler({ store, bus, configs, onDecided });
  const fatal = parts.fatal ?? failLoudly;
  const running = await startEngine({ settings, logger, store, bus, metrics, configs, filesInUse, batches, fatal });
  return {
    url: running.url,
    stop: async () => {
      await running.stop();
      await folds.stop();
      if (!parts.bus) await bus.close();
      await store.close();
    },
  };
}

/** The digest is taken first: files that change while they are read are then read again by the watch. */
async function readPlatform(folder: string): Promise<{ platform: PlatformConfig; filesInUse: string }> {
  const filesInUse = await digestFolder(folder).catch(() => '');
  return { platform: await readPlatformOrThrow(folder), filesInUse };
}

function failLoudly(error: unknown): void {
  throw error;
}

type Engine = {
  readonly settings: OrchestratorSettings;
  readonly logger: Logger;
  readonly store: EventStore;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly configs: LiveConfigs;
  readonly filesInUse: string;
  readonly batches: BatchHandler;
  readonly fatal: (error: unknown) => void;
};

async function startEngine(engine: Engine): Promise<RunningService> {
  const { settings, logger, store, bus, metrics } = engine;
  const { handle } = engine.batches;
  const operations = {
    service,
    version: platformVersion,
    metrics,
    health: healthOf({ bus, store }),
    facts: factsOf(settings),
  };
  const app = await NestFactory.create<NestExpressApplication>(orchestratorModule({ handle }, operations), {
    logger: nestLogger(logger),
  });
  const maxBatch = settings.LATCH_MAX_BATCH;
  app.connectMicroservice({
    strategy: new BatchServer({
      bus,
      service,
      logger,
      metrics,
      maxBatch,
      onCrash: engine.fatal,
      onPoison: (poison) => answerPoison(engine, poison),
    }),
  });
  const relay = new Relay({ outbox: store.outbox, bus, logger, metrics });
  relay.start();
  await app.startAllMicroservices();
  await app.listen(settings.LATCH_HTTP_PORT, settings.LATCH_HTTP_HOST);
  const stopJobs = startJobs({ ...engine, handle });
  return {
    url: await app.getUrl(),
    stop: async () => {
      await stopJobs();
      await app.close();
      await engine.batches.close();
      await relay.stop();
    },
  };
}

/** A turn that became a dead letter is answered; a result needs no answer, since its transaction's deadline ends the waiting. */
async function answerPoison(engine: Engine, { received, reason }: Poison): Promise<void> {
  if (received.record.topic !== topics.turns) return;
  const work = workOf(received);
  if (work.kind === 'turn') await refuseTurn(engine, work, { code: reason.code, locale: localeOf(engine, work) });
}

function localeOf({ configs }: Engine, { identity }: Work): Locale {
  try {
    return configs.get(identity.agentId, null).locale;
  } catch {
    return 'en'; // nobody configured the agent, which is why the turn is refused
  }
}

/** What /version tells of the evidence: whether it is sealed, and with which key. */
function factsOf({ LATCH_SIGNING_KEY: key }: OrchestratorSettings): Readonly<Record<string, string>> {
  return { evidence_seals: key ? `signed with key ${key.keyId}` : 'off: LATCH_SIGNING_KEY is not set' };
}
