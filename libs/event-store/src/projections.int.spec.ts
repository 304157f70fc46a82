import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TransactionItemRow, type TransactionRow } from './conversation-append.ts';
import { type EventStore } from './event-store.ts';
import { appendBatch, createStoreFixture, messageOf, newKey, type StoreFixture } from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
});
afterAll(() => fixture.close());

const fashion: TransactionItemRow = {
  id: 'fashion',
  label: 'TIM Fashion',
  outcome: null,
  reason: null,
  protocol: null,
};
const neymar: TransactionItemRow = { id: 'neymar', label: 'Neymar Jr', outcome: null, reason: null, protocol: null };

function transaction(more: Partial<TransactionRow> = {}): TransactionRow {
  return {
    id: `transaction-${newKey()}`,
    tool: 'cancelar_vas_avulso',
    status: 'EXECUTING',
    rev: 1,
    arguments: { vas: ['TIM Fashion', 'Neymar Jr'] },
    items: [fashion, neymar],
    outcome: null,
    startedAt: '2026-11-30T12:00:00.000Z',
    endedAt: null,
    ...more,
  };
}

describe('the projection of a transaction', () => {
  it('follows it: status, outcome, and each item with its own outcome', async () => {
    const key = newKey();
    const running = transaction();
    const done = transaction({
      ...running,
      status: 'COMPLETED',
      outcome: 'PARTIAL_SUCCESS',
      endedAt: '2026-11-30T12:00:05.000Z',
      items: [
        { ...fashion, outcome: 'succeeded', protocol: 'P-1' },
        { ...neymar, outcome: 'failed', reason: 'não contratado' },
      ],
    });
    await appendBatch(store, key, { transactions: [running] });
    await appendBatch(store, key, { transactions: [running, done] });
    expect(await store.readTransaction('default', running.id)).toEqual({
      ...done,
      tenantId: 'default',
      agentId: 'telecom_contas',
      conversationKey: key,
    });
  });

  it('loses the items that an amendment took out', async () => {
    const key = newKey();
    const first = transaction();
    await appendBatch(store, key, { transactions: [first] });
    await appendBatch(store, key, { transactions: [{ ...first, rev: 2, items: [neymar] }] });
    expect(await store.readTransaction('default', first.id)).toMatchObject({ rev: 2, items: [neymar] });
    await appendBatch(store, key, { transactions: [{ ...first, rev: 3, items: [] }] });
    expect(await store.readTransaction('default', first.id)).toMatchObject({ rev: 3, items: [] });
  });

  it('never moves to another conversation', async () => {
    const [owner, thief] = [newKey(), newKey()];
    const stolen = transaction();
    await appendBatch(store, owner, { transactions: [stolen] });
    await expect(appendBatch(store, thief, { transactions: [stolen] })).rejects.toMatchObject({
      name: 'TerminalError',
    });
  });
});

describe('the list of transactions', () => {
  it('is filtered, newest first, and shows a tenant only its own', async () => {
    const key = newKey('acme');
    const rows = [
      transaction({ startedAt: '2026-11-30T10:00:00.000Z' }),
      transaction({ startedAt: '2026-11-30T11:00:00.000Z', status: 'COMPLETED' }),
      transaction({ startedAt: '2026-11-30T12:00:00.000Z', tool: 'contestar_cobranca' }),
    ];
    await appendBatch(store, key, { transactions: rows });
    const list = async (filter: object): Promise<readonly string[]> =>
      (await store.listTransactions({ tenantId: 'acme', limit: 10, ...filter })).map(({ id }) => id);
    const [first, second, third] = rows.map(({ id }) => id);
    expect(await list({})).toEqual([third, second, first]);
    expect(await list({ limit: 2 })).toEqual([third, second]);
    expect(await list({ status: 'COMPLETED' })).toEqual([second]);
    expect(await list({ tool: 'contestar_cobranca' })).toEqual([third]);
    expect(await list({ since: '2026-11-30T11:00:00.000Z' })).toEqual([third, second]);
    expect(await list({ agentId: 'telecom_contas', limit: 1 })).toEqual([third]);
    expect(await list({ agentId: 'retail_orders' })).toEqual([]);
    expect(await list({ tenantId: 'rival' })).toEqual([]);
    expect(await store.readTransaction('rival', first ?? '')).toBeUndefined();
  });
});

describe('the count of transactions', () => {
  it('is by state and outcome, from an instant on, of one tenant', async () => {
    const key = newKey('counted');
    const failed = { status: 'COMPLETED', outcome: 'FAILED' } as const;
    await appendBatch(store, key, {
      transactions: [
        transaction(),
        transaction(failed),
        transaction(failed),
        transaction({ startedAt: '2020-01-01T00:00:00.000Z' }),
      ],
    });
    expect(await store.countTransactions({ tenantId: 'counted', since: '2026-01-01T00:00:00.000Z' })).toEqual([
      { ...failed, count: 2 },
      { status: 'EXECUTING', outcome: null, count: 1 },
    ]);
  });
});

describe('the pages of the list', () => {
  it('hold every transaction once, also where several began in the same moment', async () => {
    const key = newKey('pages');
    const rows = Array.from({ length: 5 }, (_, n) =>
      transaction({ startedAt: `2026-11-30T1${n === 0 ? 1 : 2}:00:00.000Z` }),
    );
    await appendBatch(store, key, { transactions: rows });
    const seen: string[] = [];
    for (let page = 0; page < 4; page += 1) {
      const last = seen.at(-1);
      const after = rows.find(({ id }) => id === last);
      const filter = after ? { after: { startedAt: after.startedAt, transactionId: after.id } } : {};
      seen.push(...(await store.listTransactions({ tenantId: 'pages', limit: 2, ...filter })).map(({ id }) => id));
    }
    expect(seen).toHaveLength(5);
    expect([...seen].sort()).toEqual(rows.map(({ id }) => id).sort());
    expect(seen.at(-1)).toBe(rows[0]?.id);
  });
});

describe('deadlines', () => {
  const due = { transactionId: 't-1', rev: 2, at: '2020-01-01T00:00:00.000Z' } as const;

  it('are given when they have passed, until the conversation has another or none', async () => {
    const key = newKey();
    const mine = async (): Promise<readonly unknown[]> =>
      (await store.dueDeadlines({ limit: 1000 })).filter(({ conversationKey }) => conversationKey === key);
    await appendBatch(store, key, { deadline: { ...due, at: '2999-01-01T00:00:00.000Z' } });
    expect(await mine()).toEqual([]);
    await appendBatch(store, key, { deadline: due });
    expect(await mine()).toEqual([
      { ...due, conversationKey: key, tenantId: 'default', agentId: 'telecom_contas', sessionId: 'session-1' },
    ]);
    expect((await store.readConversation('default', key))?.deadline).toEqual(due);
    await appendBatch(store, key, { deadline: null });
    expect(await mine()).toEqual([]);
  });

  it('of a conversation that a batch is working on are left to that batch', async () => {
    const key = newKey();
    await appendBatch(store, key, { deadline: due });
    const seen = await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await tx.load([key]);
      return store.dueDeadlines({ limit: 1000 });
    });
    expect(seen.filter(({ conversationKey }) => conversationKey === key)).toEqual([]);
  });
});

describe('the configuration that a transaction is pinned to', () => {
  const agent = {
    agentId: 'telecom_contas',
    name: 'Contas',
    locale: 'pt-BR',
    timeZone: 'America/Sao_Paulo',
    tenants: ['default'],
    channels: ['web'],
    intents: [],
    tools: {},
    domainWords: [],
    maxClarifications: 2,
    confirmationTtlSeconds: 600,
    collectionTtlSeconds: 3600,
    maxParked: 2,
    digest: 'digest-of-config',
  } as const;

  it('is found by its digest, as it was first saved', async () => {
    await store.saveConfigVersions([agent]);
    await store.saveConfigVersions([{ ...agent, name: 'Other' }]);
    expect(await store.readConfigVersion(agent.digest)).toEqual(agent);
    expect(await store.readConfigVersion('unknown')).toBeUndefined();
  });
});

describe('the clock', () => {
  it('is the database clock, in UTC with milliseconds, and stands still within a batch', async () => {
    const before = await store.now();
    const within = await store.inTransaction(async (tx) => tx.now);
    expect(before).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(within >= before).toBe(true);
  });
});
