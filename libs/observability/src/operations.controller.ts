import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { HealthReport, HealthState } from './health-state.ts';
import type { Metrics } from './metrics.ts';

/** What the operations endpoints need to know about their service. */
export type Operations = {
  readonly service: string;
  readonly version: string;
  /** More that /version tells: what this instance does or leaves out, by its settings. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>;
  readonly health: Pick<HealthState, 'report'>;
};

/** Injection token of `Operations`. */
export const operationsToken = Symbol('operations');

/** The four endpoints that every service has (DESIGN section 10). */
@Controller()
export class OperationsController {
  constructor(@Inject(operationsToken) private readonly operations: Operations) {}

  /** The process is alive and its event loop turns. It says nothing about Kafka or Postgres: a restart would not heal them. */
  @Get('health')
  @Header('cache-control', 'no-store')
  health(): { status: 'ok'; service: string } {
    return { status: 'ok', service: this.operations.service };
  }

  /** 200 when traffic may come, otherwise 503, both with the health of each component. */
  @Get('ready')
  @Header('cache-control', 'no-store')
  ready(@Res({ passthrough: true }) response: Response): HealthReport {
    const report = this.operations.health.report();
    response.status(report.status === 'ready' ? 200 : 503);
    return report;
  }

  @Get('version')
  version(): Readonly<Record<string, string>> {
    const { service, version, facts } = this.operations;
    return { service, version, node: process.version, ...facts };
  }

  /** The Prometheus text. */
  @Get('metrics')
  async metrics(@Res() response: Response): Promise<void> {
    response.set('content-type', this.operations.metrics.contentType).send(await this.operations.metrics.render());
  }
}
