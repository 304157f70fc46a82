import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TerminalError } from '@latch/contracts';
import { migrate } from '@latch/event-store';
import { MemoryBus } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { eventually, freshDatabase, type FreshDatabase } from '@latch/testing';
import pg from 'pg';
import { freePort } from '../../../../deploy/local/processes.mjs';
import { eachService, settingsOn } from './each-service.features.ts';

jest.setTimeout(60_000);

const logger = createLogger({ service: 'spec', level: 'silent' });
const names = Object.keys(eachService);

let database: FreshDatabase;
let watcher: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  watcher = new pg.Client({ connectionString: database.url });
  await watcher.connect();
});

afterAll(async () => {
  await watcher.end();
  await database.drop();
});

afterEach(() => void jest.restoreAllMocks());

/** What keeps this process alive, by kind. */
function openHandles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return { sockets: counts['TCPSocketWrap'] ?? 0, ports: counts['TCPServerWrap'] ?? 0, timers: counts['Timeout'] ?? 0 };
}

async function connections(): Promise<number> {
  const { rows } = await watcher.query<{ n: string }>(
    `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
     AND backend_type = 'client backend'`,
  );
  return Number(rows[0]?.n);
}

/** Starts a service that must fail, and compares what is open after it with what was open before. */
async function expectFailure(name: string, port: number, reason: RegExp): Promise<void> {
  const buses = jest.spyOn(MemoryBus.prototype, 'close');
  await pause(100); // what the test before and the search for a port left is gone then
  const before = openHandles();
  const starting = eachService[name]?.({ port, databaseUrl: database.url, logger });
  await expect(starting).rejects.toThrow(reason);
  await eventually(async () => expect(await connections()).toBe(0));
  await eventually(() => expect(openHandles()).toEqual(before));
  expect(buses).toHaveBeenCalledTimes(1);
}

describe('a service whose port is taken', () => {
  let other: Server;
  let port = 0;

  beforeEach(async () => {
    port = await freePort();
    other = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
  });
  afterEach(() => void other.close());

  it.each(names)('%s leaves nothing open', async (name) => {
    await expectFailure(name, port, /EADDRINUSE/);
  });

  it.each(names)('%s as a process ends with code 1 and names the port', async (name) => {
    const { code, log } = await run(name, settingsOn(port, database.url));
    expect(log).toContain('"service.start_failed"');
    expect(log).toContain(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
    expect(code).toBe(1);
  });
});

describe('a service whose topic is missing', () => {
  it.each(names)('%s leaves nothing open', async (name) => {
    jest
      .spyOn(MemoryBus.prototype, 'consume')
      .mockRejectedValue(new TerminalError('The topic is missing.', { code: 'message.invalid' }));
    await expectFailure(name, 0, /The topic is missing/);
  });
});

describe('a service whose Postgres does not answer', () => {
  it.each(['orchestrator', 'tool-executor', 'evaluator'])(
    '%s as a process ends with code 1 and says so',
    async (name) => {
      const { code, log } = await run(name, settingsOn(0, `postgres://latch@127.0.0.1:${await freePort()}/none`));
      expect(log).toContain('"service.start_failed"');
      expect(log).toContain('ECONNREFUSED');
      expect(code).toBe(1);
    },
  );
});

async function run(
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number; log: string }> {
  const main = path.join(import.meta.dirname, '../../../..', 'apps', name, 'dist/main.js');
  const child = spawn(process.execPath, [main], { env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
  const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? -1)));
  return { code, log };
}
