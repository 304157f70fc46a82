import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Attempt, type ConversationKey, type RawOutcome, type ToolExecution } from '@latch/contracts';
import { testKeyRing } from '@latch/testing';
import { randomBytes } from 'node:crypto';
import { erasePerson } from './erase-person.ts';
import { openMaintenance } from './open-maintenance.ts';
import { rewrapKeys } from './rewrap-keys.ts';
import {
  appendBatch,
  approved,
  createStoreFixture,
  event,
  newKey,
  outgoing,
  silentLogger,
  type StoreFixture,
} from './store-fixture.features.ts';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import { everyCell } from './every-cell.features.ts';

/** Invariant I16 at rest: whoever holds the database and not the keys reads nothing that a person said or asked for. */
let fixture: StoreFixture;
let store: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
});
afterAll(() => fixture.close());

const said = 'Meu CPF é 529.982.247-25 e quero cancelar';
const person = 'ana.souza@example.com';
const secrets = [
  '529.982.247-25',
  'quero cancelar',
  'ana.souza',
  'PED-7777',
  'Camiseta azul',
  'PROT-4242',
  'já foi entregue',
];

async function converse(): Promise<{ key: ConversationKey; invocationId: string }> {
  const key = newKey();
  const call = approved(key, {
    invocation: {
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      tool_name: 'cancelar',
      arguments: { order_id: 'PED-7777', cpf: '529.982.247-25' },
    },
  });
  await appendBatch(store, key, {
    person,
    state: { status: 'EXECUTING', text: said },
    events: [
      event({ type: 'TurnReceived', input: { turnId: 't1', text: said, userId: person }, status: 'IDLE' }),
      event(
        { type: 'TurnAnswered', turnId: 't1', slots: [{ kind: 'x', text: said }], answeredAt: 'now' },
        { type: 'TurnAnswered' },
      ),
    ],
    turns: [
      {
        turnId: `turn-${key}`,
        messageId: 'm',
        bodyDigest: 'd',
        status: 'done',
        response: JSON.stringify({ text: said }),
      },
    ],
    transactions: [
      {
        id: `tx-${key}`,
        tool: 'cancelar',
        status: 'AWAITING_CONFIRMATION',
        rev: 1,
        arguments: { order_id: 'PED-7777' },
        items: [
          {
            id: 'PED-7777',
            label: 'Camiseta azul',
            outcome: 'failed',
            reason: 'já foi entregue',
            protocol: 'PROT-4242',
          },
        ],
        outcome: null,
        startedAt: '2026-11-30T12:00:00.000Z',
        endedAt: null,
      },
    ],
    invocations: [call],
    outgoing: [outgoing(key, said)],
  });
  return { key, invocationId: call.invocationId };
}

async function execute(invocationId: string, key: ConversationKey): Promise<void> {
  const { ledger } = await fixture.open('tool-executor');
  await ledger.claim([{ invocationId }], { owner: 'e1', leaseMs: 60_000 });
  await ledger.startAttempt({ invocationId, number: 1, step: 'cancelar:PED-7777', owner: 'e1', leaseMs: 60_000 });
  const outcome: RawOutcome = { kind: 'result', result: { content: [{ type: 'text', text: said }] } };
  const attempt = { number: 1, started_at: '2026-11-30T12:00:00.000Z', ended_at: '2026-11-30T12:00:01.000Z', outcome };
  const execution = executionOf(invocationId, attempt);
  const recorded = await ledger.recordOutcome({
    invocationId,
    owner: 'e1',
    execution,
    outgoing: [outgoing(key, said)],
  });
  expect(recorded).toBe(true);
}

describe('the store of a conversation', () => {
  it('holds nothing in the clear that the person said, asked for or was told', async () => {
    const { key, invocationId } = await converse();
    await execute(invocationId, key);
    const dump = await everyCell(fixture);
    expect(dump.length).toBeGreaterThan(1_000);
    for (const secret of secrets) expect(dump).not.toContain(secret);
  });

  it('gives everything back as it was', async () => {
    const { key, invocationId } = await converse();
    await execute(invocationId, key);
    const [received] = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 1 });
    expect(received?.payload).toMatchObject({ input: { text: said, userId: person }, status: 'IDLE' });
    expect(await store.readConversation('default', key)).toMatchObject({ state: { text: said } });
    expect(await store.readTurn('default', `turn-${key}`)).toMatchObject({ response: JSON.stringify({ text: said }) });
    expect(await store.readTransaction('default', `tx-${key}`)).toMatchObject({
      arguments: { order_id: 'PED-7777' },
      items: [
        { id: 'PED-7777', label: 'Camiseta azul', outcome: 'failed', reason: 'já foi entregue', protocol: 'PROT-4242' },
      ],
    });
    expect(await store.readApprovedInvocation(invocationId)).toMatchObject({
      invocation: { arguments: { order_id: 'PED-7777' } },
    });
    const entry = await store.ledger.read(invocationId);
    expect(JSON.stringify([entry?.execution, entry?.attempts])).toContain(said);
    expect(entry?.attempts).toMatchObject([{ number: 1, step: 'cancelar:PED-7777' }]);
    const pending = await store.outbox.readPending({ olderThanMs: 0, limit: 100 });
    expect(pending.filter((message) => message.key === key).map(({ value }) => value)).toEqual([
      JSON.stringify({ text: said }),
    ]);
  });

  it('is opened by no process without the key, and lost by none: it waits', async () => {
    const { key } = await converse();
    const stranger = { current: 'x', keys: new Map([['x', randomBytes(32)]]) };
    const other = await openEventStore({
      databaseUrl: fixture.url,
      producer: 'x',
      logger: silentLogger,
      personalData: stranger,
    });
    await expect(other.readConversation('default', key)).rejects.toMatchObject({ name: 'RetryableError' });
    await other.close();
    const none = await openEventStore({ databaseUrl: fixture.url, producer: 'x', logger: silentLogger });
    await expect(none.readConversation('default', key)).rejects.toThrow(/LATCH_DATA_KEY/);
    await none.close();
  });

  it('is read with a new key of the ring after the data keys were wrapped anew', async () => {
    const { key } = await converse();
    const next = { current: '2027', keys: new Map([['2027', randomBytes(32)], ...testKeyRing.keys]) };
    const maintenance = openMaintenance({ databaseUrl: fixture.url, personalData: next, logger: silentLogger });
    expect(await rewrapKeys(maintenance, next)).toBeGreaterThan(0);
    expect(await rewrapKeys(maintenance, next)).toBe(0);
    const only = { current: '2027', keys: new Map([...next.keys].slice(0, 1)) };
    const later = await openEventStore({
      databaseUrl: fixture.url,
      producer: 'x',
      logger: silentLogger,
      personalData: only,
    });
    expect(await later.readConversation('default', key)).toMatchObject({ state: { text: said } });
    await later.close();
    expect(await rewrapKeys(maintenance, { ...next, current: 'test' })).toBeGreaterThan(0);
    await maintenance.close();
  });
});

describe('two tenants with a user of the same name', () => {
  it('are two people: erasing the one leaves the other', async () => {
    const mine = newKey('tenant-a');
    const theirs = newKey('tenant-b');
    for (const key of [mine, theirs]) await appendBatch(store, key, { person: 'same-name', state: { text: said } });
    const maintenance = openMaintenance({ databaseUrl: fixture.url, personalData: testKeyRing, logger: silentLogger });
    await fixture.sql('DELETE FROM outbox');
    await erasePerson(maintenance, { tenantId: 'tenant-a', who: { userId: 'same-name' } });
    await maintenance.close();
    expect(await store.readConversation('tenant-a', mine)).toMatchObject({ state: null });
    expect(await store.readConversation('tenant-b', theirs)).toMatchObject({ state: { text: said } });
  });
});

function executionOf(invocationId: string, attempt: Attempt & { readonly outcome: RawOutcome }): ToolExecution {
  const call = {
    tenant_id: 'default',
    agent_id: 'telecom_contas',
    tool_name: 'cancelar',
    arguments: { order_id: 'PED-7777' },
  };
  return {
    invocation_id: invocationId,
    invocation: call,
    outcome: attempt.outcome,
    attempts: [attempt],
    latency_ms: 1,
  };
}
