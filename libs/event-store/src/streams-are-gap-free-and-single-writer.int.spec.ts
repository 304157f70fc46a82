import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RetryableError } from '@latch/contracts';
import { type EventStore } from './event-store.ts';
import {
  appendBatch,
  appendOf,
  createStoreFixture,
  event,
  messageOf,
  newKey,
  type StoreFixture,
} from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;
let other: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  [store, other] = await Promise.all([fixture.open(), fixture.open()]);
});
afterAll(() => fixture.close());

describe('a stream', () => {
  it('has every version once, from 1, over many batches', async () => {
    const key = newKey();
    for (let batch = 0; batch < 5; batch += 1) {
      await appendBatch(store, key, { events: [event({ batch }), event({ batch })] });
    }
    const events = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await store.readConversation('default', key))?.version).toBe(10);
  });

  it('stays as it was when a batch decides nothing', async () => {
    const key = newKey();
    await appendBatch(store, key, { events: [] });
    await appendBatch(store, key, { events: [], state: { status: 'SAME' } });
    expect(await store.readConversation('default', key)).toMatchObject({ version: 0, state: { status: 'SAME' } });
  });

  it('is read from any version on, at most as many events as asked', async () => {
    const key = newKey();
    await appendBatch(store, key, { events: [event(1), event(2), event(3), event(4)] });
    const events = await store.readEvents({ tenantId: 'default', key, after: 1, limit: 2 });
    expect(events.map(({ version, payload }) => [version, payload])).toEqual([
      [2, 2],
      [3, 3],
    ]);
  });

  it('is read for one transaction, or for some types of event, in order', async () => {
    const key = newKey();
    const about = { transactionId: 't-1' };
    await appendBatch(store, key, {
      events: [event(1), event(2, about), event(3, { ...about, type: 'TransactionEnded' }), event(4)],
    });
    const read = async (filter: object): Promise<readonly unknown[]> => {
      const events = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 10, ...filter });
      return events.map(({ payload }) => payload);
    };
    expect(await read(about)).toEqual([2, 3]);
    expect(await read({ types: ['TurnReceived'] })).toEqual([1, 2, 4]);
    expect(await read({ ...about, types: ['TransactionEnded'] })).toEqual([3]);
  });

  it('belongs to its tenant: another one neither reads nor writes it', async () => {
    const key = newKey();
    await appendBatch(store, key);
    expect(await store.readConversation('rival', key)).toBeUndefined();
    expect(await store.readEvents({ tenantId: 'rival', key, after: 0, limit: 10 })).toEqual([]);
    const intruder = store.inTransaction((tx) => tx.claim([messageOf(key, { tenantId: 'rival' })]));
    await expect(intruder).rejects.toMatchObject({ name: 'TerminalError', options: { code: 'auth.forbidden' } });
  });
});

describe('two writers', () => {
  it('fail the one whose version is stale, and store nothing of it', async () => {
    const key = newKey();
    await appendBatch(store, key);
    const stale = other.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await tx.load([key]);
      await tx.append([appendOf(key, { expectedVersion: 0, events: [event('stale')] })]);
    });
    await expect(stale).rejects.toBeInstanceOf(RetryableError);
    expect((await store.readConversation('default', key))?.version).toBe(1);
  });

  it('wait for each other on one conversation, so that the second decides on what the first wrote', async () => {
    const key = newKey();
    await appendBatch(store, key);
    await Promise.all(Array.from({ length: 20 }, (_, index) => appendBatch(index % 2 ? store : other, key)));
    const events = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
    expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });

  it('that meet on a new conversation leave one stream, without a gap', async () => {
    const key = newKey();
    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => appendBatch(index % 2 ? store : other, key)),
    );
    const failures = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    for (const failure of failures) expect(failure).toBeInstanceOf(RetryableError);
    const events = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
    expect(events.map(({ version }) => version)).toEqual(
      Array.from({ length: attempts.length - failures.length }, (_, index) => index + 1),
    );
    const streams = await fixture.sql('SELECT 1 FROM streams WHERE conversation_key = $1', [key]);
    expect(streams).toHaveLength(1);
  });

  it('never wait in a circle when they load the same conversations in opposite orders', async () => {
    const keys = Array.from({ length: 8 }, () => newKey());
    for (const key of keys) await appendBatch(store, key);
    const batch = (of: EventStore, order: readonly (typeof keys)[number][]): Promise<void> =>
      of.inTransaction(async (tx) => {
        await tx.claim(order.map((key) => messageOf(key)));
        const loaded = await tx.load(order);
        await tx.append(order.map((key) => appendOf(key, { expectedVersion: loaded.get(key)?.version ?? -1 })));
      });
    const rounds = Array.from({ length: 6 }, () => [batch(store, keys), batch(other, keys.toReversed())]);
    await Promise.all(rounds.flat());
    const conversation = await store.readConversation('default', keys[0] ?? newKey());
    expect(conversation?.version).toBe(13);
  });
});
