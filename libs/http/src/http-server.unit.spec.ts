import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger, createMetrics, HealthState, type Operations, operationsModule } from '@latch/observability';
import { type CustomTransportStrategy } from '@nestjs/microservices';
import { type HttpServer, openHttpServer } from './http-server.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });

/** A consumer whose batch in flight ends when it is told to. */
function consumer(): CustomTransportStrategy & { readonly diary: string[]; finish(): void } {
  const diary: string[] = [];
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  return {
    diary,
    finish,
    listen: (callback: () => void) => {
      diary.push('consumes');
      callback();
    },
    close: () => {
      diary.push('closes');
      return finished;
    },
  };
}

const open = (port: number, strategy: CustomTransportStrategy): Promise<HttpServer> =>
  openHttpServer({
    settings: { LATCH_HTTP_HOST: '127.0.0.1', LATCH_HTTP_PORT: port },
    operations: {
      service: 'spec',
      version: '1.0.0',
      metrics: createMetrics({ service: 'spec', version: '1.0.0' }),
      health: new HealthState(),
    },
    logger,
    module: (operations: Operations) => operationsModule(operations),
    strategy,
  });

let letGo: () => void = () => undefined;
afterEach(() => letGo());

describe('a service that drains', () => {
  it('answers /ready with 503 and says why, for as long as what it consumes has not ended', async () => {
    const strategy = consumer();
    const server = await open(0, strategy);
    letGo = strategy.finish;
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    server.refuseNew();
    const closing = server.close();
    const ready = await fetch(`${server.url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: 'not_ready',
      components: { service: { ok: false, detail: 'draining' } },
    });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    strategy.finish();
    await closing;
    await expect(fetch(`${server.url}/ready`)).rejects.toThrow();
  });
});

describe('a port that is taken', () => {
  it('fails the start with the reason, and ends what is consumed already', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    letGo = () => void other.close();
    const { port } = Object(other.address()) satisfies AddressInfo;
    const strategy = consumer();
    strategy.finish();
    await expect(open(port, strategy)).rejects.toThrow('EADDRINUSE');
    expect(strategy.diary).toEqual(['consumes', 'closes']);
  });
});
