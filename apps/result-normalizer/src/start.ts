import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { platformVersion, type ToolResult } from '@latch/contracts';
import { BatchServer, type Bus, openBus } from '@latch/messaging';
import {
  createLogger,
  createMetrics,
  healthOf,
  type Logger,
  type Metrics,
  nestLogger,
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
 * @throws RetryableError when the bus does not answer.
 */
export async function startResultNormalizer(
  settings: ResultNormalizerSettings,
  parts: ResultNormalizerParts = {},
): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service, level: settings.LATCH_LOG_LEVEL });
  const bus = parts.bus ?? (await openBus(settings, { service, logger }));
  const metrics = createMetrics({ service, version: platformVersion });
  const health = healthOf({ bus });
  const normalizer = { bus, onResult: (result: ToolResult) => countItems(metrics, result) };
  const app = await NestFactory.create<NestExpressApplication>(
    resultNormalizerModule(normalizer, { service, version: platformVersion, metrics, health }),
    { logger: nestLogger(logger) },
  );
  app.connectMicroservice({
    strategy: new BatchServer({ bus, service, logger, metrics, onCrash: parts.fatal ?? failLoudly }),
  });
  await app.startAllMicroservices();
  await app.listen(settings.LATCH_HTTP_PORT, settings.LATCH_HTTP_HOST);
  return {
    url: await app.getUrl(),
    stop: async () => {
      await app.close();
      if (!parts.bus) await bus.close();
    },
  };
}

function countItems({ items }: Pick<Metrics, 'items'>, result: ToolResult): void {
  for (const { outcome } of result.items ?? []) items.inc({ tool: result.tool_name, result: outcome });
}

function failLoudly(error: unknown): void {
  throw error;
}
