import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { authSettings, scopes } from '@latch/config';
import {
  accessFailures,
  type Endpoint,
  type IdentityProvider,
  openIdentityProvider,
  operationsOf,
  scopesOfOperations,
  scopesOfTable,
  wrongCredentials,
} from '@latch/testing';
import { openApiDocument } from './openapi.ts';
import { openTestConsole, signal, type TestConsole } from './test-console.features.ts';

const key = 'acme:retail_orders:s-1';
const read = (address: string): Endpoint => ({ ask: `GET /v1/${address}`, scopes: ['operate'] });

/** Every endpoint that belongs to a tenant; a new one must be added here. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /v1/overview': read('overview'),
  'GET /v1/alarms': read('alarms'),
  'GET /v1/dead-letters': read('dead-letters'),
  'GET /v1/signals/stream': read('signals/stream'),
  'GET /v1/transactions': read('transactions'),
  'GET /v1/transactions/{transaction_id}': read('transactions/t-1'),
  'GET /v1/transactions/{transaction_id}/evidence': read('transactions/t-1/evidence'),
  'GET /v1/conversations/{key}': read(`conversations/${key}`),
  'GET /v1/conversations/{key}/chat': read(`conversations/${key}/chat`),
  'GET /v1/conversations/{key}/checkpoint': read(`conversations/${key}/checkpoint`),
  'GET /v1/conversations/{key}/events': read(`conversations/${key}/events`),
  'GET /v1/conversations/{key}/rebuild': read(`conversations/${key}/rebuild`),
  'GET /v1/conversations/{key}/redecide': read(`conversations/${key}/redecide`),
  'GET /v1/conversations/{key}/verify': read(`conversations/${key}/verify`),
  'GET /v1/conversations/{key}/state': read(`conversations/${key}/state`),
  'GET /v1/conversations/{key}/turns/{message_id}/explain': read(`conversations/${key}/turns/m-1/explain`),
};
/** The page holds no data. */
const open = [
  ...['GET /', 'GET /page/{name}'],
  ...['GET /health', 'GET /metrics', 'GET /openapi.json', 'GET /ready', 'GET /version'],
];

let provider: IdentityProvider;
let console: TestConsole | undefined;

beforeAll(async () => {
  provider = await openIdentityProvider();
});
afterAll(() => provider.close());
afterEach(() => console?.close());

async function openConsole(of: Parameters<typeof openTestConsole>[0] = {}): Promise<TestConsole> {
  const settings = authSettings.parse({ ...provider.environment, LATCH_AUTH: 'jwt' });
  console = await openTestConsole({ ...of, settings: { ...settings, ...of.settings } });
  return console;
}

const withScopes = async (named: readonly string[]): Promise<string> =>
  `Bearer ${await provider.token({ claims: { scope: named.join(' ') } })}`;

describe('every endpoint of the console', () => {
  it('stands in the table, or belongs to nobody', () => {
    expect(operationsOf(openApiDocument())).toEqual([...Object.keys(endpoints), ...open].sort());
  });

  it('says in the document what it needs, and no more', () => {
    expect(scopesOfOperations(openApiDocument())).toEqual(scopesOfTable(endpoints, open));
  });

  it.each(Object.entries(endpoints))(
    '%s is for good credentials with its scope, and for no others',
    async (_, endpoint) => {
      const { url } = await openConsole();
      const wrong = await wrongCredentials(provider, { scope: scopes.join(' ') });
      expect(await accessFailures({ url, endpoint, wrong, withScopes, allScopes: scopes })).toEqual([]);
      const headers = { authorization: await withScopes(['operate']) };
      const other = await fetch(`${url}${endpoint.ask.replace('GET ', '')}?tenant_id=rival`, { headers });
      expect(other.status).toBe(403);
    },
  );

  it.each(open.map((operation) => operation.replace('GET ', '').replace('{name}', 'console.js')))(
    '%s needs none',
    async (address) => {
      expect((await (await openConsole()).get(address)).status).toBe(200);
    },
  );
});

describe('an operator', () => {
  it('sees the tenant of the credential without naming it', async () => {
    const answer = await (await openConsole()).get('/v1/overview', { authorization: await withScopes(['operate']) });
    expect(await answer.json()).toMatchObject({ tenant_id: 'acme' });
  });

  it('is told by the last frame of a stream that the token has expired', async () => {
    const settings = { LATCH_JWT_TOLERANCE_SECONDS: 0 };
    const { get } = await openConsole({ settings, before: [signal('one')] });
    const token = await provider.token({ claims: { scope: 'operate' }, expiresInSeconds: 2 });
    const frames = await (await get('/v1/signals/stream', { authorization: `Bearer ${token}` })).text();
    expect(frames).toContain('event: connected');
    expect(frames.trim().split('\n\n').at(-1)).toMatch(/^event: error\ndata: .*"code":"auth.expired"/);
  });
});
