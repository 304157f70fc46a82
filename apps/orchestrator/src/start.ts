import { personalDataOf, readPlatformOrThrow } from '@latch/config';
import { type PlatformConfig, topics } from '@latch/contracts';
import { type EventStore, openEventStore } from '@latch/event-store';
import { openHttpServer } from '@latch/http';
import { BatchServer, type Poison, Relay, type ServiceGround, type ServiceParts, startService } from '@latch/messaging';
import { type RunningService } from '@latch/observability';
import { type LiveConfigs, openAgentConfigs } from './agent-configs.ts';
import { startFoldChecks } from './check-folds.ts';
import { type OrchestratorSettings } from './config.ts';
import { countDecision } from './count-decision.ts';
import { digestFolder } from './digest-folder.ts';
import { type BatchHandler, createBatchHandler } from './handle-batch.ts';
import { orchestratorModule } from './orchestrator.module.ts';
import { type DecidedTurn } from './run-turn.ts';
import { localeOf, refuseTurn, type SetAsideParts } from './set-aside.ts';
import { startJobs } from './start-jobs.ts';
import { workOf } from './work.ts';

/**
 * Starts the engine's shell: consumer, deadline sweeper, relay and operations endpoints.
 *
 * @throws Error with every configuration problem, or when database or bus do not answer, or the port is taken.
 */
export async function startOrchestrator(
  settings: OrchestratorSettings,
  parts: ServiceParts = {},
): Promise<RunningService> {
  const { platform, filesInUse } = await readPlatform(settings.LATCH_CONFIG_DIR);
  return startService({ service: 'orchestrator', settings, parts }, async (ground) => {
    const { service, bus, logger, metrics, fatal, keep } = ground;
    const store = await openStore(settings, ground);
    const configs = await openAgentConfigs(platform, store);
    const relay = new Relay({ outbox: store.outbox, bus, logger, metrics });
    keep(() => relay.stop());
    const batches = openBatches(ground, { store, configs });
    const server = await openHttpServer({
      settings,
      logger,
      operations: { ...ground.operations, facts: factsOf(settings) },
      module: (drainable) => orchestratorModule(batches, drainable),
      strategy: new BatchServer({
        bus,
        service,
        logger,
        metrics,
        maxBatch: settings.LATCH_MAX_BATCH,
        onCrash: fatal,
        onPoison: (poison) => answerPoison({ store, bus, configs }, poison),
      }),
    });
    relay.start();
    const drain = startJobs({ settings, logger, store, bus, metrics, configs, filesInUse, handle: batches.handle });
    return { server, drain };
  });
}

/** The digest is taken first: files that change while they are read are then read again by the watch. */
async function readPlatform(folder: string): Promise<{ platform: PlatformConfig; filesInUse: string }> {
  const filesInUse = await digestFolder(folder).catch(() => '');
  return { platform: await readPlatformOrThrow(folder), filesInUse };
}

async function openStore(
  settings: OrchestratorSettings,
  { service, logger, keep, watch }: ServiceGround,
): Promise<EventStore> {
  const store = await openEventStore({
    databaseUrl: settings.DATABASE_URL,
    producer: service,
    logger,
    role: 'latch_orchestrator',
    personalData: personalDataOf(settings),
  });
  keep(() => store.close());
  watch('store', () => store.now());
  return store;
}

type Engine = { readonly store: EventStore; readonly configs: LiveConfigs };

/** The handler of batches, which counts and samples what it decides. */
function openBatches({ bus, logger, metrics, keep }: ServiceGround, { store, configs }: Engine): BatchHandler {
  const folds = startFoldChecks({ store, metrics, logger });
  keep(() => folds.stop());
  const onDecided = (decided: DecidedTurn): void => {
    countDecision(metrics, decided);
    folds.note(decided.work.identity);
  };
  const batches = createBatchHandler({ store, bus, configs, onDecided });
  keep(() => batches.close());
  return batches;
}

type Poisoned = SetAsideParts & { readonly configs: LiveConfigs };

/** A turn that became a dead letter is answered; a result needs no answer, since its transaction's deadline ends the waiting. */
async function answerPoison(engine: Poisoned, { received, reason }: Poison): Promise<void> {
  if (received.record.topic !== topics.turns) return;
  const work = workOf(received);
  if (work.kind === 'turn')
    await refuseTurn(engine, work, { code: reason.code, locale: localeOf(engine.configs, work) });
}

/** What /version tells of the evidence: whether it is sealed, and with which key. */
function factsOf({ LATCH_SIGNING_KEY: key }: OrchestratorSettings): Readonly<Record<string, string>> {
  return { evidence_seals: key ? `signed with key ${key.keyId}` : 'off: LATCH_SIGNING_KEY is not set' };
}
