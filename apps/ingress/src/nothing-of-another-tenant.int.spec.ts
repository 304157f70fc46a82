import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStore, migrate, openEventStore } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import {
  freshDatabase,
  type FreshDatabase,
  heardByAnybody,
  keyTricks,
  leaksIn,
  markOf,
  readPathsOf,
  recordedConversation,
  tenantInCredential,
  type TenantRead,
  testKeyRing,
  twoTenants,
} from '@latch/testing';
import { openApiDocument } from './openapi.ts';
import { message, openTestIngress, type TestIngress } from './test-ingress.features.ts';

const { asker, other } = twoTenants;
const theirs = recordedConversation(other);
const session = theirs.append.sessionId;
const secrets = [markOf(other), theirs.transactionId, theirs.turnId, theirs.eventId];
const cursorAt = (id: string): string =>
  Buffer.from(JSON.stringify(['2027-01-01T00:00:00.000Z', id])).toString('base64url');

function ofConversation(path = ''): TenantRead {
  const address = (key: string): string => `/v1/conversations/${key}${path}`;
  return {
    own: address(encodeURIComponent(theirs.append.conversationKey)),
    never: address(encodeURIComponent(`${other}:retail_orders:never`)),
    spellings: keyTricks(session).map(address),
  };
}

/** Every read of the API; a new one must be added here. */
const reads: Readonly<Record<string, TenantRead>> = {
  '/v1/turns/{turn_id}': { own: `/v1/turns/${theirs.turnId}`, never: '/v1/turns/never' },
  '/v1/conversations/{key}': ofConversation(),
  '/v1/conversations/{key}/events': ofConversation('/events'),
  '/v1/conversations/{key}/checkpoint': ofConversation('/checkpoint'),
  '/v1/conversations/{key}/state': ofConversation('/state?at=7'),
  '/v1/conversations/{key}/turns/{message_id}/explain': ofConversation(`/turns/${theirs.messageId}/explain`),
  '/v1/transactions': {
    own: `/v1/transactions?cursor=${cursorAt(theirs.transactionId)}`,
    never: `/v1/transactions?cursor=${cursorAt('never')}`,
  },
  '/v1/transactions/{transaction_id}': {
    own: `/v1/transactions/${theirs.transactionId}`,
    never: '/v1/transactions/never',
  },
  '/v1/transactions/{transaction_id}/evidence': {
    own: `/v1/transactions/${theirs.transactionId}/evidence`,
    never: '/v1/transactions/never/evidence',
  },
};

/** Reads that belong to no tenant. */
const ofNobody = ['/health', '/metrics', '/openapi.json', '/ready', '/version'];

let database: FreshDatabase;
let engine: EventStore;
let ingress: TestIngress;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  engine = await openStore('latch_orchestrator');
  for (const tenant of [asker, other]) await keep(recordedConversation(tenant));
  ingress = await openTestIngress({ openStore: () => openStore('latch_ingress'), authenticate: tenantInCredential });
}, 60_000);
afterAll(async () => {
  await Promise.all([ingress.close(), engine.close()]);
  await database.drop();
});

function openStore(role: 'latch_orchestrator' | 'latch_ingress'): Promise<EventStore> {
  const logger = createLogger({ service: 'spec', level: 'silent' });
  return openEventStore({ databaseUrl: database.url, producer: 'spec', logger, role, personalData: testKeyRing });
}

async function keep({ agents, append }: ReturnType<typeof recordedConversation>): Promise<void> {
  await engine.saveConfigVersions(agents);
  const { conversationKey, tenantId } = append;
  await engine.inTransaction(async (tx) => {
    const claim = { eventId: `claim-${tenantId}`, consumer: 'spec', bodyDigest: '', receivedAt: tx.now };
    await tx.claim([{ ...claim, conversationKey, tenantId }]);
    await tx.load([conversationKey]);
    await tx.append([append]);
  });
}

describe('of two tenants with the same sessions, messages and users, one', () => {
  it('is tried on every read that the API has', () => {
    expect(readPathsOf(openApiDocument())).toEqual([...Object.keys(reads), ...ofNobody].sort());
  });

  it.each(Object.entries(reads))(
    'gets nothing of the other from %s, whatever it names, and cannot tell it from what never was',
    async (_path, read) => {
      expect(await leaksIn(ingress.url, read, secrets)).toEqual([]);
    },
    60_000,
  );

  it.each(ofNobody)('finds nothing of anybody in %s', async (path) => {
    const body = await heardByAnybody(ingress.url + path);
    expect([...secrets, `"${other}"`].filter((secret) => body.includes(secret))).toEqual([]);
  });

  it('gets no answer of the other on its message stream, though both sent the same message', async () => {
    const send = (tenant: string): Promise<Response> =>
      ingress.stream(message(), { authorization: `Bearer ${tenant}`, prefer: 'wait=2' });
    const streams = Promise.all([send(asker), send(other)]);
    const turns = await ingress.untilTurns(2);
    const asked = turns.find(({ tenant_id: tenantId }) => tenantId === other);
    if (asked) await ingress.answer(asked, markOf(other));
    const [mine = '', its = ''] = await Promise.all((await streams).map((stream) => stream.text()));
    expect(its).toContain(markOf(other));
    expect(its).toContain('"outcome":"answered"');
    expect(mine).not.toContain(markOf(other));
    expect(mine).toContain('"outcome":"pending"');
  });

  it('sends nothing in the name of the other', async () => {
    const authorization = `Bearer ${asker}`;
    const answer = await ingress.send(message({ tenant_id: other }), { authorization });
    expect(answer.status).toBe(403);
    const before = ingress.turns.length;
    const session_id = theirs.append.conversationKey;
    await ingress.send(message({ payload: { session_id } }), { authorization, prefer: 'wait=0' });
    const turn = (await ingress.untilTurns(before + 1)).at(-1);
    expect(turn?.conversation_key).toBe(`${asker}:retail_orders:${session_id}`);
  });
});
