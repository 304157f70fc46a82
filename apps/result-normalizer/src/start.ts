import { platformVersion, type ToolResult } from '@latch/contracts';
import { openHttpServer } from '@latch/http';
import { BatchServer, type Bus, openBus } from '@latch/messaging';
import {
  createLogger,
  createMetrics,
  healthOf,
  type Logger,
  type Metrics,
  type RunningService,
} from '@latch/observability';
import { type ResultNormalizerSettings } from './config.ts';
import { resultNormalizerModule } from './result-normalizer.module.ts';

const service = 'result-normalizer';

/** What the caller may bring: a bus that several services share in compact mode, a logger, and what to do when the service cannot go on. */
export type ResultNormalizerParts = {
  readonly bus?: Bus;
  readonly logger?: Logger;
  readonly fatal?: (error: unknown) => void;
};

/**
 * Starts the normalizer: one consumer and the operations endpoints.
 *
 * @throws RetryableError when the bus does not answer, Error when the port is taken.
 */
export async function startResultNormalizer(
  settings: ResultNormalizerSettings,
  parts: ResultNormalizerParts = {},
): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service, level: settings.LATCH_LOG_LEVEL });
  const bus = parts.bus ?? (await openBus(settings, { service, logger }));
  const metrics = createMetrics({ service, version: platformVersion });
  const normalizer = { bus, onResult: (result: ToolResult) => countItems(metrics, result) };
  const letGo = async (): Promise<void> => {
    if (!parts.bus) await bus.close();
  };
  try {
    const server = await openHttpServer({
      settings,
      logger,
      operations: { service, version: platformVersion, metrics, health: healthOf({ bus }) },
      module: (operations) => resultNormalizerModule(normalizer, operations),
      strategy: new BatchServer({ bus, service, logger, metrics, onCrash: parts.fatal ?? failLoudly }),
    });
    const stop = async (): Promise<void> => {
      server.refuseNew();
      await server.close();
      await letGo();
    };
    return { url: server.url, stop };
  } catch (error) {
    await letGo();
    throw error;
  }
}

function countItems({ items }: Pick<Metrics, 'items'>, result: ToolResult): void {
  for (const { outcome } of result.items ?? []) items.inc({ tool: result.tool_name, result: outcome });
}

function failLoudly(error: unknown): void {
  throw error;
}
