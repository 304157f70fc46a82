import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MessageToClaim } from './claim.ts';
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
    const stored = await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await tx.load([key]);
      return tx.loadTurns([turn.turnId, 'unknown']);
    });
    expect([...stored.values()]).toEqual([{ ...turn, conversationKey: key, status: 'done', response }]);
    expect(await store.readTurn('rival', turn.turnId)).toBeUndefined();
  });

  it('is not given to another conversation that names the same turn, of whatever tenant', async () => {
    const [key, forger, rival] = [newKey(), newKey(), newKey('rival')];
    const mine = { ...turn, turnId: `turn-${key}`, status: 'done', response: '{"secret":true}' } as const;
    await appendBatch(store, key, { turns: [mine] });
    for (const other of [forger, rival]) {
      const seen = await store.inTransaction(async (tx) => {
        await tx.claim([messageOf(other, { eventId: mine.turnId })]);
        await tx.load([other]);
        return tx.loadTurns([mine.turnId]);
      });
      expect(seen.size).toBe(0);
    }
  });
});

describe('a turn id that belongs to another conversation', () => {
  const turnOf = (key: string): Parameters<typeof appendBatch>[2] => ({
    turns: [{ turnId: key, messageId: 'msg-1', bodyDigest: 'digest-1', status: 'in_flight', response: null }],
  });

  it('is refused with the whole batch, and its own turn stays as it is', async () => {
    const [key, forger] = [newKey(), newKey()];
    await appendBatch(store, key, turnOf(key));
    await expect(appendBatch(store, forger, turnOf(key))).rejects.toMatchObject({
      name: 'TerminalError',
      options: { code: 'message.invalid' },
    });
    expect(await store.readConversation('default', forger)).toBeUndefined();
    expect(await store.readTurn('default', key)).toMatchObject({ conversationKey: key, status: 'in_flight' });
  });

  it('is refused also when both come in one batch', async () => {
    const [key, forger] = [newKey(), newKey()];
    const batch = store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key), messageOf(forger)]);
      await tx.load([key, forger]);
      await tx.append([appendOf(key, turnOf(key)), appendOf(forger, turnOf(key))]);
    });
    await expect(batch).rejects.toMatchObject({ name: 'TerminalError' });
  });
});

describe('claims that are old', () => {
  it('are forgotten, the oldest first and no more than asked; the young ones stay', async () => {
    const key = newKey();
    const agedHours = (hours: number): MessageToClaim =>
      messageOf(key, { receivedAt: new Date(Date.now() - hours * 3_600_000).toISOString() });
    const [oldest, old, young] = [agedHours(1_000_000), agedHours(999_000), agedHours(1)];
    await store.inTransaction((tx) => tx.claim([young, old, oldest]));
    const kindsAfter = async (limit: number): Promise<unknown> => {
      const forgotten = await store.forgetOldClaims({ olderThanHours: 900_000, limit });
      const failed = store.inTransaction(async (tx) => {
        const outcomes = await tx.claim([oldest, old, young]);
        throw Object.assign(new Error('looked'), { kinds: outcomes.map(({ kind }) => kind) });
      });
      return { forgotten, kinds: await failed.catch((error: { kinds: unknown }) => error.kinds) };
    };
    expect(await kindsAfter(1)).toEqual({ forgotten: 1, kinds: ['fresh', 'repeat', 'repeat'] });
    expect(await kindsAfter(10)).toEqual({ forgotten: 1, kinds: ['fresh', 'fresh', 'repeat'] });
    expect(await kindsAfter(10)).toEqual({ forgotten: 0, kinds: ['fresh', 'fresh', 'repeat'] });
  });
});
