import { platformVersion } from '@latch/contracts';
import {
  createLogger,
  createMetrics,
  HealthState,
  type Logger,
  type Metrics,
  type Operations,
  type RunningService,
  startPulse,
} from '@latch/observability';
import { type Bus } from './bus.ts';
import { type BusSettings, openBus } from './open-bus.ts';

/** What the caller of a service may bring: a bus that several services share in compact mode, a logger, and what to do when the service cannot go on. */
export type ServiceParts = {
  /** Not closed by the service when it is brought. */
  readonly bus?: Bus;
  readonly logger?: Logger;
  /** Told when the service cannot go on, because its consumer died. @default the error is thrown, which ends the process */
  readonly fatal?: (error: unknown) => void;
};

/** What a service is started with: its name, its settings, and what its caller brings. */
export type ServiceStart = {
  readonly service: string;
  readonly settings: BusSettings & { readonly LATCH_LOG_LEVEL: Parameters<typeof createLogger>[0]['level'] };
  readonly parts: ServiceParts;
};

/** What a service is built on. */
export type ServiceGround = {
  readonly service: string;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fatal: (error: unknown) => void;
  /** For the endpoints of the service; the health in it knows the bus. */
  readonly operations: Operations & { readonly health: HealthState };
  /** Keeps something to let go of when the service ends or does not start: what was kept last goes first. */
  readonly keep: (letGo: () => Promise<unknown>) => void;
  /** Asks a part of the service now and then; `/ready` says no while it does not answer. */
  readonly watch: (part: string, ask: () => Promise<unknown>) => void;
};

/** A service that is built: its open port, and what is to be done between the last request that is let in and the closing of the port. */
export type BuiltService = {
  readonly server: { readonly url: string; refuseNew(): void; close(): Promise<void> };
  readonly drain?: () => Promise<void>;
};

/**
 * Starts a service on the bus. When `build` fails, everything that was opened is let go of before the error rises, so that nothing keeps the process alive. When the
 * service stops, it first refuses what comes and says so in `/ready`, then drains, closes its port, and lets go (invariant I19).
 *
 * @throws what `build` throws; RetryableError when the bus does not answer.
 */
export async function startService(
  { service, settings, parts }: ServiceStart,
  build: (ground: ServiceGround) => Promise<BuiltService>,
): Promise<RunningService> {
  const logger = parts.logger ?? createLogger({ service, level: settings.LATCH_LOG_LEVEL });
  const bus = parts.bus ?? (await openBus(settings, { service, logger }));
  const metrics = createMetrics({ service, version: platformVersion });
  const health = new HealthState();
  health.probe('bus', () => busReport(bus));
  const kept: (() => Promise<unknown>)[] = parts.bus ? [] : [() => bus.close()];
  const keep: ServiceGround['keep'] = (letGo) => kept.push(letGo);
  const watch: ServiceGround['watch'] = (part, ask) => {
    const pulse = startPulse({ ask });
    health.probe(part, () => pulse.report());
    keep(() => pulse.stop());
  };
  const operations = { service, version: platformVersion, metrics, health };
  const fatal = parts.fatal ?? failLoudly;
  try {
    const built = await build({ service, bus, logger, metrics, fatal, operations, keep, watch });
    return { url: built.server.url, stop: () => stop(built, kept) };
  } catch (error) {
    await letGoOf(kept).catch((failure: unknown) => logger.warn('service.not_let_go', { error: failure }));
    throw error;
  }
}

function busReport(bus: Bus): { readonly ok: true } | { readonly ok: false; readonly detail: string } {
  return bus.isHealthy() ? { ok: true } : { ok: false, detail: bus.trouble?.() ?? 'the bus does not answer' };
}

async function stop({ server, drain }: BuiltService, kept: (() => Promise<unknown>)[]): Promise<void> {
  try {
    server.refuseNew();
    await drain?.();
    await server.close();
  } finally {
    await letGoOf(kept);
  }
}

/** Each, whatever becomes of the others. @throws the first error. */
async function letGoOf(kept: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const letGo of kept.splice(0).reverse()) await letGo().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

function failLoudly(error: unknown): void {
  throw error;
}
