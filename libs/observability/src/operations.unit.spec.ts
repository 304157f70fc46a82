import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthState } from './health-state.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { nestLogger } from './nest-logger.ts';
import { operationsModule } from './operations.module.ts';

describe('a service with the operations module', () => {
  const health = new HealthState();
  let isBusWell = false;
  health.probe('bus', () => (isBusWell ? { ok: true } : { ok: false, detail: 'starting' }));
  const lines: string[] = [];
  let app: INestApplication;
  let url = '';

  beforeAll(async () => {
    const logger = createLogger({ service: 'x', level: 'debug', destination: { write: (line) => lines.push(line) } });
    const metrics = createMetrics({ service: 'x', version: '1.0.0' });
    app = await NestFactory.create(operationsModule({ service: 'x', version: '1.0.0', metrics, health }), {
      logger: nestLogger(logger),
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterAll(() => app.close());

  it('answers /health while the process is alive, ready or not', async () => {
    const answer = await fetch(`${url}/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok', service: 'x' });
  });

  it('answers /ready with 503 and the reasons until every component is well', async () => {
    const starting = await fetch(`${url}/ready`);
    expect(starting.status).toBe(503);
    expect(await starting.json()).toEqual({
      status: 'not_ready',
      components: { bus: { ok: false, detail: 'starting' } },
    });
    isBusWell = true;
    const ready = await fetch(`${url}/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: 'ready', components: { bus: { ok: true } } });
  });

  it('answers /version with service, version and runtime', async () => {
    expect(await (await fetch(`${url}/version`)).json()).toEqual({
      service: 'x',
      version: '1.0.0',
      node: process.version,
    });
  });

  it('answers /metrics in the Prometheus text format', async () => {
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await answer.text()).toContain('latch_build_info{version="1.0.0"');
  });

  it("writes Nest's own lines as JSON of the service", () => {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(lines.map(() => 'nest.log'));
  });
});
