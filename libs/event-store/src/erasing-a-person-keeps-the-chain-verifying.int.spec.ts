import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConversationKey } from '@latch/contracts';
import { testKeyRing } from '@latch/testing';
import { v7 as newUuid } from 'uuid';
import { type ConversationAppend } from './conversation-append.ts';
import { type Erasure, erasePerson } from './erase-person.ts';
import { type EventStore } from './event-store.ts';
import { type Maintenance, openMaintenance } from './open-maintenance.ts';
import {
  appendBatch,
  appendOf,
  approved,
  createStoreFixture,
  event,
  messageOf,
  newKey,
  outgoing,
  silentLogger,
  type StoreFixture,
} from './store-fixture.features.ts';
import { verifyChain } from './verify-chain.ts';

/** Invariants I15 and I16: a person is forgotten, and the evidence of what happened still holds together. */
let fixture: StoreFixture;
let store: EventStore;
let replica: EventStore;
let maintenance: Maintenance;

beforeAll(async () => {
  fixture = await createStoreFixture();
  [store, replica] = [await fixture.open(), await fixture.open()];
  maintenance = openMaintenance({ databaseUrl: fixture.url, personalData: testKeyRing, logger: silentLogger });
});
afterEach(() => fixture.sql('DELETE FROM outbox'));
afterAll(async () => {
  await maintenance.close();
  await fixture.close();
});

const said = 'meu segredo';

function erase(userId: string, more: object = {}): Promise<Erasure> {
  return erasePerson(maintenance, { tenantId: 'default', who: { userId }, waitMs: 0, ...more });
}

function transaction(
  key: string,
  status: ConversationAppend['transactions'][number]['status'],
): ConversationAppend['transactions'][number] {
  const at = '2026-11-30T12:00:00.000Z';
  const items = [{ id: 'PED-1', label: 'PED-1', outcome: null }];
  return {
    id: `tx-${key}`,
    tool: 'cancelar',
    status,
    rev: 1,
    arguments: { order_id: 'PED-1' },
    items,
    outcome: null,
    startedAt: at,
    endedAt: null,
  };
}

async function talk(
  person: string | null,
  more: Partial<ConversationAppend> = {},
  key = newKey(),
): Promise<ConversationKey> {
  const heard = { type: 'TurnReceived', input: { turnId: 't', text: said, userId: person }, status: 'IDLE' };
  const turn = { turnId: newUuid(), messageId: 'm', bodyDigest: 'd', status: 'done' as const, response: said };
  await appendBatch(store, key, {
    person,
    state: { said },
    events: [event(heard), event(heard)],
    turns: [turn],
    ...more,
  });
  return key;
}

async function assertVerifies(key: ConversationKey): Promise<void> {
  const conversation = await store.readConversation('default', key);
  const events = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
  const head = { version: conversation?.version ?? 0, hash: conversation?.headHash ?? '' };
  const stream = { streamId: conversation?.streamId ?? '', conversationKey: key, tenantId: 'default' };
  expect(verifyChain(stream, events, head)).toEqual({ ok: true, value: undefined });
}

async function everythingReadOf(key: ConversationKey, from = replica): Promise<string> {
  const events = await from.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
  return JSON.stringify([
    await from.readConversation('default', key),
    events.map(({ payload }) => payload),
    await from.readTransaction('default', `tx-${key}`),
  ]);
}

describe('a person who was erased', () => {
  it('is read nowhere any more, and every chain verifies, the tombstone included', async () => {
    const key = await talk('ana', {});
    await talk('ana', { transactions: [transaction(key, 'AWAITING_CONFIRMATION')] }, key);
    expect(await everythingReadOf(key)).toContain(said);
    expect(await erase('ana')).toMatchObject({ outcome: 'erased', keys: 1, conversations: 1, tombstones: 1 });
    expect(await everythingReadOf(key)).not.toContain(said);
    const events = await replica.readEvents({ tenantId: 'default', key, after: 0, limit: 10 });
    expect(events.map(({ type, isErased }) => [type, isErased ?? false])).toEqual([
      ...Array.from({ length: 4 }, () => ['TurnReceived', true]),
      ['PersonalDataErased', false],
    ]);
    expect(events[0]?.payload).toMatchObject({
      status: 'IDLE',
      input: { turnId: 't', text: { erased: true }, userId: { erased: true } },
    });
    expect(events.at(-1)?.payload).toMatchObject({ reason: 'erase' });
    await assertVerifies(key);
  });

  it('leaves no open transaction behind: it is canceled, its arguments are gone', async () => {
    const key = newKey();
    await talk(
      'bia',
      {
        transactions: [transaction(key, 'COLLECTING_PARAMETERS')],
        deadline: { transactionId: 'x', rev: 1, at: '2026-01-01T00:00:00.000Z' },
      },
      key,
    );
    await erase('bia');
    expect(await store.readTransaction('default', `tx-${key}`)).toMatchObject({
      status: 'CANCELLED',
      isErased: true,
      arguments: { erased: true },
    });
    expect(await store.readConversation('default', key)).toMatchObject({ state: null, deadline: null });
  });

  it('may speak again: the conversation begins anew, under a new key', async () => {
    const key = await talk('caio');
    await erase('caio');
    await talk(
      'caio',
      { state: { said: 'outra coisa' }, events: [event({ type: 'TurnReceived', input: { text: 'outra coisa' } })] },
      key,
    );
    expect(await everythingReadOf(key)).toContain('outra coisa');
    expect(await everythingReadOf(key)).not.toContain(said);
    await assertVerifies(key);
    expect(await erase('caio')).toMatchObject({ outcome: 'erased', keys: 1, tombstones: 1 });
    expect(await everythingReadOf(key)).not.toContain('outra coisa');
    await assertVerifies(key);
  });

  it('can be erased again, with nothing left to do; a stranger is told to be one', async () => {
    await talk('dora');
    await erase('dora');
    expect(await erase('dora')).toEqual({
      outcome: 'already_erased',
      keys: 0,
      conversations: 1,
      tombstones: 0,
      underWay: [],
    });
    expect(await erase('nobody')).toMatchObject({ outcome: 'unknown', conversations: 0 });
  });

  it('without a name is the conversation itself', async () => {
    const [key, other] = [await talk(null), await talk('anonymous')];
    const erasure = await erasePerson(maintenance, { tenantId: 'default', who: { conversationKey: key } });
    expect(erasure).toMatchObject({ outcome: 'erased', conversations: 1 });
    expect(await everythingReadOf(key)).not.toContain(said);
    expect(await everythingReadOf(other)).toContain(said);
  });

  it('with a name is not found by a conversation, which is not told to be unknown', async () => {
    const [key, nowhere] = [await talk('hugo'), newKey()];
    const by = (conversationKey: string): ReturnType<typeof erasePerson> =>
      erasePerson(maintenance, { tenantId: 'default', who: { conversationKey } });
    expect(await by(key)).toMatchObject({ outcome: 'named', keys: 0, tombstones: 0 });
    expect(await everythingReadOf(key)).toContain(said);
    expect(await by(nowhere)).toMatchObject({ outcome: 'unknown' });
  });

  it('is forgotten in a conversation of two as well', async () => {
    const key = await talk('eva');
    await talk('ivo', { state: { said, by: 'ivo' } }, key);
    await erase('eva');
    expect(await store.readConversation('default', key)).toMatchObject({ state: null });
    expect(await erase('eva')).toMatchObject({ outcome: 'already_erased' });
    await assertVerifies(key);
  });
});

describe('a batch that runs while its person is erased', () => {
  it('commits before the keys are destroyed, and what it sealed is erased too', async () => {
    const key = await talk('fabio');
    let running: Promise<Erasure> | undefined;
    await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      const version = (await tx.load([key])).get(key)?.version ?? 0;
      running = erase('fabio');
      await new Promise((resolve) => setTimeout(resolve, 300));
      await tx.append([appendOf(key, { expectedVersion: version, person: 'fabio', state: { said: 'tarde demais' } })]);
    });
    expect(await running).toMatchObject({ outcome: 'erased', tombstones: 1 });
    expect(await everythingReadOf(key)).not.toMatch(/tarde demais|quero cancelar/);
    await assertVerifies(key);
  });

  it('of a conversation that is just begun is waited for all the same', async () => {
    await talk('gil');
    const key = newKey();
    let running: Promise<Erasure> | undefined;
    await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await tx.load([key]);
      await tx.append([appendOf(key, { person: 'gil', state: { said: 'novo' } })]);
      running = erase('gil');
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    expect(await running).toMatchObject({ outcome: 'erased', conversations: 2, tombstones: 2 });
    expect(await everythingReadOf(key)).not.toMatch(/novo|quero cancelar/);
  });

  it('finds the tombstone written by whoever comes first when a crash came between', async () => {
    const key = await talk('hugo');
    await fixture.sql(
      `UPDATE person_keys SET wrapped_key = NULL, destroyed_at = clock_timestamp(), destroyed_by = 'retention'
       WHERE key_id IN (SELECT key_id FROM person_streams JOIN streams USING (stream_id) WHERE conversation_key = $1)`,
      [key],
    );
    expect(await store.readConversation('default', key)).toMatchObject({ state: { erased: true } });
    await talk('hugo', { state: { said: 'de novo' } }, key);
    const events = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 10 });
    expect(events.map(({ type }) => type)).toEqual([
      'TurnReceived',
      'TurnReceived',
      'PersonalDataErased',
      'TurnReceived',
      'TurnReceived',
    ]);
    expect(await everythingReadOf(key)).toContain('de novo');
    await assertVerifies(key);
  });
});

describe('a person with something under way', () => {
  it.each(['EXECUTING', 'OUTCOME_UNKNOWN', 'PRE_VALIDATION'] as const)(
    'is not erased while a transaction is %s',
    async (status) => {
      const person = `under-way-${status}`;
      const key = newKey();
      await talk(person, { transactions: [transaction(key, status)] }, key);
      expect(await erase(person)).toMatchObject({
        outcome: 'blocked',
        keys: 0,
        underWay: [{ what: 'transaction', id: `tx-${key}`, status }],
      });
      expect(await everythingReadOf(key)).toContain(said);
    },
  );

  it('is not erased before everything that was said to the person is published', async () => {
    const key = newKey();
    await talk('lia', { outgoing: [outgoing(key, said)] }, key);
    expect(await erase('lia')).toMatchObject({ outcome: 'blocked', underWay: [{ what: 'message' }] });
    setTimeout(() => void fixture.sql('DELETE FROM outbox'), 300);
    expect(await erase('lia', { waitMs: 5_000 })).toMatchObject({ outcome: 'erased' });
  });

  it('can be erased by force: the outcome is recorded nowhere and told to nobody, and is not claimed', async () => {
    const key = newKey();
    const call = approved(key);
    await talk('max', { transactions: [transaction(key, 'EXECUTING')], invocations: [call] }, key);
    const executor = await fixture.open('tool-executor');
    const { invocationId } = call;
    await executor.ledger.claim([call], { owner: 'e', leaseMs: 60_000 });
    await executor.ledger.startAttempt({ invocationId, number: 1, owner: 'e', leaseMs: 60_000 });
    expect(await erase('max', { evenIfUnderWay: true })).toMatchObject({ outcome: 'erased' });
    expect(await executor.readApprovedInvocation(invocationId)).toMatchObject({
      isErased: true,
      invocation: { arguments: { erased: true } },
    });
    const outcome = { kind: 'result' as const, result: { content: [{ type: 'text', text: said }] } };
    const attempts = [{ number: 1, started_at: '2026-11-30T12:00:00.000Z', outcome }];
    const execution = { invocation_id: invocationId, invocation: call.invocation, outcome, attempts, latency_ms: 1 };
    await executor.ledger.recordOutcome({ invocationId, owner: 'e', execution, outgoing: [outgoing(key, said)] });
    expect(await fixture.sql('SELECT execution FROM tool_ledger WHERE invocation_id = $1', [invocationId])).toEqual([
      { execution: { erased: true } },
    ]);
    expect(await executor.outbox.readPending({ olderThanMs: 0, limit: 10 })).toEqual([]);
    expect(await store.readTransaction('default', `tx-${key}`)).toMatchObject({ status: 'EXECUTING', isErased: true });
  });
});
