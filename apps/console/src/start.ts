import { authOf, personalDataOf } from '@latch/config';
import { openEventStore } from '@latch/event-store';
import { type Access, type Authenticate, openAuthentication, openHttpServer } from '@latch/http';
import { type ServiceGround, type ServiceParts, startService } from '@latch/messaging';
import { type RunningService } from '@latch/observability';
import { StoreReader, type StoreReads } from '@latch/read-api';
import { type ConsoleSettings } from './config.ts';
import { type Console } from './console.ts';
import { consoleModule } from './console.module.ts';
import { openLiveView } from './live-view.ts';
import { isOfPage, loadPage } from './page.ts';
import { SignalStreams } from './signal-streams.ts';
import { consumeSignals } from './signals.consumer.ts';

/** What the caller may bring beside the parts of every service. */
export type ConsoleParts = ServiceParts & {
  readonly openStore?: () => Promise<StoreReads>;
  /** How callers are known. @default as `LATCH_AUTH` says */
  readonly authenticate?: Authenticate;
};

/**
 * Starts the console: the reader of signals and dead letters, then the page and its read API.
 *
 * @throws when the bus does not answer, or the port is taken.
 */
export function startConsole(settings: ConsoleSettings, parts: ConsoleParts = {}): Promise<RunningService> {
  return startService({ service: 'console', settings, parts }, async (ground) => {
    const { bus, logger, metrics, operations, fatal, keep } = ground;
    const access = await openAccess(settings, parts, ground);
    const console = await assemble(settings, parts, ground);
    const signals = await consumeSignals({ bus, view: console.view, logger, metrics, onCrash: fatal });
    keep(() => signals.stop());
    const server = await openHttpServer({
      settings,
      logger,
      operations,
      module: (drainable) => consoleModule(console, drainable),
      access,
    });
    /** The streams are told to connect again, elsewhere. */
    const drain = (): Promise<void> => Promise.resolve(console.streams.close());
    return { server, drain };
  });
}

async function openAccess(
  settings: ConsoleSettings,
  { authenticate }: ConsoleParts,
  { logger, metrics, keep }: ServiceGround,
): Promise<Access> {
  // The console writes nothing anywhere: of a bad file it says so in its log, and ingress, which reads the same file, raises the alarm.
  const auth = { logger, keep, report: () => undefined };
  return {
    metrics,
    scopesFor: () => ['operate'],
    isOpen: isOfPage,
    authenticate: authenticate ?? (await openAuthentication(authOf(settings), auth)),
  };
}

async function assemble(
  settings: ConsoleSettings,
  { openStore }: ConsoleParts,
  { service, logger, operations, keep }: ServiceGround,
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
  keep(() => store.close());
  operations.health.probe('store', () => store.health());
  return {
    reads: { store, defaultTenantId: null },
    view,
    streams: new SignalStreams(view.signals, limits),
    page: await loadPage(),
  };
}
