import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { migrate } from '@latch/event-store';
import { createLogger, type RunningService } from '@latch/observability';
import { eventually, freshDatabase, type FreshDatabase } from '@latch/testing';
import { freePort } from '../../../../deploy/local/processes.mjs';
import { eachService } from './each-service.features.ts';

jest.setTimeout(120_000);

const logger = createLogger({ service: 'spec', level: 'silent' });

/** The way to Postgres, which can be closed, and on which everything can get lost without a word. */
class Way {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private isLossy = false;

  constructor(
    readonly port: number,
    private readonly to: URL,
  ) {}

  async open(): Promise<void> {
    this.isLossy = false;
    this.server = createServer((near) => this.join(near)).listen(this.port, '127.0.0.1');
    await new Promise((resolve) => this.server?.once('listening', resolve));
  }

  /** Postgres is gone: connections break, and new ones are refused. */
  close(): void {
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
  }

  /** The host has vanished: what is sent arrives nowhere, and nobody says so. */
  lose(): void {
    this.isLossy = true;
  }

  private join(near: Socket): void {
    const far = connect(Number(this.to.port), this.to.hostname);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => void (this.isLossy || into.write(bytes)));
      from.on('error', () => into.destroy());
      from.on('close', () => void (this.sockets.delete(from), into.destroy()));
    }
  }
}

let database: FreshDatabase;
let way: Way;
const running: RunningService[] = [];

/** Those that can do nothing without Postgres; ingress and console go on without it, and the normalizer has none. */
const names = ['orchestrator', 'tool-executor', 'evaluator'] as const;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  way = new Way(await freePort(), new URL(database.url));
  await way.open();
  const through = new URL(database.url);
  [through.hostname, through.port] = ['127.0.0.1', String(way.port)];
  for (const name of names) {
    const service = await eachService[name]?.({ port: 0, databaseUrl: through.toString(), logger });
    if (service) running.push(service);
  }
});

afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()));
  way.close();
  await database.drop();
});

/** What `/ready` of each service says: its status, and whether the store answers. */
async function readiness(): Promise<readonly (readonly [number, boolean])[]> {
  return Promise.all(
    running.map(async ({ url }) => {
      const response = await fetch(`${url}/ready`);
      const body: unknown = await response.json();
      return [response.status, JSON.stringify(body).includes('"store":{"ok":true}')] as const;
    }),
  );
}

const ready = names.map(() => [200, true]);
const notReady = names.map(() => [503, false]);

describe('the services that need Postgres', () => {
  it('say 503 when it is gone, and 200 when it is back, without a restart', async () => {
    await eventually(async () => expect(await readiness()).toEqual(ready), { timeoutMs: 20_000 });
    way.close();
    await eventually(async () => expect(await readiness()).toEqual(notReady), { timeoutMs: 15_000 });
    await way.open();
    await eventually(async () => expect(await readiness()).toEqual(ready), { timeoutMs: 30_000 });
  });

  it('say 503 when its host has vanished and nothing fails, and 200 when it is back', async () => {
    await eventually(async () => expect(await readiness()).toEqual(ready), { timeoutMs: 20_000 });
    way.lose();
    await eventually(async () => expect(await readiness()).toEqual(notReady), { timeoutMs: 30_000 });
    way.close();
    await way.open();
    await eventually(async () => expect(await readiness()).toEqual(ready), { timeoutMs: 30_000 });
  });
});
