import { setTimeout as pause } from 'node:timers/promises';
import { authOf, personalDataOf, readPlatformOrThrow } from '@latch/config';
import { openEventStore } from '@latch/event-store';
import { type Access, type Authenticate, openAuthentication, openHttpServer } from '@latch/http';
import { reportConfig, type ServiceGround, type ServiceParts, startService } from '@latch/messaging';
import { type RunningService } from '@latch/observability';
import { StoreReader, type StoreReads } from '@latch/read-api';
import { type IngressSettings } from './config.ts';
import { type Ingress } from './ingress.ts';
import { ingressModule } from './ingress.module.ts';
import { ReplyHub } from './reply-hub.ts';
import { consumeResponses } from './responses.consumer.ts';

/** What the caller may bring beside the parts of every service. */
export type IngressParts = ServiceParts & {
  readonly config?: Ingress['config'];
  readonly openStore?: () => Promise<StoreReads>;
  /** How callers are known. @default as `LATCH_AUTH` says */
  readonly authenticate?: Authenticate;
};

/**
 * Starts ingress: configuration, bus, the replies' consumer, then the port. When it resolves, a turn can be sent and its reply will be heard.
 *
 * @throws when the configuration is wrong, the bus does not answer, or the port is taken.
 */
export async function startIngress(settings: IngressSettings, parts: IngressParts = {}): Promise<RunningService> {
  const config = parts.config ?? (await readPlatformOrThrow(settings.LATCH_CONFIG_DIR));
  return startService({ service: 'ingress', settings, parts }, async (ground) => {
    const { bus, logger, operations, fatal, keep } = ground;
    const access = await openAccess(settings, { ...parts, config }, ground);
    const ingress = assemble(settings, { ...parts, config }, ground);
    const { hub } = ingress;
    const replies = await consumeResponses({ bus, hub, logger, onCrash: fatal });
    keep(() => replies.stop());
    const server = await openHttpServer({
      settings,
      logger,
      operations,
      module: (drainable) => ingressModule(ingress, drainable),
      access,
    });
    /** Those who wait are told where to ask, and load balancers have time to notice. */
    const drain = (): Promise<void> => {
      hub.drain();
      return pause(settings.LATCH_DRAIN_DELAY_MS);
    };
    return { server, drain };
  });
}

/** Who speaks needs another scope than who reads; what became of a turn may also be asked by whoever spoke. */
const scopesFor: Access['scopesFor'] = ({ method, path }) => {
  if (method === 'POST') return ['speak', 'speak-for-others'];
  return /^\/v1\/turns\//.test(path) ? ['read', 'speak', 'speak-for-others'] : ['read'];
};

async function openAccess(settings: IngressSettings, parts: Assembly, ground: ServiceGround): Promise<Access> {
  const { logger, metrics, keep } = ground;
  const auth = { logger, keep, report: reportConfig(ground) };
  return { metrics, scopesFor, authenticate: parts.authenticate ?? (await openAuthentication(authOf(settings), auth)) };
}

type Assembly = IngressParts & { readonly config: Ingress['config'] };

function assemble(settings: IngressSettings, parts: Assembly, ground: ServiceGround): Ingress {
  const { service, bus, logger, metrics, operations, keep } = ground;
  const openStore = (): Promise<StoreReads> =>
    openEventStore({
      databaseUrl: settings.DATABASE_URL,
      producer: service,
      logger,
      role: 'latch_ingress',
      personalData: personalDataOf(settings),
    });
  const store = new StoreReader(parts.openStore ?? openStore, logger);
  keep(() => store.close());
  operations.health.probe('store', () => store.health());
  return {
    config: parts.config,
    bus,
    hub: new ReplyHub({ maxWaiters: settings.LATCH_MAX_WAITING }),
    store,
    logger,
    metrics,
    publishTimeoutMs: settings.LATCH_PUBLISH_TIMEOUT_MS,
  };
}
