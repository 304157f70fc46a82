import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeApiKey, readEnvironmentOrThrow, scopes } from '@latch/config';
import { topics } from '@latch/contracts';
import { migrate } from '@latch/event-store';
import { type BusRecord, MemoryBus } from '@latch/messaging';
import { createLogger, type RunningService } from '@latch/observability';
import {
  accessFailures,
  type Endpoint,
  eventually,
  freshDatabase,
  type FreshDatabase,
  type IdentityProvider,
  openIdentityProvider,
  operationsOf,
  scopesOfOperations,
  scopesOfTable,
  testDataKey,
  wrongCredentials,
} from '@latch/testing';
import { evaluatorSettings } from './config.ts';
import { openApiDocument } from './openapi.ts';
import { startEvaluator } from './start.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });

/** Every endpoint that belongs to a tenant; a new one must be added here. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /v1/evaluations': {
    ask: 'GET /v1/evaluations?conversation_key=acme:retail_orders:s-1',
    scopes: ['evaluate'],
  },
};
const open = ['GET /health', 'GET /metrics', 'GET /openapi.json', 'GET /ready', 'GET /version'];

const keysFile = path.join(mkdtempSync(path.join(os.tmpdir(), 'latch-keys-')), 'keys.yaml');
const { key, sha256 } = makeApiKey();
const entry = { id: 'judge', sha256, tenant_id: 'acme', scopes: ['evaluate'], expires_at: '2999-01-01T00:00:00Z' };

let provider: IdentityProvider;
let database: FreshDatabase;
let bus: MemoryBus;
let service: RunningService;
const signals: string[] = [];

beforeAll(async () => {
  provider = await openIdentityProvider();
  writeFileSync(keysFile, JSON.stringify({ keys: [entry] }));
  database = await freshDatabase();
  await migrate(database.url);
  bus = new MemoryBus({ partitions: 1, logger });
  await bus.consume({
    groupId: 'operator',
    topics: [topics.signals],
    handle: (batch: readonly BusRecord[]) =>
      Promise.resolve(void signals.push(...batch.map(({ value }) => String(value)))),
    onCrash: (error) => {
      throw error;
    },
  });
  const settings = readEnvironmentOrThrow(evaluatorSettings, {
    ...{ DATABASE_URL: database.url, LATCH_DATA_KEY: testDataKey, LATCH_BUS: 'memory', LATCH_HTTP_PORT: '0' },
    ...{ ...provider.environment, LATCH_AUTH: 'jwt,api-key', LATCH_API_KEYS_FILE: keysFile },
  });
  service = await startEvaluator(settings, { bus, logger });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await bus.close();
  await database.drop();
  await provider.close();
});

const withScopes = async (named: readonly string[]): Promise<string> =>
  `Bearer ${await provider.token({ claims: { scope: named.join(' ') } })}`;

describe('every endpoint of the evaluator', () => {
  it('stands in the table, or belongs to nobody', () => {
    expect(operationsOf(openApiDocument())).toEqual([...Object.keys(endpoints), ...open].sort());
  });

  it('says in the document what it needs, and no more', () => {
    expect(scopesOfOperations(openApiDocument())).toEqual(scopesOfTable(endpoints, open));
  });

  it.each(Object.entries(endpoints))(
    '%s is for good credentials with its scope, and for no others',
    async (_, endpoint) => {
      const wrong = await wrongCredentials(provider, { scope: scopes.join(' ') });
      const { url } = service;
      expect(await accessFailures({ url, endpoint, wrong, withScopes, allScopes: scopes })).toEqual([]);
      const headers = { authorization: `Bearer ${key}` };
      const address = `${url}${endpoint.ask.replace('GET ', '')}`;
      expect((await fetch(address, { headers })).status).toBe(200);
      expect((await fetch(`${address}&tenant_id=rival`, { headers })).status).toBe(403);
    },
  );

  it.each(open)('%s needs none', async (operation) => {
    expect((await fetch(service.url + operation.replace('GET ', ''))).status).toBe(200);
  });
});

describe('a file of API keys that has become bad', () => {
  it('raises the alarm of a bad configuration, which a good one clears; neither holds a key', async () => {
    writeFileSync(keysFile, `keys: [{ id: ${key} }]`);
    await eventually(() => expect(signals.join('\n')).toContain('"NOC.CONFIG_REJECTED"'), { timeoutMs: 10_000 });
    const headers = { authorization: `Bearer ${key}` };
    const address = `${service.url}/v1/evaluations?conversation_key=acme:retail_orders:s-1`;
    expect((await fetch(address, { headers })).status).toBe(200);
    writeFileSync(keysFile, JSON.stringify({ keys: [entry] }));
    await eventually(() => expect(signals.join('\n')).toContain('"NOC.CONFIG_APPLIED"'), { timeoutMs: 10_000 });
    const told = signals.join('\n');
    expect(told).toContain('"perceived_severity":"cleared"');
    for (const secret of [key, sha256]) expect(told).not.toContain(secret);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain('type="NOC.CONFIG_REJECTED"');
  }, 30_000);
});
