import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { authSettings, makeApiKey, scopes } from '@latch/config';
import { ConversationKey, TurnId } from '@latch/contracts';
import {
  accessFailures,
  type Endpoint,
  eventually,
  type IdentityProvider,
  openIdentityProvider,
  operationsOf,
  scopesOfOperations,
  scopesOfTable,
  wrongCredentials,
} from '@latch/testing';
import { openApiDocument } from './openapi.ts';
import { message, openTestIngress, type TestIngress } from './test-ingress.features.ts';

const read = ['read'];
const speak = ['speak', 'speak-for-others'];
const key = 'acme:retail_orders:s-1';
/** What a user may say of itself: nothing but words. */
const words = message({ payload: { user_id: undefined } });

/** Every endpoint that belongs to a tenant; a new one must be added here. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  'POST /v1/messages': { ask: 'POST /v1/messages', body: words, scopes: speak },
  'POST /v1/messages/stream': { ask: 'POST /v1/messages/stream', body: words, scopes: speak },
  'GET /v1/turns/{turn_id}': { ask: 'GET /v1/turns/t-1', scopes: [...read, ...speak] },
  'GET /v1/conversations/{key}': { ask: `GET /v1/conversations/${key}`, scopes: read },
  'GET /v1/conversations/{key}/events': { ask: `GET /v1/conversations/${key}/events`, scopes: read },
  'GET /v1/conversations/{key}/checkpoint': { ask: `GET /v1/conversations/${key}/checkpoint`, scopes: read },
  'GET /v1/conversations/{key}/state': { ask: `GET /v1/conversations/${key}/state`, scopes: read },
  'GET /v1/conversations/{key}/turns/{message_id}/explain': {
    ask: `GET /v1/conversations/${key}/turns/m-1/explain`,
    scopes: read,
  },
  'GET /v1/transactions': { ask: 'GET /v1/transactions', scopes: read },
  'GET /v1/transactions/{transaction_id}': { ask: 'GET /v1/transactions/t-1', scopes: read },
  'GET /v1/transactions/{transaction_id}/evidence': { ask: 'GET /v1/transactions/t-1/evidence', scopes: read },
};
const open = ['GET /health', 'GET /metrics', 'GET /openapi.json', 'GET /ready', 'GET /version'];

const keysFile = path.join(mkdtempSync(path.join(os.tmpdir(), 'latch-keys-')), 'keys.yaml');
const gatewayKey = makeApiKey();
const oldKey = makeApiKey();

function writeKeys(...kept: readonly object[]): void {
  writeFileSync(keysFile, JSON.stringify({ keys: kept }));
}

const entryOf = (id: string, { sha256 }: { readonly sha256: string }, more: object = {}): object => ({
  ...{ id, sha256, tenant_id: 'acme', scopes: ['speak-for-others', 'read'], expires_at: '2999-01-01T00:00:00Z' },
  ...more,
});
const oldEntry = entryOf('old', oldKey, { expires_at: '2026-01-01T00:00:00Z' });

let provider: IdentityProvider;
let ingress: TestIngress;

beforeAll(async () => {
  provider = await openIdentityProvider();
});
afterAll(() => provider.close());
const opened: TestIngress[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function openIngress(of: Parameters<typeof openTestIngress>[0] = {}): Promise<void> {
  writeKeys(entryOf('gateway', gatewayKey), oldEntry);
  const env = { ...provider.environment, LATCH_AUTH: 'jwt,api-key', LATCH_API_KEYS_FILE: keysFile };
  ingress = await openTestIngress({ ...of, settings: { ...authSettings.parse(env), ...of.settings } });
  opened.push(ingress);
}

const withScopes = async (named: readonly string[], claims: object = {}): Promise<string> =>
  `Bearer ${await provider.token({ claims: { scope: named.join(' '), ...claims } })}`;

const asKey = { authorization: `Bearer ${gatewayKey.key}` };

describe('every endpoint of ingress', () => {
  it('stands in the table, or belongs to nobody', () => {
    expect(operationsOf(openApiDocument())).toEqual([...Object.keys(endpoints), ...open].sort());
  });

  it('says in the document what it needs, and no more', () => {
    expect(scopesOfOperations(openApiDocument())).toEqual(scopesOfTable(endpoints, open));
  });

  it.each(Object.entries(endpoints))(
    '%s is for good credentials with its scope, and for no others',
    async (_, endpoint) => {
      await openIngress();
      const wrong = {
        ...(await wrongCredentials(provider, { scope: scopes.join(' ') })),
        'a key that has ended': { authorization: `Bearer ${oldKey.key}`, status: 401, code: 'auth.expired' },
      };
      expect(await accessFailures({ url: ingress.url, endpoint, wrong, withScopes, allScopes: scopes })).toEqual([]);
      const [method = '', address = ''] = endpoint.ask.split(' ');
      const body = endpoint.body && JSON.stringify({ ...endpoint.body, tenant_id: 'rival' });
      const asked = method === 'POST' ? address : `${address}?tenant_id=rival`;
      const other = await fetch(ingress.url + asked, {
        ...{ method, headers: { ...asKey, 'content-type': 'application/json' } },
        ...(body && { body }),
      });
      expect(other.status).toBe(403);
      expect(await other.json()).toMatchObject({ code: 'auth.forbidden' });
    },
  );

  it.each(open)('%s needs none', async (operation) => {
    await openIngress();
    expect((await fetch(ingress.url + operation.replace('GET ', ''))).status).toBe(200);
  });

  it('is closed to a key within seconds of its being taken out', async () => {
    await openIngress();
    const ask = async (): Promise<number> => (await fetch(`${ingress.url}/v1/transactions`, { headers: asKey })).status;
    expect(await ask()).toBe(200);
    writeKeys(oldEntry);
    await eventually(async () => expect(await ask()).toBe(401), { timeoutMs: 5_000 });
  });
});

describe('who speaks', () => {
  it('is of the tenant of the credential, whether it says so or not', async () => {
    await openIngress();
    await ingress.send(message(), { ...asKey, prefer: 'wait=0' });
    await ingress.send(message({ tenant_id: 'acme', payload: { message_id: 'm-2' } }), { ...asKey, prefer: 'wait=0' });
    const turns = await ingress.untilTurns(2);
    expect(turns.map(({ tenant_id, payload }) => [tenant_id, payload['tenant_id']])).toEqual([
      ['acme', 'acme'],
      ['acme', 'acme'],
    ]);
  });

  it('is the user of the credential, and nobody else: no user says yes for another', async () => {
    await openIngress();
    const authorization = await withScopes(['speak']);
    const yes = { user_id: 'u-2', inputs: { confirmation: 'yes' } };
    const refused = await ingress.send(message({ payload: yes }), { authorization });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'auth.forbidden' });
    await ingress.send(words, { authorization, prefer: 'wait=0' });
    const [turn] = await ingress.untilTurns(1);
    expect(turn?.payload).toMatchObject({ payload: { user_id: 'u-1' } });
    expect(ingress.turns).toHaveLength(1);
  });

  it.each([
    ['$.payload.business_context', { business_context: { customer_key: 'c-2' } }],
    ['$.payload.tool_arguments', { tool_arguments: { msisdn: '11922222222' } }],
    ['$.payload.context', { context: { ani: '11987654321' } }],
    ['$.payload.ani', { ani: '11987654321' }],
    ['$.payload.metadata.customer', { metadata: { customer: 'c-2' } }],
  ])('says as a user nothing that only a channel can know: %s', async (at, payload) => {
    await openIngress();
    const refused = await ingress.send(message({ payload }), { authorization: await withScopes(['speak']) });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'auth.forbidden', errors: [{ path: at }] });
    const accepted = await ingress.send(message({ payload }), { ...asKey, prefer: 'wait=0' });
    expect(accepted.status).toBe(202);
  });

  it('is told in a flat body where its problem stands', async () => {
    await openIngress();
    const flat = {
      channel: 'web',
      agent_id: 'retail_orders',
      text: 'oi',
      session_id: 's',
      message_id: 'm',
      context: {},
    };
    const refused = await ingress.send(flat, { authorization: await withScopes(['speak']) });
    expect(await refused.json()).toMatchObject({ code: 'auth.forbidden', errors: [{ path: '$.context' }] });
  });

  it('is whoever a gateway names', async () => {
    await openIngress();
    await ingress.send(message({ payload: { user_id: 'u-7' } }), { ...asKey, prefer: 'wait=0' });
    const [turn] = await ingress.untilTurns(1);
    expect(turn?.payload).toMatchObject({ payload: { user_id: 'u-7' } });
  });
});

describe('what became of a turn', () => {
  const conversationKey = ConversationKey.parse(key);

  it('may be asked by the user who spoke, and by no other user', async () => {
    await openIngress({
      store: {
        readTurn: (_, turnId) =>
          Promise.resolve({
            ...{ turnId: TurnId.parse(turnId), conversationKey, messageId: 'm-1', bodyDigest: '', status: 'done' },
            ...{ response: null, tenantId: 'acme' },
          }),
      },
    });
    const authorization = await withScopes(['speak']);
    const accepted = await ingress.send(words, { authorization, prefer: 'wait=0' });
    const turn: { turn_id: string } = JSON.parse(await accepted.text());
    const ask = async (credential: string): Promise<number> =>
      (await fetch(`${ingress.url}/v1/turns/${turn.turn_id}`, { headers: { authorization: credential } })).status;
    expect(await ask(authorization)).toBe(200);
    expect(await ask(await withScopes(['speak'], { sub: 'u-2' }))).toBe(404);
    expect(await ask(await withScopes(['speak', 'read'], { sub: 'u-2' }))).toBe(200);
    expect(await ask(asKey.authorization)).toBe(200);
  });
});

describe('a stream', () => {
  it('ends with a frame that says so when its token expires, and the turn goes on', async () => {
    await openIngress({ settings: { LATCH_JWT_TOLERANCE_SECONDS: 0 } });
    const token = await provider.token({ expiresInSeconds: 2 });
    const frames = await (await ingress.stream(words, { authorization: `Bearer ${token}` })).text();
    expect(frames).toContain('event: workflow.started');
    const last = frames.trim().split('\n\n').at(-1) ?? '';
    expect(last).toMatch(/^event: error\n/);
    expect(JSON.parse(last.replace(/^event: error\ndata: /, ''))).toMatchObject({
      ...{ code: 'auth.expired', status: 401 },
      status_url: expect.stringContaining('/v1/turns/'),
    });
    expect(ingress.turns).toHaveLength(1);
  });

  it('ends so when its key is taken out', async () => {
    await openIngress();
    const stream = await ingress.stream(message(), asKey);
    writeKeys(oldEntry);
    expect(await stream.text()).toContain('"code":"auth.invalid"');
  });
});

describe('what is told of credentials', () => {
  it('never holds one: neither the log, nor the turn, nor an answer', async () => {
    await openIngress();
    const token = await provider.token();
    const answers = [
      await ingress.send(words, { authorization: `Bearer ${token}`, prefer: 'wait=0' }),
      await ingress.send(words, { authorization: `Bearer ${token}x`, prefer: 'wait=0' }),
      await ingress.send(message(), { ...asKey, prefer: 'wait=0' }),
      await ingress.send(message(), { authorization: `Bearer ${oldKey.key}` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 401, 202, 401]);
    const turns = await ingress.untilTurns(2);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    const metrics = await (await fetch(`${ingress.url}/metrics`)).text();
    const told = [JSON.stringify(turns), ...ingress.logLines, ...bodies, metrics].join('\n');
    expect(told).toContain('auth.refused');
    const [, , signature = ''] = token.split('.');
    for (const secret of [signature, gatewayKey.key, oldKey.key]) expect(told).not.toContain(secret);
  });

  it('is that there are none to check, where that was chosen', async () => {
    ingress = await openTestIngress();
    opened.push(ingress);
    expect(ingress.logLines.join('')).toContain('whoever reaches this port speaks for every tenant');
  });

  it('keeps a service from starting that others can reach, where nobody has chosen', async () => {
    await openIngress();
    const settings = { LATCH_HTTP_HOST: '0.0.0.0' };
    await expect(openTestIngress({ settings })).rejects.toThrow('LATCH_AUTH is not set');
  });
});
