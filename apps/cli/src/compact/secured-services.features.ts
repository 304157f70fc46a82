import path from 'node:path';
import { type Environment } from '@latch/config';
import { startConsole } from '@latch/console';
import { consoleSettings } from '@latch/console/config';
import { startEvaluator } from '@latch/evaluator';
import { evaluatorSettings } from '@latch/evaluator/config';
import { startIngress } from '@latch/ingress';
import { ingressSettings } from '@latch/ingress/config';
import { startMcpRetail } from '@latch/mcp-retail';
import { domainServerSettings } from '@latch/mcp-server';
import { type Logger, type RunningService } from '@latch/observability';
import { startOrchestrator } from '@latch/orchestrator';
import { orchestratorSettings } from '@latch/orchestrator/config';
import { startResultNormalizer } from '@latch/result-normalizer';
import { resultNormalizerSettings } from '@latch/result-normalizer/config';
import { startToolExecutor } from '@latch/tool-executor';
import { toolExecutorSettings } from '@latch/tool-executor/config';
import { type z } from 'zod';
import { type SecuredKafka } from './secured-kafka.features.ts';

/** What the services share beside Kafka. */
export type Surroundings = {
  readonly kafka: SecuredKafka;
  readonly environment: Environment;
  readonly logger: Logger;
  readonly onFatal: (error: unknown) => void;
};

type Start = (around: Surroundings) => Promise<RunningService>;

/** Each service, started under a principal of its own with what `kafkaRights` names, and nothing else. */
export const securedServices = {
  'result-normalizer': service('result-normalizer', resultNormalizerSettings, startResultNormalizer),
  'tool-executor': service('tool-executor', toolExecutorSettings, startToolExecutor),
  orchestrator: service('orchestrator', orchestratorSettings, startOrchestrator),
  evaluator: service('evaluator', evaluatorSettings, startEvaluator),
  console: service('console', consoleSettings, startConsole),
  ingress: service('ingress', ingressSettings, startIngress),
} as const satisfies Record<string, Start>;

function service<S extends z.ZodObject>(
  name: string,
  schema: S,
  start: (
    settings: z.output<S>,
    parts: { readonly logger: Logger; readonly fatal: (error: unknown) => void },
  ) => Promise<RunningService>,
): Start {
  return ({ kafka, environment, logger, onFatal }) => {
    const own = { ...environment, LATCH_HTTP_PORT: '0', ...kafka.environmentOf(name) };
    return start(schema.parse(own), { logger: logger.child({ service: name }), fatal: onFatal });
  };
}

/** The domain server behind the tools of the orders. */
export function startOrders(logger: Logger): Promise<RunningService> {
  return startMcpRetail(domainServerSettings(0).parse({}), { logger });
}

/** The configuration of the checkout. */
export const configFolder = path.join(import.meta.dirname, '../../../../deploy/config');
