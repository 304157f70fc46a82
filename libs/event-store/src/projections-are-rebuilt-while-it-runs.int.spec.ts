import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConversationKey } from '@latch/contracts';
import { type TransactionRow } from './conversation-append.ts';
import { type EventStore } from './event-store.ts';
import { type ProjectionsProgress } from './rebuild-projections.ts';
import { type StreamProjection } from './stream-projection.ts';
import { type StoredStream } from './read-streams.ts';
import {
  appendBatch,
  approved,
  createStoreFixture,
  event,
  newKey,
  type StoreFixture,
} from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;
let operator: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
  operator = await fixture.open('maintenance');
}, 60_000);
afterAll(() => fixture.close());

/** A transaction whose rows are told by how many events the stream has: so the projection is a pure function of the stream. */
function rowsAfter(key: string, count: number): readonly TransactionRow[] {
  return ['one', 'two'].map((name, index) => ({
    id: `${name}-${key}`,
    tool: 'cancel',
    status: count % 3 === 0 ? 'COMPLETED' : 'EXECUTING',
    rev: count,
    arguments: { count },
    items: Array.from({ length: 1 + ((count + index) % 3) }, (_, n) => ({
      id: `item-${n}`,
      label: `Item ${n}`,
      outcome: n < count % 3 ? 'succeeded' : null,
      reason: null,
      protocol: count % 2 === 0 ? `P-${count}` : null,
    })),
    outcome: count % 3 === 0 ? 'PARTIAL_SUCCESS' : null,
    startedAt: '2026-11-30T12:00:00.000Z',
    endedAt: count % 3 === 0 ? '2026-11-30T12:00:09.000Z' : null,
  }));
}

const project = ({ conversation, events }: StoredStream): StreamProjection => ({
  transactions: rowsAfter(conversation.conversationKey, events.length),
});

/** No call of these conversations was made. */
const read = (): never => {
  throw new Error('nothing was executed');
};

async function live(key: ConversationKey): Promise<void> {
  const version = (await store.readConversation(key.split(':')[0] ?? '', key))?.version ?? 0;
  await appendBatch(store, key, { events: [event({ n: version + 1 })], transactions: rowsAfter(key, version + 1) });
}

/** Every row of both tables, as readers see them. */
async function projections(tenant = 'default'): Promise<readonly unknown[]> {
  return store.listTransactions({ tenantId: tenant, limit: 1_000 });
}

describe('the projections', () => {
  it('are the same, row by row, after a rebuild of tables that somebody spoiled', async () => {
    const keys = Array.from({ length: 6 }, () => newKey());
    for (const key of keys) for (let n = 0; n < 4; n += 1) await live(key);
    const before = await projections();
    await fixture.sql(`DELETE FROM transactions WHERE transaction_id = $1`, [`one-${keys[0]}`]);
    await fixture.sql(
      `UPDATE transactions SET status = 'FAILED', outcome = NULL, rev = 99, started_at = now() WHERE transaction_id = $1`,
      [`two-${keys[1]}`],
    );
    await fixture.sql(`UPDATE transaction_items SET outcome = 'failed' WHERE transaction_id = $1`, [`two-${keys[2]}`]);
    await fixture.sql(
      `INSERT INTO transaction_items SELECT transaction_id, 77, tenant_id, 'x', 'x', 'failed' FROM transactions WHERE transaction_id = $1`,
      [`one-${keys[3]}`],
    );
    await fixture.sql(
      `INSERT INTO transactions SELECT 'invented', stream_id, tenant_id, tool, status, rev, arguments, outcome, started_at FROM transactions WHERE transaction_id = $1`,
      [`one-${keys[4]}`],
    );
    const told: ProjectionsProgress[] = [];
    const done = await operator.rebuildProjections({ project, read, onProgress: (progress) => told.push(progress) });
    expect(await projections()).toEqual(before);
    expect(done).toMatchObject({ streams: 6, ofStreams: 6, transactions: 12, skipped: 0, left: 0, mayBegin: 0 });
    expect(done.changed).toBeGreaterThanOrEqual(5);
    expect(await operator.rebuildProjections({ project, read })).toMatchObject({ changed: 0, left: 0 });
    expect(told.map(({ streams }) => streams)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('stay right while writers append: no row is older than its events', async () => {
    const keys = Array.from({ length: 8 }, () => newKey('busy'));
    for (const key of keys) await live(key);
    let isDone = false;
    const writer = (async () => {
      let written = 0;
      for (; !isDone || written < 40; written += 1) await live(keys[written % keys.length] ?? newKey('busy'));
      return written;
    })();
    for (let round = 0; round < 3; round += 1) await operator.rebuildProjections({ project, read, tenantId: 'busy' });
    isDone = true;
    await writer;
    const expected = await Promise.all(
      keys.map(async (key) => rowsAfter(key, (await store.readConversation('busy', key))?.version ?? 0)),
    );
    const stored = await store.listTransactions({ tenantId: 'busy', limit: 100 });
    const rows = new Map(stored.map((row) => [row.id, row]));
    for (const row of expected.flat()) expect(rows.get(row.id)).toMatchObject({ ...row });
    expect(stored).toHaveLength(16);
  }, 60_000);

  it('keep an answer byte for byte, store one that is missing, and bring back an approved call', async () => {
    const key = newKey('turns');
    const turn = { messageId: 'm', bodyDigest: 'd', status: 'done' } as const;
    const call = approved(key);
    await appendBatch(store, key, {
      turns: [{ ...turn, turnId: `kept-${key}`, response: '{"b":1, "a": 2}' }],
      invocations: [call],
    });
    await fixture.sql('DELETE FROM approved_invocations WHERE invocation_id = $1', [call.invocationId]);
    const projection = {
      transactions: [],
      invocations: [call],
      turns: ['kept', 'missing'].map((name) => ({ ...turn, turnId: `${name}-${key}`, response: '{"made":"anew"}' })),
    };
    for (let n = 0; n < 2; n += 1)
      await operator.rebuildProjections({ project: () => projection, read, tenantId: 'turns' });
    expect((await store.readTurn('turns', `kept-${key}`))?.response).toBe('{"b":1, "a": 2}');
    expect((await store.readTurn('turns', `missing-${key}`))?.response).toBe('{"made":"anew"}');
    expect(await store.readApprovedInvocation(call.invocationId)).toEqual(call);
  });

  it('of a stream that cannot be projected, as an erased one, stay as they are', async () => {
    const key = newKey('erased');
    await live(key);
    const before = await projections('erased');
    expect(await operator.rebuildProjections({ project: () => null, read, tenantId: 'erased' })).toMatchObject({
      skipped: 1,
      transactions: 0,
    });
    expect(await projections('erased')).toEqual(before);
  });
});
