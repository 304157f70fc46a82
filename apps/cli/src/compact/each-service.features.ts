import path from 'node:path';
import { startConsole } from '@latch/console';
import { consoleSettings } from '@latch/console/config';
import { startEvaluator } from '@latch/evaluator';
import { evaluatorSettings } from '@latch/evaluator/config';
import { startIngress } from '@latch/ingress';
import { ingressSettings } from '@latch/ingress/config';
import { type Logger, type RunningService } from '@latch/observability';
import { startOrchestrator } from '@latch/orchestrator';
import { orchestratorSettings } from '@latch/orchestrator/config';
import { startResultNormalizer } from '@latch/result-normalizer';
import { resultNormalizerSettings } from '@latch/result-normalizer/config';
import { testDataKey } from '@latch/testing';
import { startToolExecutor } from '@latch/tool-executor';
import { toolExecutorSettings } from '@latch/tool-executor/config';
import { type z } from 'zod';

/** Starts one service on a port, over a bus and a database of its own. */
export type StartAlone = (on: {
  readonly port: number;
  readonly databaseUrl: string;
  readonly logger: Logger;
}) => Promise<RunningService>;

/** Each service of the platform, started alone, with its own bus in memory. */
export const eachService: Readonly<Record<string, StartAlone>> = {
  ingress: alone(ingressSettings, startIngress),
  orchestrator: alone(orchestratorSettings, startOrchestrator),
  'tool-executor': alone(toolExecutorSettings, startToolExecutor),
  'result-normalizer': alone(resultNormalizerSettings, startResultNormalizer),
  evaluator: alone(evaluatorSettings, startEvaluator),
  console: alone(consoleSettings, startConsole),
};

/** The settings under which each of them starts, as an environment. */
export function settingsOn(port: number, databaseUrl: string): Readonly<Record<string, string>> {
  return {
    LATCH_BUS: 'memory',
    LATCH_HTTP_PORT: String(port),
    LATCH_LOG_LEVEL: 'info',
    DATABASE_URL: databaseUrl,
    LATCH_DATA_KEY: testDataKey,
    LATCH_CONFIG_DIR: path.join(import.meta.dirname, '../../../../deploy/config'),
  };
}

function alone<S extends z.ZodObject>(
  schema: S,
  start: (settings: z.output<S>, parts: { readonly logger: Logger }) => Promise<RunningService>,
): StartAlone {
  return ({ port, databaseUrl, logger }) => start(schema.parse(settingsOn(port, databaseUrl)), { logger });
}
