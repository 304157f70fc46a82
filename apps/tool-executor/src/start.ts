import { personalDataOf, readPlatformOrThrow } from '@latch/config';
import { type EventStore, openEventStore } from '@latch/event-store';
import { openHttpServer } from '@latch/http';
import { BatchServer, Relay, type ServiceGround, type ServiceParts, startService } from '@latch/messaging';
import { type RunningService } from '@latch/observability';
import { type ToolExecutorSettings } from './config.ts';
import { makeExecutor } from './make-executor.ts';
import { toolExecutorModule } from './tool-executor.module.ts';

/**
 * Starts the executor: consumer, pool, lease sweep, relay and operations endpoints. Stopping it takes no more calls on, lets the running ones end, and
 * leaves the others to whoever takes their lease over.
 *
 * @throws Error with every configuration problem, or when database or bus do not answer, or the port is taken.
 */
export async function startToolExecutor(
  settings: ToolExecutorSettings,
  parts: ServiceParts = {},
): Promise<RunningService> {
  const config = await readPlatformOrThrow(settings.LATCH_CONFIG_DIR);
  return startService({ service: 'tool-executor', settings, parts }, async (ground) => {
    const { service, bus, logger, metrics, operations, fatal, keep } = ground;
    const store = await openStore(settings, ground);
    const relay = new Relay({ outbox: store.outbox, bus, logger, metrics });
    keep(() => relay.stop());
    const strategy = new BatchServer({ bus, service, logger, metrics, onCrash: fatal });
    const { version } = operations;
    const executor = makeExecutor({ settings, config, store, bus, logger, metrics, version, flow: strategy });
    executor.reportHealth(operations.health);
    const server = await openHttpServer({
      settings,
      logger,
      operations,
      module: (drainable) => toolExecutorModule((batch) => executor.receive(batch), drainable),
      strategy,
    });
    relay.start();
    // Only now: what it takes over may fill the pool, and a consumer that does not run yet cannot be paused.
    executor.start();
    const drain = async (): Promise<void> => {
      await strategy.close();
      await executor.stop();
    };
    return { server, drain };
  });
}

async function openStore(
  settings: ToolExecutorSettings,
  { service, logger, keep, watch }: ServiceGround,
): Promise<EventStore> {
  const store = await openEventStore({
    databaseUrl: settings.DATABASE_URL,
    producer: service,
    logger,
    poolSize: 8,
    role: 'latch_tool_executor',
    personalData: personalDataOf(settings),
  });
  keep(() => store.close());
  watch('store', () => store.now());
  return store;
}
