import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@latch/event-store';
import { MemoryBus } from '@latch/messaging';
import { createLogger, type RunningService } from '@latch/observability';
import {
  freshDatabase,
  type FreshDatabase,
  heardByAnybody,
  keyTricks,
  leaksIn,
  readPathsOf,
  tenantInCredential,
  type TenantRead,
  testDataKey,
  testKeyRing,
  twoTenants,
} from '@latch/testing';
import { evaluatorSettings } from './config.ts';
import { openEvaluationStore } from './evaluation-store.ts';
import { openApiDocument } from './openapi.ts';
import { scoreTurn } from './score-turn.ts';
import { startEvaluator } from './start.ts';
import { answerEnvelope, responseTo } from './turn.features.ts';

const { asker, other } = twoTenants;
const resultOf = (tenant: string) => {
  const [response, key] = [responseTo(undefined), `${tenant}:telecom_contas:s-1`];
  const envelope = answerEnvelope(response, { causedBy: 'turn-1', key, eventId: `answer of ${tenant}` });
  return scoreTurn({ envelope, response, evidence: [] }, '2026-11-30T12:00:00.000Z');
};
const secrets = [resultOf(other).result_id, `answer of ${other}`];
const logger = createLogger({ service: 'spec', level: 'silent' });
const address = (key: string): string => `/v1/evaluations?conversation_key=${key}`;

/** Every read of the API; a new one must be added here. */
const reads: Readonly<Record<string, TenantRead>> = {
  '/v1/evaluations': {
    own: address(encodeURIComponent(`${other}:telecom_contas:s-1`)),
    never: address(encodeURIComponent(`${other}:telecom_contas:never`)),
    spellings: [
      ...keyTricks('s-1', 'telecom_contas').map(address),
      `/v1/evaluations?conversation_key=${asker}:telecom_contas:s-1&conversation_key=${other}:telecom_contas:s-1`,
      `/v1/evaluations?tenant_id=%00&conversation_key=${other}:telecom_contas:s-1`,
      `/v1/evaluations?conversation_key[]=${other}:telecom_contas:s-1`,
    ],
  },
};

/** Reads that belong to no tenant. */
const ofNobody = ['/health', '/metrics', '/openapi.json', '/ready', '/version'];

let database: FreshDatabase;
let bus: MemoryBus;
let service: RunningService;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  const store = await openEvaluationStore(database.url, logger, testKeyRing);
  await store.save([asker, other].map(resultOf));
  await store.close();
  bus = new MemoryBus({ partitions: 2, logger });
  const settings = evaluatorSettings.parse({
    ...{ DATABASE_URL: database.url, LATCH_DATA_KEY: testDataKey, LATCH_BUS: 'memory', LATCH_HTTP_PORT: '0' },
  });
  service = await startEvaluator(settings, { bus, logger, authenticate: tenantInCredential });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await bus.close();
  await database.drop();
});

describe('of two tenants with the same sessions, messages and users, one', () => {
  it('is tried on every read that the API has', () => {
    expect(readPathsOf(openApiDocument())).toEqual([...Object.keys(reads), ...ofNobody].sort());
  });

  it.each(Object.entries(reads))(
    'gets nothing of the other from %s, whatever it names, and cannot tell it from what never was',
    async (_path, read) => {
      expect(await leaksIn(service.url, read, secrets)).toEqual([]);
    },
    60_000,
  );

  it.each(ofNobody)('finds nothing of anybody in %s', async (path) => {
    const body = await heardByAnybody(service.url + path);
    expect([...secrets, `"${other}"`].filter((secret) => body.includes(secret))).toEqual([]);
  });
});
