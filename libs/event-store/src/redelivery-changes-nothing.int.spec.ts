import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStore } from './event-store.ts';
import {
  appendBatch,
  appendOf,
  createStoreFixture,
  messageOf,
  newKey,
  type StoreFixture,
} from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
});
afterAll(() => fixture.close());

describe('a message that was claimed', () => {
  it('is a repeat for ever after, and says whether its body is the same', async () => {
    const message = messageOf(newKey());
    expect(await store.inTransaction((tx) => tx.claim([message]))).toEqual([{ kind: 'fresh' }]);
    const again = await store.inTransaction((tx) => tx.claim([message, { ...message, bodyDigest: 'digest-2' }]));
    expect(again).toEqual([
      { kind: 'repeat', bodyMatches: true },
      { kind: 'repeat', bodyMatches: false },
    ]);
  });

  it('is fresh for another consumer', async () => {
    const message = messageOf(newKey());
    await store.inTransaction((tx) => tx.claim([message]));
    const other = await store.inTransaction((tx) => tx.claim([{ ...message, consumer: 'somebody.else' }]));
    expect(other).toEqual([{ kind: 'fresh' }]);
  });

  it('is fresh again when its batch rolled back', async () => {
    const message = messageOf(newKey());
    const failed = store.inTransaction(async (tx) => {
      await tx.claim([message]);
      throw new Error('decide failed');
    });
    await expect(failed).rejects.toThrow('decide failed');
    expect(await store.inTransaction((tx) => tx.claim([message]))).toEqual([{ kind: 'fresh' }]);
  });
});

describe('one batch', () => {
  it('claims the first of two equal messages and compares the second with it', async () => {
    const key = newKey();
    const first = messageOf(key, { bodyDigest: 'a' });
    const outcomes = await store.inTransaction((tx) =>
      tx.claim([messageOf(key), first, { ...first, bodyDigest: 'b' }, first]),
    );
    expect(outcomes).toEqual([
      { kind: 'fresh' },
      { kind: 'fresh' },
      { kind: 'repeat', bodyMatches: false },
      { kind: 'repeat', bodyMatches: true },
    ]);
  });

  it('answers in the order given, whatever the order in the database', async () => {
    const messages = Array.from({ length: 30 }, () => messageOf(newKey()));
    const known = messages.filter((_, index) => index % 3 === 0);
    await store.inTransaction((tx) => tx.claim(known));
    const outcomes = await store.inTransaction((tx) => tx.claim(messages.toReversed()));
    expect(outcomes.map(({ kind }) => kind)).toEqual(
      messages.map((_, index) => (index % 3 === 0 ? 'repeat' : 'fresh')).toReversed(),
    );
  });
});

describe('two instances that get the same message at once', () => {
  it('let one of them handle it; the other waits and finds a repeat', async () => {
    const key = newKey();
    const message = messageOf(key);
    const instances = [store, await fixture.open(), await fixture.open()];
    const handle = (instance: EventStore): Promise<boolean> =>
      instance.inTransaction(async (tx) => {
        const [outcome] = await tx.claim([message]);
        if (outcome?.kind !== 'fresh') return false;
        const loaded = await tx.load([key]);
        await tx.append([appendOf(key, { expectedVersion: loaded.get(key)?.version ?? 0 })]);
        return true;
      });
    const handled = await Promise.all(instances.map(handle));
    expect(handled.filter(Boolean)).toHaveLength(1);
    expect((await store.readConversation('default', key))?.version).toBe(1);
  });
});

describe('an answer', () => {
  const turn = { turnId: `turn-${newKey()}`, messageId: 'msg-1', bodyDigest: 'digest-1' };

  it('is given again byte for byte, and a later one never takes its place', async () => {
    const key = newKey();
    const response = '{"b":1, "a":  "café \\u0000 \\ud800"}';
    await appendBatch(store, key, { turns: [{ ...turn, status: 'in_flight', response: null }] });
    expect(await store.readTurn('default', turn.turnId)).toMatchObject({ status: 'in_flight', response: null });
    await appendBatch(store, key, { turns: [{ ...turn, status: 'done', response }] });
    await appendBatch(store, key, { turns: [{ ...turn, status: 'done', response: '{"other":true}' }] });
    const stored = await store.inTransaction((tx) => tx.loadTurns([turn.turnId, 'unknown']));
    expect([...stored.values()]).toEqual([{ ...turn, conversationKey: key, status: 'done', response }]);
    expect(await store.readTurn('rival', turn.turnId)).toBeUndefined();
  });
});
