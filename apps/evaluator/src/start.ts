import { authOf, personalDataOf } from '@latch/config';
import { openEventStore } from '@latch/event-store';
import { type Access, type Authenticate, openAuthentication, openHttpServer } from '@latch/http';
import { BatchServer, reportConfig, type ServiceGround, type ServiceParts, startService } from '@latch/messaging';
import { type RunningService } from '@latch/observability';
import { type EvaluatorSettings } from './config.ts';
import { openEvaluationStore } from './evaluation-store.ts';
import { evaluatorModule } from './evaluator.module.ts';
import { type Judging } from './judge-turns.ts';
import { startSweep } from './sweep.ts';

/** What the caller may bring beside the parts of every service. */
export type EvaluatorParts = ServiceParts & {
  /** How callers are known. @default as `LATCH_AUTH` says */
  readonly authenticate?: Authenticate;
};

/**
 * Starts the evaluator: its tables, consumer, sweeper and HTTP API.
 *
 * @throws when the database or the bus does not answer, or the port is taken.
 */
export function startEvaluator(settings: EvaluatorSettings, parts: EvaluatorParts = {}): Promise<RunningService> {
  return startService({ service: 'evaluator', settings, parts }, async (ground) => {
    const { service, bus, logger, metrics, operations, fatal } = ground;
    const access = await openAccess(settings, parts, ground);
    const judging = await openJudging(settings, ground);
    const server = await openHttpServer({
      settings,
      logger,
      operations,
      module: (drainable) => evaluatorModule(judging, { store: judging.store }, drainable),
      access,
      strategy: new BatchServer({ bus, service, logger, metrics, onCrash: fatal }),
    });
    return { server, drain: startSweep(judging, settings) };
  });
}

async function openAccess(
  settings: EvaluatorSettings,
  { authenticate }: EvaluatorParts,
  ground: ServiceGround,
): Promise<Access> {
  const { logger, metrics, keep } = ground;
  const auth = { logger, keep, report: reportConfig(ground) };
  return {
    metrics,
    scopesFor: () => ['evaluate'],
    authenticate: authenticate ?? (await openAuthentication(authOf(settings), auth)),
  };
}

async function openJudging(settings: EvaluatorSettings, ground: ServiceGround): Promise<Judging> {
  const { service, bus, logger, keep, watch } = ground;
  const databaseUrl = settings.DATABASE_URL;
  const personalData = personalDataOf(settings);
  const approvals = await openEventStore({
    databaseUrl,
    producer: service,
    logger,
    poolSize: 2,
    role: 'latch_evaluator',
    personalData,
  });
  keep(() => approvals.close());
  const store = await openEvaluationStore(databaseUrl, logger, personalData);
  keep(() => store.close());
  watch('store', () => Promise.all([store.now(), approvals.now()]));
  return { store, approvals, bus, logger };
}
