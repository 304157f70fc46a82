import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendBatch,
  appendOf,
  createStoreFixture,
  messageOf,
  newKey,
  outgoing,
  type StoreFixture,
} from './store-fixture.features.ts';

/** A report from the field about outboxes (fixtures/NOTICE.md). */
const row: { readonly id: string } = JSON.parse(
  readFileSync(new URL('./fixtures/field-cases.jsonl', import.meta.url), 'utf8').trim(),
);
let fixture: StoreFixture;

beforeAll(async () => {
  fixture = await createStoreFixture();
});
afterAll(() => fixture.close());

describe(`${row.id}: a lower number in the outbox that becomes visible later than a higher one`, () => {
  it('is read by the relay when it is committed, although the higher one was read and forgotten before', async () => {
    const store = await fixture.open('orchestrator');
    const all = { olderThanMs: 0, limit: 10 };
    const [slow, fast] = [newKey(), newKey()];
    const [lower, higher] = [outgoing(slow, 'took its number first'), outgoing(fast, 'commits first')];
    await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(slow)]);
      await tx.load([slow]);
      await tx.append([appendOf(slow, { outgoing: [lower] })]);
      await appendBatch(store, fast, { outgoing: [higher] });
      expect(await store.outbox.readPending(all)).toEqual([higher]);
      await store.outbox.markPublished([higher.eventId]);
    });
    expect(await store.outbox.readPending(all)).toEqual([lower]);
  });
});
