import { platformVersion } from '@latch/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { personalDataOf, readPlatformOrThrow } from '@latch/config';
import { openEventStore } from '@latch/event-store';
import { type Bus, openBus } from '@latch/messaging';
import {
  createLogger,
  createMetrics,
  HealthState,
  type Logger,
  type Operations,
  type RunningService,
} from '@latch/observability';
import { type Authenticate, authenticator, type HttpServer, openHttpServer } from '@latch/http';
import { StoreReader, type StoreReads } from '@latch/read-api';
import { type IngressSettings } from './config.ts';
import { type Ingress } from './ingress.ts';
import { ingressModule } from './ingress.module.ts';
import { ReplyHub } from './reply-hub.ts';
import { consumeResponses } from './responses.consumer.ts';

/** Parts that a caller brings instead of letting ingress make them: one bus for a whole process, a test's store. */
export type IngressParts = {
  /** Not closed by ingress when it is brought. */
  readonly bus?: Bus;
  readonly logger?: Logger;
  readonly config?: Ingress['config'];
  readonly openStore?: () => Promise<StoreReads>;
  /** How callers are known. @default as `LATCH_AUTH` says */
  readonly authenticate?: Authenticate;
  /** Told when ingress cannot go on, because its consumer died. @default the death is logged */
  readonly fatal?: (error: unknown) => void;
};

/**
 * Starts ingress: configuration, bus, the replies' consumer, then the port. When it resolves, a turn can be sent and its reply will be heard.
 *
 * @throws when the configuration is wrong, the bus does not answer, or the port is taken.
 */
export async function startIngress(settings: IngressSettings, parts: IngressParts = {}): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service: 'ingress', level: settings.LATCH_LOG_LEVEL });
  const config = parts.config ?? (await readPlatformOrThrow(settings.LATCH_CONFIG_DIR));
  const bus = parts.bus ?? (await openBus(settings, { service: 'ingress', logger }));
  const { ingress, operations } = assemble(settings, { ...parts, logger, config, bus });
  const open = [() => ingress.store.close(), ...(parts.bus ? [] : [() => bus.close()])];
  const letGo = async (): Promise<void> => {
    for (const close of open.splice(0).reverse()) await close();
  };
  try {
    const onCrash = parts.fatal ?? ((error) => logger.fatal('responses.consumer_died', { error }));
    const replies = await consumeResponses({ bus, hub: ingress.hub, logger, onCrash });
    open.push(() => replies.stop());
    const server = await openHttpServer({
      settings,
      operations,
      logger,
      module: (drainable) => ingressModule(ingress, drainable),
    });
    return { url: server.url, stop: () => drain(server, { settings, ingress, letGo }) };
  } catch (error) {
    await letGo();
    throw error;
  }
}

type Draining = {
  readonly settings: IngressSettings;
  readonly ingress: Ingress;
  readonly letGo: () => Promise<void>;
};

/** Refuses what comes, tells those who wait where to ask, lets what runs finish, then lets go (invariant I19). */
async function drain(server: HttpServer, { settings, ingress, letGo }: Draining): Promise<void> {
  server.refuseNew();
  ingress.hub.drain();
  await pause(settings.LATCH_DRAIN_DELAY_MS);
  await server.close();
  await letGo();
}

type Assembly = IngressParts & { readonly bus: Bus; readonly logger: Logger; readonly config: Ingress['config'] };

function assemble(settings: IngressSettings, parts: Assembly): { ingress: Ingress; operations: Operations } {
  const { bus, logger, config } = parts;
  const openStore = (): Promise<StoreReads> =>
    openEventStore({
      databaseUrl: settings.DATABASE_URL,
      producer: 'ingress',
      logger,
      role: 'latch_ingress',
      personalData: personalDataOf(settings),
    });
  const store = new StoreReader(parts.openStore ?? openStore, logger);
  const metrics = createMetrics({ service: 'ingress', version: platformVersion });
  const ingress = {
    config,
    bus,
    hub: new ReplyHub({ maxWaiters: settings.LATCH_MAX_WAITING }),
    store,
    authenticate: parts.authenticate ?? authenticator(settings.LATCH_AUTH),
    logger,
    metrics,
    publishTimeoutMs: settings.LATCH_PUBLISH_TIMEOUT_MS,
  };
  const health = new HealthState();
  health.probe('bus', () => ({ ok: bus.isHealthy() }));
  health.probe('store', () => ({ ok: true, detail: store.detail() }));
  return { ingress, operations: { service: 'ingress', version: platformVersion, metrics, health } };
}
