import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RetryableError } from '@latch/contracts';
import { type EventStore } from './event-store.ts';
import {
  appendBatch,
  appendOf,
  approved,
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
  store = await fixture.open();
});
afterAll(() => fixture.close());

/** Kills the server process that holds the open transaction, as a crash of the database or of the network would. */
async function killTransactions(): Promise<void> {
  await fixture.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'latch-orchestrator' AND state = 'idle in transaction' AND datname = current_database()`,
  );
}

describe('a connection that dies in the middle of a batch', () => {
  it('leaves nothing of it, tells the caller to repeat, and the repeat succeeds', async () => {
    const key = newKey();
    const message = messageOf(key);
    const call = approved(key);
    const batch = (crash: () => Promise<void>): Promise<readonly unknown[]> =>
      store.inTransaction(async (tx) => {
        const claims = await tx.claim([message]);
        await tx.load([key]);
        await tx.append([appendOf(key, { invocations: [call], outgoing: [outgoing(key, 'one')] })]);
        await crash();
        return claims;
      });
    await expect(batch(killTransactions)).rejects.toBeInstanceOf(RetryableError);
    expect(await store.readConversation('default', key)).toBeUndefined();
    expect(await store.readApprovedInvocation(call.invocationId)).toBeUndefined();
    expect(await store.outbox.readPending({ olderThanMs: 0, limit: 10 })).toEqual([]);

    expect(await batch(async () => undefined)).toEqual([{ kind: 'fresh' }]);
    expect((await store.readConversation('default', key))?.version).toBe(1);
    expect(await store.readApprovedInvocation(call.invocationId)).toEqual(call);
  });

  it('that is found out only by the next statement is told to the caller as well', async () => {
    const key = newKey();
    const batch = store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await killTransactions();
      await tx.load([key]);
    });
    await expect(batch).rejects.toMatchObject({ name: 'RetryableError' });
    expect(await store.now()).toMatch(/Z$/);
    expect(store.isHealthy()).toBe(true);
  });

  it('does not hide behind the error of a rollback that fails too', async () => {
    const batch = store.inTransaction(async (tx) => {
      await tx.claim([messageOf(newKey())]);
      await killTransactions();
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('the decision failed');
    });
    await expect(batch).rejects.toMatchObject({ name: 'RetryableError' });
  });
});

describe('a statement that fails', () => {
  it('takes the whole batch with it, and its own error rises', async () => {
    const [first, second] = [newKey(), newKey()];
    const call = approved(first);
    await appendBatch(store, first, { invocations: [call] });
    const again = approved(second, { idempotencyKey: call.idempotencyKey });
    await expect(appendBatch(store, second, { invocations: [again] })).rejects.toMatchObject({
      code: '23505',
      constraint: 'approved_invocations_one_execution',
    });
    expect(await store.readConversation('default', second)).toBeUndefined();
  });

  it('is not forgotten when somebody swallows its error', async () => {
    const key = newKey();
    const batch = store.inTransaction(async (tx) => {
      await tx.claim([messageOf(key)]);
      await tx.claim([messageOf(key, { receivedAt: 'not an instant' })]).catch(() => undefined);
    });
    await expect(batch).rejects.toThrow('its error was swallowed');
  });

  it('leaves the store usable', async () => {
    expect(store.isHealthy()).toBe(true);
    await appendBatch(store, newKey());
  });
});

describe('a batch of many conversations', () => {
  it('stores all of them, with what belongs to each', async () => {
    const keys = Array.from({ length: 64 }, () => newKey());
    await store.inTransaction(async (tx) => {
      await tx.claim(keys.map((key) => messageOf(key)));
      await tx.load(keys);
      await tx.append(
        keys.map((key, index) => appendOf(key, { state: { index }, events: [event({ index }), event({ index })] })),
      );
    });
    for (const [index, key] of keys.entries()) {
      expect(await store.readConversation('default', key)).toMatchObject({ version: 2, state: { index } });
    }
  });

  it('stores a text that Postgres could not hold, with a replacement character in plain columns and exactly in JSON', async () => {
    const key = newKey();
    const text = 'a\u0000b';
    await appendBatch(store, key, { state: { text }, events: [event({ text }, { traceId: text })] });
    const [stored] = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 1 });
    expect(stored).toMatchObject({ payload: { text }, traceId: 'a\ufffdb' });
    expect(await store.readConversation('default', key)).toMatchObject({ state: { text } });
  });
});
