import { platformVersion } from '@latch/contracts';
import { personalDataOf } from '@latch/config';
import { openEventStore } from '@latch/event-store';
import { type Authenticate, authenticator, openHttpServer } from '@latch/http';
import { BatchServer, type Bus, openBus } from '@latch/messaging';
import { createLogger, createMetrics, healthOf, type Logger, type RunningService } from '@latch/observability';
import { type EvaluatorSettings } from './config.ts';
import { openEvaluationStore } from './evaluation-store.ts';
import { evaluatorModule } from './evaluator.module.ts';
import { type Judging } from './judge-turns.ts';
import { startSweep } from './sweep.ts';

const service = 'evaluator';

/** What the caller may bring: a bus that several services share in compact mode, a logger, and what to do when the service cannot go on. */
export type EvaluatorParts = {
  /** Not closed by the evaluator when it is brought. */
  readonly bus?: Bus;
  readonly logger?: Logger;
  /** How callers are known. @default as `LATCH_AUTH` says */
  readonly authenticate?: Authenticate;
  /** Told when the consumer died. @default the death is logged */
  readonly fatal?: (error: unknown) => void;
};

/**
 * Starts the evaluator: its tables, consumer, sweeper and HTTP API.
 *
 * @throws when the database or the bus does not answer, or the port is taken.
 */
export async function startEvaluator(settings: EvaluatorSettings, parts: EvaluatorParts = {}): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service, level: settings.LATCH_LOG_LEVEL });
  const databaseUrl = settings.DATABASE_URL;
  const approvals = await openEventStore({
    databaseUrl,
    producer: service,
    logger,
    poolSize: 2,
    role: 'latch_evaluator',
    personalData: personalDataOf(settings),
  });
  const store = await openEvaluationStore(databaseUrl, logger, personalDataOf(settings));
  const bus = parts.bus ?? (await openBus(settings, { service, logger }));
  const letGo = async (): Promise<void> => {
    if (!parts.bus) await bus.close();
    await Promise.all([store.close(), approvals.close()]);
  };
  const fatal = parts.fatal ?? ((error) => logger.fatal('answers.consumer_died', { error }));
  try {
    const authenticate = parts.authenticate ?? authenticator(settings.LATCH_AUTH);
    const running = await listen({ store, approvals, bus, logger }, { settings, bus, fatal, authenticate });
    return {
      url: running.url,
      stop: async () => {
        await running.stop();
        await letGo();
      },
    };
  } catch (error) {
    await letGo();
    throw error;
  }
}

type Surroundings = {
  readonly settings: EvaluatorSettings;
  readonly bus: Bus;
  readonly fatal: (error: unknown) => void;
  readonly authenticate: Authenticate;
};

async function listen(judging: Judging, { settings, bus, fatal, authenticate }: Surroundings): Promise<RunningService> {
  const { logger } = judging;
  const metrics = createMetrics({ service, version: platformVersion });
  const api = { store: judging.store, authenticate };
  const server = await openHttpServer({
    settings,
    logger,
    operations: { service, version: platformVersion, metrics, health: healthOf({ bus, store: judging.store }) },
    module: (operations) => evaluatorModule(judging, api, operations),
    strategy: new BatchServer({ bus, service, logger, metrics, onCrash: fatal }),
  });
  const stopSweep = startSweep(judging, settings);
  return {
    url: server.url,
    stop: async () => {
      server.refuseNew();
      await stopSweep();
      await server.close();
    },
  };
}
