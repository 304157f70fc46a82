import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@latch/testing';
import { type BusMessage } from '@latch/contracts';
import { type EventStore } from './event-store.ts';
import {
  appendBatch,
  appendOf,
  createStoreFixture,
  event,
  messageOf,
  newKey,
  outgoing,
  type StoreFixture,
} from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
});
beforeEach(async () => {
  store = await fixture.open(`orchestrator-${newKey()}`);
});
afterAll(() => fixture.close());

const all = { olderThanMs: 0, limit: 1000 } as const;

describe('the outbox', () => {
  it('holds the messages of committed batches, in order per conversation, exactly as they were given', async () => {
    const key = newKey();
    const messages = ['one', 'two', 'três \u0000'].map((text) => outgoing(key, text));
    await appendBatch(store, key, { outgoing: messages.slice(0, 2) });
    await appendBatch(store, newKey(), { outgoing: [outgoing(key, 'other')] });
    await appendBatch(store, key, { outgoing: messages.slice(2) });
    const pending = await store.outbox.readPending(all);
    expect(pending.filter((message) => messages.some(({ eventId }) => eventId === message.eventId))).toEqual(messages);
  });

  it('shows nothing that is not committed, and nothing of a batch that fails', async () => {
    const key = newKey();
    const seen: BusMessage[][] = [];
    const batch = store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await tx.load([key]);
      await tx.append([appendOf(key, { outgoing: [outgoing(key, 'never')] })]);
      seen.push(await store.outbox.readPending(all));
      throw new Error('no');
    });
    await expect(batch).rejects.toThrow('no');
    expect([...seen, await store.outbox.readPending(all)]).toEqual([[], []]);
  });

  it('leaves young messages to the batch that is just publishing them', async () => {
    const key = newKey();
    await appendBatch(store, key, { outgoing: [outgoing(key, 'young')] });
    expect(await store.outbox.readPending({ olderThanMs: 60_000, limit: 10 })).toEqual([]);
  });

  it('gives the oldest first when there is more than the limit', async () => {
    const key = newKey();
    const messages = Array.from({ length: 5 }, (_, index) => outgoing(key, String(index)));
    await appendBatch(store, key, { outgoing: messages });
    expect(await store.outbox.readPending({ olderThanMs: 0, limit: 3 })).toEqual(messages.slice(0, 3));
  });

  it('belongs to its producer', async () => {
    const executor = await fixture.open('tool-executor-of-this-test');
    const key = newKey();
    const message = outgoing(key, 'mine');
    await appendBatch(store, key, { outgoing: [message] });
    await executor.outbox.markPublished([message.eventId]);
    expect(await executor.outbox.readPending(all)).toEqual([]);
    expect(await store.outbox.readPending(all)).toEqual([message]);
  });

  it('forgets what the relay published, and says how much waits', async () => {
    const key = newKey();
    const messages = [outgoing(key, 'one'), outgoing(key, 'two')];
    await appendBatch(store, key, { outgoing: messages });
    await store.outbox.markPublished([messages[0]?.eventId ?? '']);
    expect(await store.outbox.readPending(all)).toEqual(messages.slice(1));
    const { pending, oldestAgeSeconds } = await store.outbox.measure();
    expect(pending).toBe(1);
    expect(oldestAgeSeconds).toBeGreaterThan(0);
  });
});

describe('the next batch', () => {
  it('forgets what the batch before published, and finds only what a crash left', async () => {
    const key = newKey();
    const [published, left] = [outgoing(key, 'published'), outgoing(key, 'left')];
    await appendBatch(store, key, { outgoing: [published, left] });
    const pending = await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await tx.forgetPublished([published.eventId]);
      await tx.load([key]);
      return tx.loadPendingOutgoing([key]);
    });
    expect(pending).toEqual([left]);
  });

  it('keeps an answer that it sends again under its old id', async () => {
    const key = newKey();
    const answer = outgoing(key, 'answer');
    await appendBatch(store, key, { outgoing: [answer] });
    await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      const loaded = await tx.load([key]);
      const expectedVersion = loaded.get(key)?.version ?? 0;
      await tx.append([appendOf(key, { expectedVersion, events: [], outgoing: [answer] })]);
      await tx.forgetPublished([answer.eventId]);
    });
    expect(await store.outbox.readPending(all)).toEqual([answer]);
  });
});

describe('a follower of all events', () => {
  it('never misses a batch that commits late', async () => {
    const [early, late] = [newKey(), newKey()];
    await appendBatch(store, early, { events: [event('before')] });
    const auditor = await fixture.open('auditor');
    const payloads: unknown[] = [];
    let after: { writtenBy: string; position: string } | null = null;
    const follow = async (): Promise<void> => {
      for (const { payload, at } of await auditor.followEvents({ after, limit: 1000 })) {
        payloads.push(payload);
        after = at;
      }
    };
    await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(late)]);
      await tx.load([late]);
      await tx.append([appendOf(late, { events: [event('late')] })]);
      await appendBatch(store, early, { events: [event('overtakes')] });
      await follow();
    });
    // A transaction that is still open anywhere in the cluster, as of a suite beside this one, keeps later writes back until it ends.
    await eventually(async () => {
      await follow();
      const ours = payloads.filter((payload) => typeof payload === 'string');
      expect(ours).toEqual(['before', 'late', 'overtakes']);
    });
  });
});
