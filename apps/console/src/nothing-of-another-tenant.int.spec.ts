import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BusMessage, topics } from '@latch/contracts';
import { type EventStore, migrate, openEventStore } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { makeEnvelope, toBusMessage, toDeadLetter } from '@latch/messaging';
import {
  eventually,
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
import { alarmSignal, idOf, openTestConsole, type TestConsole } from './test-console.features.ts';

const { asker, other } = twoTenants;
const theirs = recordedConversation(other);
const session = theirs.append.sessionId;
const theirAlarm = 'alarm-1';
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

/** A proof tells nothing of what was said: that it is one of the other's conversation is what must not be known. */
const proofOf = (word: string): TenantRead => ({ ...ofConversation(`/${word}`), mark: `"tenant_id":"${other}"` });

const live = (address: string): TenantRead => ({ own: address, never: address });

/** Every read of the API; a new one must be added here. */
const reads: Readonly<Record<string, TenantRead>> = {
  '/v1/alarms': live('/v1/alarms'),
  '/v1/conversations/{key}': ofConversation(),
  '/v1/conversations/{key}/chat': ofConversation('/chat'),
  '/v1/conversations/{key}/checkpoint': ofConversation('/checkpoint'),
  '/v1/conversations/{key}/events': ofConversation('/events'),
  '/v1/conversations/{key}/rebuild': proofOf('rebuild'),
  '/v1/conversations/{key}/redecide': proofOf('redecide'),
  '/v1/conversations/{key}/state': ofConversation('/state?at=7'),
  '/v1/conversations/{key}/turns/{message_id}/explain': ofConversation(`/turns/${theirs.messageId}/explain`),
  '/v1/conversations/{key}/verify': proofOf('verify'),
  '/v1/dead-letters': live('/v1/dead-letters'),
  '/v1/overview': { ...live('/v1/overview'), mark: `"tenant_id":"${other}"` },
  '/v1/signals/stream': {
    own: `/v1/signals/stream?latest=100&conversation_key=${encodeURIComponent(theirs.append.conversationKey)}`,
    never: `/v1/signals/stream?latest=100&conversation_key=${encodeURIComponent(`${other}:retail_orders:never`)}`,
    spellings: ['/v1/signals/stream?latest=100', `/v1/signals/stream?transaction_id=${theirs.transactionId}`],
  },
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
const ofNobody = ['/', '/health', '/metrics', '/openapi.json', '/page/{name}', '/ready', '/version'];

let database: FreshDatabase;
let engine: EventStore;
let console: TestConsole;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  engine = await openStore('latch_orchestrator');
  for (const tenant of [asker, other]) await keep(recordedConversation(tenant));
  console = await openTestConsole({
    ...{ openStore: () => openStore('latch_console'), authenticate: tenantInCredential },
    before: [asker, other].flatMap(toldOf),
  });
  await eventually(async () => expect(await heardBy(other, '/v1/alarms')).toContain(markOf(other)));
}, 60_000);
afterAll(async () => {
  await Promise.all([console.close(), engine.close()]);
  await database.drop();
});

function openStore(role: 'latch_orchestrator' | 'latch_console'): Promise<EventStore> {
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

/** A signal, an alarm and a dead letter of a tenant, in the same session and about its own order. */
function toldOf(tenant: typeof asker | typeof other): readonly BusMessage[] {
  const { append, transactionId } = recordedConversation(tenant);
  const envelope = makeEnvelope({
    ...{
      eventType: 'IC.TRANSACTION_STARTED',
      payload: { order: markOf(tenant) },
      contractVersion: 'event-envelope-v1',
    },
    ...{ tenantId: tenant, agentId: append.agentId, sessionId: append.sessionId },
    ...{
      conversationKey: append.conversationKey,
      transactionId,
      traceId: 'trace-1',
      eventId: idOf(`started ${tenant}`),
    },
    ...{ producer: 'orchestrator', timestamp: '2026-11-30T12:00:00.000Z' },
  });
  const told = toBusMessage(topics.signals, envelope);
  const record = {
    ...{ topic: topics.turns, partition: 0, offset: tenant === asker ? '1' : '2', key: append.conversationKey },
    ...{ value: Buffer.from(JSON.stringify({ ...envelope, payload: {} })), headers: {}, timestampMs: 0 },
  };
  const reason = { code: 'message.invalid', message: `the order ${markOf(tenant)} is not one` } as const;
  const letter = toDeadLetter({ record, reason, attempts: 1 }, { service: 'orchestrator', groupId: 'orchestrator' });
  return [
    told,
    letter,
    alarmSignal(tenant === asker ? 'alarm-2' : theirAlarm, { tenantId: tenant, problem: markOf(tenant) }),
  ];
}

async function heardBy(tenant: string, path: string): Promise<string> {
  return (await fetch(console.url + path, { headers: { authorization: `Bearer ${tenant}` } })).text();
}

describe('of two tenants with the same sessions, messages and users, one', () => {
  it('is tried on every read that the API has', () => {
    expect(readPathsOf(openApiDocument())).toEqual([...Object.keys(reads), ...ofNobody].sort());
  });

  it.each(Object.entries(reads))(
    'gets nothing of the other from %s, whatever it names, and cannot tell it from what never was',
    async (_path, read) => {
      expect(await leaksIn(console.url, read, secrets)).toEqual([]);
    },
    60_000,
  );

  it.each(ofNobody)('finds nothing of anybody in %s', async (path) => {
    const body = await heardByAnybody(console.url + path.replace('{name}', 'console.js'));
    expect([...secrets, `"${other}"`].filter((secret) => body.includes(secret))).toEqual([]);
  });

  it('is not told what the other misses when it comes back to a stream with the id of one of its signals', async () => {
    const ask = async (lastEventId: string): Promise<string> => {
      const gone = new AbortController();
      const headers = { authorization: `Bearer ${asker}`, 'last-event-id': lastEventId };
      const response = await fetch(`${console.url}/v1/signals/stream`, { headers, signal: gone.signal });
      const first = await response.body?.getReader().read();
      gone.abort();
      return new TextDecoder().decode(first?.value);
    };
    expect(await ask(idOf(`started ${other}`))).toBe(await ask(idOf('never')));
  });

  it('neither clears nor hides an alarm of the other by raising and clearing one under its id', async () => {
    const alarms = (tenant: string): Promise<string> => heardBy(tenant, '/v1/alarms');
    await console.publish(alarmSignal(theirAlarm, { tenantId: asker, problem: 'mine' }));
    await eventually(async () => expect(await alarms(asker)).toContain('mine'));
    await console.publish(alarmSignal(theirAlarm, { tenantId: asker, isCleared: true }));
    await eventually(async () => expect(await alarms(asker)).not.toContain('mine'));
    expect(await alarms(other)).toContain(markOf(other));
  });

  it("reads no dead letter in which nobody could read a tenant: it may be anybody's", async () => {
    const record = {
      ...{ topic: topics.turns, partition: 0, offset: '3', key: theirs.append.conversationKey },
      ...{ value: Buffer.from(`{"tenant_id": "${asker}", "order": "${markOf(other)}"`), headers: {}, timestampMs: 0 },
    };
    const reason = { code: 'message.unparsable', message: 'the text is not JSON' } as const;
    const by = { service: 'orchestrator', groupId: 'orchestrator' };
    await console.publish(toDeadLetter({ record, reason, attempts: 1 }, by));
    const ofNobody = await eventually(async () => {
      const heard = await (await fetch(`${console.url}/v1/dead-letters?tenant_id=unknown`)).text();
      expect(heard).toContain('message.unparsable');
      return heard;
    });
    expect(ofNobody).toContain(markOf(other));
    for (const tenant of [asker, other]) {
      expect(await heardBy(tenant, '/v1/dead-letters?limit=500')).not.toContain('message.unparsable');
      for (const name of ['unknown', 'UNKNOWN', '*', 'platform']) {
        const heard = await heardBy(tenant, `/v1/dead-letters?tenant_id=${name}`);
        expect({ name, heard }).not.toMatchObject({ heard: expect.stringContaining('message.unparsable') });
        expect(heard).toContain('"status":403');
      }
    }
  });

  it('is not told how many streams the other has open', async () => {
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${other}` };
    await fetch(`${console.url}/v1/signals/stream`, { headers, signal: gone.signal });
    expect(await heardBy(other, '/v1/overview')).toContain('"open_streams":1');
    expect(await heardBy(asker, '/v1/overview')).toContain('"open_streams":0');
    gone.abort();
  });
});
