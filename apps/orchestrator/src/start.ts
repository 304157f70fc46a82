import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { formatProblems, loadPlatformConfig, personalDataOf } from '@latch/config';
import { type Locale, type PlatformConfig, platformVersion, topics } from '@latch/contracts';
import { type EventStore, openEventStore } from '@latch/event-store';
import { BatchServer, type Bus, openBus, type Poison, Relay } from '@latch/messaging';
import {
  createLogger,
  createMetrics,
  HealthState,
  type Logger,
  type Metrics,
  nestLogger,
  type RunningService,
} from '@latch/observability';
import { type AgentConfigs, openAgentConfigs } from './agent-configs.ts';
import { type OrchestratorSettings } from './config.ts';
import { countDecision } from './count-decision.ts';
import { startDeadlines } from './deadlines.ts';
import { startForgettingClaims } from './forget-claims.ts';
import { type BatchHandler, createBatchHandler } from './handle-batch.ts';
import { orchestratorModule } from './orchestrator.module.ts';
import { postponeDeadline, refuseTurn } from './set-aside.ts';
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
  const platform = await readPlatform(settings.LATCH_CONFIG_DIR);
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
  const batches = createBatchHandler({ store, bus, configs, onDecided: (decided) => countDecision(metrics, decided) });
  const engine = { settings, logger, store, bus, metrics, configs, batches, fatal: parts.fatal ?? failLoudly };
  const running = await startEngine(engine);
  return {
    url: running.url,
    stop: async () => {
      await running.stop();
      if (!parts.bus) await bus.close();
      await store.close();
    },
  };
}

async function readPlatform(folder: string): Promise<PlatformConfig> {
  const platform = await loadPlatformConfig(folder);
  if (platform.ok) return platform.value;
  throw new Error(`The configuration in ${folder} cannot be used:\n${formatProblems(platform.error)}`);
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
  readonly configs: AgentConfigs;
  readonly batches: BatchHandler;
  readonly fatal: (error: unknown) => void;
};

async function startEngine(engine: Engine): Promise<RunningService> {
  const { settings, logger, store, bus, metrics } = engine;
  const { handle } = engine.batches;
  const operations = { service, version: platformVersion, metrics, health: healthOf(engine) };
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
  const stopDeadlines = startDeadlines({
    store,
    handle,
    postpone: (work) => postponeDeadline(store, work),
    logger,
    pollMs: settings.LATCH_DEADLINE_POLL_MS,
    maxBatch,
  });
  const stopForgetting = startForgettingClaims({ store, logger, olderThanHours: settings.LATCH_INBOX_KEEP_HOURS });
  return {
    url: await app.getUrl(),
    stop: async () => {
      await stopForgetting();
      await stopDeadlines();
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

function healthOf({ bus, store }: Engine): HealthState {
  const health = new HealthState();
  health.probe('bus', () => (bus.isHealthy() ? { ok: true } : { ok: false, detail: 'the bus does not answer' }));
  health.probe('store', () => (store.isHealthy() ? { ok: true } : { ok: false, detail: 'Postgres does not answer' }));
  return health;
}
