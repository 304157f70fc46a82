import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { migrate, ToolLedger } from '@latch/event-store';
import { MemoryBus } from '@latch/messaging';
import { type RunningService } from '@latch/observability';
import { eventually, freshDatabase, type FreshDatabase, testDataKey } from '@latch/testing';
import { toolExecutorSettings } from './config.ts';
import { silent } from './executor-fixture.features.ts';
import { startToolExecutor } from './start.ts';

jest.setTimeout(30_000);

let database: FreshDatabase;
let service: RunningService;
const bus = new MemoryBus({ partitions: 2, logger: silent });

/** What happened first. */
const order: string[] = [];

beforeAll(async () => {
  const consume = bus.consume.bind(bus);
  jest.spyOn(bus, 'consume').mockImplementation(async (options) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const consumption = await consume(options);
    order.push('consumes');
    return consumption;
  });
  const resumable = jest.spyOn(ToolLedger.prototype, 'resumable').mockImplementation(async () => {
    order.push('sweeps');
    return Promise.resolve([]);
  });
  database = await freshDatabase();
  await migrate(database.url);
  const settings = toolExecutorSettings.parse({
    LATCH_BUS: 'memory',
    LATCH_HTTP_PORT: '0',
    LATCH_LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    LATCH_DATA_KEY: testDataKey,
    LATCH_CONFIG_DIR: path.join(import.meta.dirname, '../../../deploy/config'),
    LATCH_MCP_TOKENS: 'contas=abc,retail=d=e',
  });
  expect(settings.LATCH_MCP_TOKENS).toEqual({ contas: 'abc', retail: 'd=e' });
  service = await startToolExecutor(settings, { bus, logger: silent });
  await eventually(() => expect(resumable).toHaveBeenCalled());
});

afterAll(async () => {
  await service.stop();
  await bus.close();
  await database.drop();
});

describe('a started executor', () => {
  it('is ready, and says how bus, store and MCP servers are', async () => {
    const ready = await fetch(`${service.url}/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'ready',
      components: { bus: { ok: true }, store: { ok: true }, mcp_servers: { ok: true } },
    });
  });

  it('takes over what others left only when its consumer runs, and so can be paused', () => {
    expect(order.slice(0, 2)).toEqual(['consumes', 'sweeps']);
  });

  it('has its metrics', async () => {
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain('latch_build_info');
  });
});

describe('the tokens of servers', () => {
  it('that are no list are a problem of the configuration', () => {
    const read = toolExecutorSettings.safeParse({
      LATCH_BUS: 'memory',
      DATABASE_URL: 'postgres://a/b',
      LATCH_MCP_TOKENS: 'oops',
    });
    expect(read.success).toBe(false);
    expect(JSON.stringify(read.error?.issues)).not.toContain('oops');
  });
});
