import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConversationKey } from '@latch/contracts';
import { testKeyRing } from '@latch/testing';
import { v7 as newUuid } from 'uuid';
import { applyRetention, firstKeptMonth, type Retained, type RetentionRules } from './apply-retention.ts';
import { type ConversationAppend } from './conversation-append.ts';
import { type EventStore } from './event-store.ts';
import {
  appendBatch,
  approved,
  createStoreFixture,
  silentLogger,
  event,
  newKey,
  type StoreFixture,
} from './store-fixture.features.ts';
import { openMaintenance } from './open-maintenance.ts';
import { verifyChain } from './verify-chain.ts';

let fixture: StoreFixture;
let store: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
});
afterAll(() => fixture.close());

/** As a service does it, in its role. */
async function retain(rules: RetentionRules): Promise<Retained> {
  const role = 'latch_orchestrator';
  const replica = openMaintenance({ databaseUrl: fixture.url, personalData: testKeyRing, logger: silentLogger, role });
  try {
    return await applyRetention(replica, rules);
  } finally {
    await replica.close();
  }
}

const ninetyDays = 90 * 86_400_000;

/** A conversation of so many milliseconds ago: its rows and its key are set back. */
async function oldConversation(
  tenantId: string,
  more: Partial<ConversationAppend> = {},
  agoMs = ninetyDays,
): Promise<ConversationKey> {
  const key = newKey(tenantId);
  const turn = { turnId: newUuid(), messageId: 'm', bodyDigest: 'd', status: 'done' as const, response: 'segredo' };
  const heard = event({ type: 'TurnReceived', input: { turnId: 't', text: 'segredo' } });
  await appendBatch(store, key, {
    person: key,
    state: { said: 'segredo' },
    events: [heard],
    turns: [turn],
    invocations: [approved(key)],
    ...more,
  });
  const then = new Date(Date.now() - agoMs).toISOString();
  const mine = `stream_id = (SELECT stream_id FROM streams WHERE conversation_key = $1)`;
  await fixture.sql(
    `UPDATE person_keys SET period = $2 WHERE key_id IN (SELECT key_id FROM person_streams WHERE ${mine})`,
    [key, then.slice(0, 7)],
  );
  await fixture.sql(`UPDATE turns SET created_at = $2 WHERE ${mine}`, [key, then]);
  await fixture.sql(`UPDATE approved_invocations SET approved_at = $2 WHERE ${mine}`, [key, then]);
  return key;
}

async function rowsOf(table: string, key: ConversationKey): Promise<number> {
  const [row] = await fixture.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} JOIN streams USING (stream_id) WHERE conversation_key = $1`,
    [key],
  );
  return row?.count ?? 0;
}

describe('retention', () => {
  it('begins with the month that ended longer ago than data is kept', () => {
    expect(firstKeptMonth('2026-11-30T12:00:00.000Z', 30)).toBe('2026-10');
    expect(firstKeptMonth('2026-11-30T12:00:00.000Z', 29)).toBe('2026-11');
    expect(firstKeptMonth('2026-03-01T00:00:00.000Z', 365)).toBe('2025-03');
  });
});

describe('personal data that is older than its tenant keeps it', () => {
  it('is let go of for that tenant alone; events stay and verify, rows beside them go', async () => {
    const [short, long, other] = [
      await oldConversation('short'),
      await oldConversation('long'),
      await oldConversation('other'),
    ];
    const young = await oldConversation('short', {}, 0);
    const let_go = await retain({ defaultDays: null, tenants: { short: 10, long: 400 } });
    expect(let_go).toMatchObject({ keys: 1, rows: 2 });
    expect(await store.readConversation('short', short)).toMatchObject({ state: { erased: true } });
    expect([await rowsOf('turns', short), await rowsOf('approved_invocations', short)]).toEqual([0, 0]);
    for (const key of [long, other, young]) {
      expect(await store.readConversation(key.split(':')[0] ?? '', key)).toMatchObject({ state: { said: 'segredo' } });
      expect([await rowsOf('turns', key), await rowsOf('approved_invocations', key)]).toEqual([1, 1]);
    }
    const conversation = await store.readConversation('short', short);
    const events = await store.readEvents({ tenantId: 'short', key: short, after: 0, limit: 10 });
    expect(events).toMatchObject([{ isErased: true, payload: { input: { turnId: 't', text: { erased: true } } } }]);
    const stream = { streamId: conversation?.streamId ?? '', conversationKey: short, tenantId: 'short' };
    expect(verifyChain(stream, events, { version: 1, hash: conversation?.headHash ?? '' }).ok).toBe(true);
  });

  it('is let go of by the default where the tenant is not named, and the conversation goes on behind a tombstone', async () => {
    const key = await oldConversation('unnamed');
    await retain({ defaultDays: 10, tenants: { long: null, other: null } });
    await appendBatch(store, key, { person: key, state: { said: 'novo' } });
    const events = await store.readEvents({ tenantId: 'unnamed', key, after: 0, limit: 10 });
    expect(events.map(({ type }) => type)).toEqual(['TurnReceived', 'PersonalDataErased', 'TurnReceived']);
    expect(events[1]?.payload).toMatchObject({ reason: 'retention' });
  });

  it('is kept while a call is under way', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const base = { tool: 't', rev: 1, arguments: {}, items: [], outcome: null, startedAt: at, endedAt: null };
    const key = await oldConversation('busy', {
      transactions: [{ ...base, id: newUuid(), status: 'OUTCOME_UNKNOWN' }],
    });
    expect(await retain({ defaultDays: null, tenants: { busy: 10 } })).toMatchObject({ keys: 0 });
    expect(await store.readConversation('busy', key)).toMatchObject({ state: { said: 'segredo' } });
  });

  it('is let go of once by many replicas at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => oldConversation('many')));
    const rules = { defaultDays: null, tenants: { many: 10 } };
    const done = await Promise.all([retain(rules), retain(rules), retain(rules)]);
    expect(done.reduce((sum, { keys }) => sum + keys, 0)).toBe(20);
  });
});
