import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { personalDataOf, readPlatformOrThrow } from '@latch/config';
import { type PlatformConfig, platformVersion } from '@latch/contracts';
import { type EventStore, openEventStore } from '@latch/event-store';
import { BatchServer, type Bus, openBus, Relay } from '@latch/messaging';
import {
  createLogger,
  createMetrics,
  healthOf,
  type Logger,
  nestLogger,
  type RunningService,
} from '@latch/observability';
import { type ToolExecutorSettings } from './config.ts';
import { makeExecutor } from './make-executor.ts';
import { toolExecutorModule } from './tool-executor.module.ts';

const service = 'tool-executor';

/** What the caller may bring: a bus that several services share in compact mode, a logger, and what to do when the service cannot go on. */
export type ToolExecutorParts = {
  readonly bus?: Bus;
  readonly logger?: Logger;
  readonly fatal?: (error: unknown) => void;
};

/**
 * Starts the executor: consumer, pool, lease sweep, relay and operations endpoints. Stopping it takes no more calls on, lets the running ones end, and
 * leaves the others to whoever takes their lease over.
 *
 * @throws Error with every configuration problem, or when database or bus do not answer.
 */
export async function startToolExecutor(
  settings: ToolExecutorSettings,
  parts: ToolExecutorParts = {},
): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service, level: settings.LATCH_LOG_LEVEL });
  const config = await readPlatformOrThrow(settings.LATCH_CONFIG_DIR);
  const store = await openEventStore({
    databaseUrl: settings.DATABASE_URL,
    producer: service,
    logger,
    poolSize: 8,
    role: 'latch_tool_executor',
    personalData: personalDataOf(settings),
  });
  const bus = parts.bus ?? (await openBus(settings, { service, logger }));
  const running = await startService({ settings, config, store, bus, logger, fatal: parts.fatal ?? failLoudly });
  return {
    url: running.url,
    stop: async () => {
      await running.stop();
      if (!parts.bus) await bus.close();
      await store.close();
    },
  };
}

function failLoudly(error: unknown): void {
  throw error;
}

type Service = {
  readonly settings: ToolExecutorSettings;
  readonly config: PlatformConfig;
  readonly store: EventStore;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly fatal: (error: unknown) => void;
};

async function startService(around: Service): Promise<RunningService> {
  const { settings, store, bus, logger } = around;
  const metrics = createMetrics({ service, version: platformVersion });
  const strategy = new BatchServer({ bus, service, logger, metrics, onCrash: around.fatal });
  const executor = makeExecutor({ ...around, metrics, version: platformVersion, flow: strategy });
  const health = healthOf({ bus, store });
  executor.reportHealth(health);
  const app = await NestFactory.create<NestExpressApplication>(
    toolExecutorModule((batch) => executor.receive(batch), { service, version: platformVersion, metrics, health }),
    { logger: nestLogger(logger) },
  );
  app.connectMicroservice({ strategy });
  const relay = new Relay({ outbox: store.outbox, bus, logger, metrics });
  relay.start();
  await app.startAllMicroservices();
  // Only now: what it takes over may fill the pool, and a consumer that does not run yet cannot be paused.
  executor.start();
  await app.listen(settings.LATCH_HTTP_PORT, settings.LATCH_HTTP_HOST);
  return {
    url: await app.getUrl(),
    stop: async () => {
      await strategy.close();
      await executor.stop();
      await relay.stop();
      await app.close();
    },
  };
}
