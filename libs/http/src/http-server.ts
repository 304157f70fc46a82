import 'reflect-metadata';
import { type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type HealthReport, type Logger, nestLogger, type Operations } from '@latch/observability';
import { NestFactory } from '@nestjs/core';
import { type CustomTransportStrategy } from '@nestjs/microservices';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DynamicModule } from '@nestjs/common';
import { type Access, accessGate } from './access-gate.ts';
import { DrainGate } from './drain-gate.ts';
import { ProblemFilter } from './problem.filter.ts';
import { stampAnswer } from './stamp-answer.ts';

/** An open port, and the two steps in which it closes. */
export type HttpServer = {
  readonly url: string;
  /** From now on API requests are refused with `service.draining`, and readiness says no. */
  refuseNew(): void;
  /** Ends what is consumed, then takes no more connections and waits, bounded, for the requests that run. `/ready` and `/metrics` answer until then. */
  close(): Promise<void>;
};

/** Requests that still run this long after the port closed are cut off. */
const cutOffAfterMs = 10_000;

/** What a service's HTTP API is made of. */
export type HttpServerOptions = {
  readonly settings: { readonly LATCH_HTTP_HOST: string; readonly LATCH_HTTP_PORT: number };
  readonly operations: Operations;
  readonly logger: Logger;
  /** The service's module over its operations, whose readiness knows of the drain. */
  readonly module: (operations: Operations) => DynamicModule;
  /** What the handlers of the module consume with, where it has any; it runs before the port is open. */
  readonly strategy?: CustomTransportStrategy;
  /** Who may use what the module serves. @default nobody is asked, and a handler that wants to know who calls fails */
  readonly access?: Access;
};

/**
 * Opens the HTTP API of a service: every answer is stamped with the ids that lead to its log lines, what nobody expected becomes a problem document, and a
 * caller who sends slowly is cut off.
 *
 * @throws when a consumer does not start, or the port is taken: nothing runs then.
 */
export async function openHttpServer({
  settings,
  operations,
  logger,
  module,
  strategy,
  access,
}: HttpServerOptions): Promise<HttpServer> {
  const gate = new DrainGate();
  const readiness = { report: (): HealthReport => withDraining(operations.health.report(), gate) };
  const app = await NestFactory.create<NestExpressApplication>(module({ ...operations, health: readiness }), {
    bodyParser: false,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(stampAnswer, gate.handle, ...(access ? [accessGate(access, logger)] : []));
  app.useGlobalFilters(new ProblemFilter(logger));
  const server: Server = app.getHttpServer();
  limitTimes(server);
  if (strategy) app.connectMicroservice({ strategy });
  try {
    await app.startAllMicroservices();
    await app.listen(settings.LATCH_HTTP_PORT, settings.LATCH_HTTP_HOST);
  } catch (error) {
    await strategy?.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    await strategy?.close();
    await closePort(app, server, gate);
  };
  return { url: await app.getUrl(), refuseNew: () => gate.close(), close };
}

/** A caller who sends slowly, or nothing, holds its connection for a bounded time only. */
function limitTimes(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000; // longer than the 60 s of common load balancers, so that they close first
}

function withDraining(report: HealthReport, gate: DrainGate): HealthReport {
  if (!gate.isClosed) return report;
  return { status: 'not_ready', components: { ...report.components, service: { ok: false, detail: 'draining' } } };
}

/** A connection on which nothing was asked would hold the port open for its whole time-out, so that all are cut when no request runs any more. */
async function closePort(app: NestExpressApplication, server: Server, gate: DrainGate): Promise<void> {
  const closed = app.close();
  const timer = new AbortController();
  await Promise.race([gate.whenIdle(), pause(cutOffAfterMs, undefined, { signal: timer.signal })]);
  timer.abort();
  server.closeAllConnections();
  await closed;
}
