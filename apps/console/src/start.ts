import { type DynamicModule } from '@nestjs/common';
import { platformVersion } from '@latch/contracts';
import { personalDataOf } from '@latch/config';
import { openEventStore } from '@latch/event-store';
import { type Authenticate, authenticator, type HttpServer, openHttpServer } from '@latch/http';
import { type Bus, openBus } from '@latch/messaging';
import {
  createLogger,
  createMetrics,
  HealthState,
  type Logger,
  type Operations,
  type RunningService,
} from '@latch/observability';
import { StoreReader, type StoreReads } from '@latch/read-api';
import { type ConsoleSettings } from './config.ts';
import { type Console } from './console.ts';
import { consoleModule } from './console.module.ts';
import { openLiveView } from './live-view.ts';
import { loadPage } from './page.ts';
import { SignalStreams } from './signal-streams.ts';
import { consumeSignals } from './signals.consumer.ts';

const service = 'console';

/** What the caller may bring: a bus that several services share in compact mode, a test's store, and what to do when the service cannot go on. */
export type ConsoleParts = {
  /** Not closed by the console when it is brought. */
  readonly bus?: Bus;
  readonly logger?: Logger;
  readonly openStore?: () => Promise<StoreReads>;
  /** How callers are known. @default as `LATCH_AUTH` says */
  readonly authenticate?: Authenticate;
  /** Told when the consumer died. @default the death is logged */
  readonly fatal?: (error: unknown) => void;
};

/**
 * Starts the console: the reader of signals and dead letters, then the page and its read API.
 *
 * @throws when the bus does not answer, or the port is taken.
 */
export async function startConsole(settings: ConsoleSettings, parts: ConsoleParts = {}): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service, level: settings.LATCH_LOG_LEVEL });
  const bus = parts.bus ?? (await openBus(settings, { service, logger }));
  const console = await assemble(settings, { ...parts, logger });
  const open = [() => console.reads.store.close(), ...(parts.bus ? [] : [() => bus.close()])];
  const letGo = async (): Promise<void> => {
    for (const close of open.splice(0).reverse()) await close();
  };
  try {
    const metrics = createMetrics({ service, version: platformVersion });
    const onCrash = parts.fatal ?? ((error) => logger.fatal('signals.consumer_died', { error }));
    const signals = await consumeSignals({ bus, view: console.view, logger, metrics, onCrash });
    open.push(() => signals.stop());
    const operations = { service, version: platformVersion, metrics, health: healthOf(bus, console) };
    const module = (drainable: Operations): DynamicModule => consoleModule(console, drainable);
    const server = await openHttpServer({ settings, operations, logger, module });
    return { url: server.url, stop: () => drain(server, console, letGo) };
  } catch (error) {
    await letGo();
    throw error;
  }
}

async function assemble(
  settings: ConsoleSettings,
  { logger, openStore, authenticate }: ConsoleParts & { readonly logger: Logger },
): Promise<Console> {
  const open = (): Promise<StoreReads> =>
    openEventStore({
      databaseUrl: settings.DATABASE_URL,
      producer: service,
      logger,
      role: 'latch_console',
      personalData: personalDataOf(settings),
    });
  const view = openLiveView(settings);
  const limits = { most: settings.LATCH_MAX_STREAMS, heartbeatMs: settings.LATCH_HEARTBEAT_MS };
  const store = new StoreReader(openStore ?? open, logger);
  return {
    reads: { store, authenticate: authenticate ?? authenticator(settings.LATCH_AUTH), defaultTenantId: null },
    view,
    streams: new SignalStreams(view.signals, limits),
    page: await loadPage(),
  };
}

/** Refuses what comes, tells the streams to connect again, lets what runs finish, then lets go (invariant I19). */
async function drain(server: HttpServer, { streams }: Console, letGo: () => Promise<void>): Promise<void> {
  server.refuseNew();
  streams.close();
  await server.close();
  await letGo();
}

function healthOf(bus: Bus, { reads }: Console): HealthState {
  const health = new HealthState();
  health.probe('bus', () => (bus.isHealthy() ? { ok: true } : { ok: false, detail: 'the bus does not answer' }));
  health.probe('store', () => ({ ok: true, detail: reads.store.detail() }));
  return health;
}
