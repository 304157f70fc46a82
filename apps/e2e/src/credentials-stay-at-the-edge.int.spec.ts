import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readRunningState } from '@latch/cli';
import { makeApiKey } from '@latch/config';
import { ChannelResponse, topics } from '@latch/contracts';
import { eventually, type IdentityProvider, openIdentityProvider } from '@latch/testing';
import { keptRows } from './kept-rows.ts';
import { type OperatorSystem, startOperatorSystem } from './operator-system.ts';
import { readWhole } from './raw-kafka.ts';

jest.setTimeout(180_000);

/** Invariants I12, I13 and I16 for a whole conversation in the running system, with callers that are known by a token and by an API key. */
let provider: IdentityProvider;
let system: OperatorSystem;
const gateway = makeApiKey();
const secrets = new Set<string>();
let messages = 0;

beforeAll(async () => {
  provider = await openIdentityProvider();
  const keysFile = path.join(mkdtempSync(path.join(os.tmpdir(), 'latch-keys-')), 'keys.yaml');
  const scopes = ['speak-for-others', 'read', 'operate', 'evaluate'];
  const entry = {
    id: 'gateway',
    sha256: gateway.sha256,
    tenant_id: 'default',
    scopes,
    expires_at: '2999-01-01T00:00:00Z',
  };
  writeFileSync(keysFile, JSON.stringify({ keys: [entry] }));
  secrets.add(gateway.key);
  system = await startOperatorSystem({
    ...provider.environment,
    ...{ LATCH_AUTH: 'jwt,api-key', LATCH_API_KEYS_FILE: keysFile },
  });
});
afterAll(async () => {
  await system?.stop();
  await provider.close();
});

/** The credential of a user. Each part of a token would be enough to know it by. */
async function tokenOf(user: string): Promise<string> {
  const token = await provider.token({ claims: { sub: user, tenant_id: 'default', scope: 'speak' } });
  const [, payload = '', signature = ''] = token.split('.');
  for (const secret of [payload, signature]) secrets.add(secret);
  return token;
}

async function say(credential: string, message: string, more: object = {}): Promise<ChannelResponse> {
  messages += 1;
  const payload = { message, session_id: 's-edge', message_id: `m-${messages}`, ...more };
  const body = { channel: 'web', agent_id: 'retail_orders', payload };
  const answer = await system.ingress.post(body, { authorization: `Bearer ${credential}` });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return ChannelResponse.parse(JSON.parse(answer.body));
}

describe('a conversation of callers that are known', () => {
  it('is confirmed by the user whose token began it, and by no other', async () => {
    const [ana, bia] = [await tokenOf('ana'), await tokenOf('bia')];
    const asked = await say(ana, 'quero cancelar o pedido PED-1001');
    expect(asked.metadata).toMatchObject({ transaction_status: 'AWAITING_CONFIRMATION', tenant_id: 'default' });
    const others = await say(bia, 'sim', { inputs: { confirmation: 'yes' } });
    expect(others.metadata).toMatchObject({ transaction_status: 'AWAITING_CONFIRMATION' });
    const done = await say(ana, 'sim');
    expect(done.metadata).toMatchObject({ transaction_status: 'COMPLETED', outcome: 'SUCCESS' });
  });

  it('goes on with the key of a gateway, which names its user', async () => {
    await say(gateway.key, 'quero cancelar um pedido', { user_id: 'carla' });
    const turn = `/v1/conversations/default%3Aretail_orders%3As-edge/turns/m-${messages}/explain`;
    const headers = { authorization: `Bearer ${gateway.key}` };
    const explained = await (await fetch(system.ingressUrl + turn, { headers })).json();
    expect(explained).toMatchObject({ said: { user_id: 'carla' } });
  });

  it('is read at every service with a credential, and with none nowhere', async () => {
    const services = readRunningState(path.join(system.folder, 'state'))?.services ?? [];
    const urlOf = (name: string): string => services.find((service) => service.name === name)?.url ?? '';
    const key = encodeURIComponent('default:retail_orders:s-edge');
    const reads = [
      `${urlOf('ingress')}/v1/conversations/${key}/events`,
      `${urlOf('console')}/v1/transactions`,
      `${urlOf('evaluator')}/v1/evaluations?conversation_key=${key}`,
    ];
    for (const read of reads) {
      expect((await fetch(read)).status).toBe(401);
      expect((await fetch(read, { headers: { authorization: `Bearer ${gateway.key}` } })).status).toBe(200);
    }
    const refused = await fetch(reads[0] ?? '', { headers: { authorization: `Bearer ${await tokenOf('ana')}x` } });
    expect(refused.status).toBe(401);
  });
});

describe('a credential', () => {
  it.each(Object.values(topics))('is nowhere on %s', async (topic) => {
    const records = await readWhole(system, topic);
    if (topic === topics.turns) expect(records.length).toBeGreaterThanOrEqual(4);
    const text = records
      .map(({ key, value, headers }) => [key, value.toString(), JSON.stringify(headers)].join())
      .join();
    expect([...secrets].filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('is in no table', async () => {
    const rows = await keptRows(system.databaseUrl);
    expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThan(8);
    const found = [...secrets].filter((secret) => rows.some(({ text }) => text.includes(secret)));
    expect(found).toEqual([]);
  });

  it('is in no log, though each refusal is', async () => {
    const folder = path.join(system.folder, 'state', 'logs');
    const read = (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(path.join(folder, name), 'utf8'))
        .join('\n');
    await eventually(() => expect(read()).toContain('"auth.refused"'));
    expect([...secrets].filter((secret) => read().includes(secret))).toEqual([]);
  });
});
