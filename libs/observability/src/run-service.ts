import { createLogger, type Logger } from './logger.ts';

/** A started service: where it listens, and how it ends. `stop` drains, resolves when all is done, and may be called once. */
export type RunningService = { readonly url: string; stop(): Promise<void> };

/** What `start` gets from the process that it runs in. */
export type ServiceProcess = {
  readonly logger: Logger;
  /** Ends the process with code 1, for what it cannot go on without, such as a crashed consumer: a supervisor replaces it. */
  fatal(error: unknown): void;
};

/** The parts of `process` that `runService` uses; a test passes its own. */
export type HostProcess = {
  on(event: string, listener: (value: unknown) => void): unknown;
  exit(code: number): void;
};

type Options = {
  readonly name: string;
  readonly start: (service: ServiceProcess) => Promise<RunningService>;
  readonly logger?: Logger;
  /** Time that `stop` may take; after it the process ends with code 1. @default 25_000, below the 30 s of Kubernetes and Docker's own limit setting */
  readonly drainTimeoutMs?: number;
  readonly host?: HostProcess;
};

/**
 * Runs a service as a process. SIGTERM or SIGINT stops it once, bounded in time, and ends with code 0; a second signal ends at once with code 1. A failed
 * start, an unhandled rejection, an uncaught exception or `fatal` is logged and ends with code 1: a dead consumer never lives on as a healthy-looking
 * process (invariant I18).
 *
 * @returns when the service has started (or has failed to, and the process is ending).
 */
export async function runService(options: Options): Promise<void> {
  const { name, start, host = process } = options;
  const logger = options.logger ?? createLogger({ service: name });
  const life = new Life({ logger, host, drainTimeoutMs: options.drainTimeoutMs ?? 25_000 });
  host.on('SIGTERM', () => life.stop('SIGTERM'));
  host.on('SIGINT', () => life.stop('SIGINT'));
  host.on('unhandledRejection', (error) => life.fail('process.unhandled_rejection', error));
  host.on('uncaughtException', (error) => life.fail('process.uncaught_exception', error));
  try {
    const service = await start({ logger, fatal: (error) => life.fail('service.fatal', error) });
    life.started(service);
    logger.info('service.started', { url: service.url });
  } catch (error) {
    life.fail('service.start_failed', error);
  }
}

type Surroundings = { readonly logger: Logger; readonly host: HostProcess; readonly drainTimeoutMs: number };

/** One process, from start to exit; it ends exactly once. */
class Life {
  private service: RunningService | undefined;
  private isStopping = false;
  private hasEnded = false;

  constructor(private readonly around: Surroundings) {}

  started(service: RunningService): void {
    this.service = service;
    if (this.isStopping) void this.drain(service);
  }

  fail(event: string, error: unknown): void {
    this.around.logger.fatal(event, { error });
    this.end(1);
  }

  /** A signal during the start waits for the start: what has half begun cannot be stopped cleanly. */
  stop(signal: string): void {
    if (this.isStopping) {
      this.around.logger.warn('service.killed', { signal });
      this.end(1);
      return;
    }
    this.isStopping = true;
    this.around.logger.info('service.stopping', { signal });
    setTimeout(
      () => this.fail('service.drain_timeout', new Error('The drain took too long')),
      this.around.drainTimeoutMs,
    ).unref();
    if (this.service) void this.drain(this.service);
  }

  private async drain(service: RunningService): Promise<void> {
    try {
      await service.stop();
      this.around.logger.info('service.stopped');
      this.end(0);
    } catch (error) {
      this.fail('service.stop_failed', error);
    }
  }

  private end(code: number): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.around.host.exit(code);
  }
}
