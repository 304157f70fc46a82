import { childEnvironment, commonSettings, readEnvironment } from '@latch/config';
import { startConsole } from '@latch/console';
import { consoleSettings } from '@latch/console/config';
import { startEvaluator } from '@latch/evaluator';
import { evaluatorSettings } from '@latch/evaluator/config';
import { startIngress } from '@latch/ingress';
import { ingressSettings } from '@latch/ingress/config';
import { type Bus, openBus } from '@latch/messaging';
import { type RunningService, type ServiceProcess } from '@latch/observability';
import { startOrchestrator } from '@latch/orchestrator';
import { orchestratorSettings } from '@latch/orchestrator/config';
import { startResultNormalizer } from '@latch/result-normalizer';
import { resultNormalizerSettings } from '@latch/result-normalizer/config';
import { startToolExecutor } from '@latch/tool-executor';
import { toolExecutorSettings } from '@latch/tool-executor/config';
import { type z } from 'zod';
import { cliSettings } from '../config.ts';
import { type Ports, portsFrom } from '../system/ports.ts';
import { type ServiceName } from '../system/services.ts';
import { ownPortsIn } from '../system/system-options.ts';

type Parts = { readonly bus: Bus; readonly fatal: (error: unknown) => void };
type Platform = Parts & { readonly ports: Ports };
type StartService = (platform: Platform) => Promise<RunningService>;

/** In the order in which they start: whoever answers comes before whoever asks. They stop the other way round. */
const services: readonly StartService[] = [
  service('result-normalizer', resultNormalizerSettings, startResultNormalizer),
  service('tool-executor', toolExecutorSettings, startToolExecutor),
  service('orchestrator', orchestratorSettings, startOrchestrator),
  service('evaluator', evaluatorSettings, startEvaluator),
  service('console', consoleSettings, startConsole),
  service('ingress', ingressSettings, startIngress),
];

/**
 * Starts the services of the platform in this process over one bus: the same code and the same topics as in a process each (compact mode).
 *
 * @throws Error when a setting is wrong or a service does not start; those that had started are stopped.
 */
export async function startPlatform({ logger, fatal }: ServiceProcess): Promise<RunningService> {
  const bus = await openBus(settingsOf(commonSettings), { service: 'platform', logger });
  const cli = settingsOf(cliSettings);
  const platform = { bus, fatal, ports: portsFrom(cli.LATCH_PORT_BASE, ownPortsIn(cli)) };
  const running: RunningService[] = [];
  const stop = async (): Promise<void> => {
    for (const started of running.splice(0).reverse()) await started.stop();
    await bus.close();
  };
  try {
    for (const start of services) running.push(await start(platform));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: running.at(-1)?.url ?? '', stop };
}

function service<S extends z.ZodObject>(
  name: ServiceName,
  schema: S,
  start: (settings: Readonly<z.infer<S>>, parts: Parts) => Promise<RunningService>,
): StartService {
  return ({ bus, fatal, ports }) => {
    const settings = settingsOf(schema, { LATCH_HTTP_PORT: String(ports[name]) });
    return start(settings, { bus, fatal });
  };
}

function settingsOf<S extends z.ZodObject>(
  schema: S,
  more: Readonly<Record<string, string>> = {},
): Readonly<z.infer<S>> {
  const settings = readEnvironment(schema, childEnvironment(more));
  if (!settings.ok) throw new Error(settings.error);
  return settings.value;
}
