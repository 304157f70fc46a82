import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as newUuid } from 'uuid';
import { type EventStore } from './event-store.ts';
import { appendBatch, createStoreFixture, newKey, type StoreFixture } from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
}, 60_000);
afterAll(() => fixture.close());

async function partitions(): Promise<readonly string[]> {
  const rows = await fixture.sql<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Puts an event where a conversation that began at this instant has its events. @returns the partition that took it. */
async function insertAt(instant: string): Promise<string | undefined> {
  const streamId = newUuid({ msecs: Date.parse(instant) });
  const [row] = await fixture.sql<{ partition: string }>(
    `INSERT INTO events (stream_id, stream_version, tenant_id, event_id, type, payload, occurred_at, trace_id, hash)
     VALUES ($1, 1, 'default', 'e', 'TurnReceived', '{}', $2, 't', decode(repeat('00', 32), 'hex'))
     RETURNING tableoid::regclass::text AS partition`,
    [streamId, instant],
  );
  return row?.partition;
}

function monthsFromNow(count: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 15));
}

function nameOf(month: Date): string {
  return `events_y${month.getUTCFullYear()}m${String(month.getUTCMonth() + 1).padStart(2, '0')}`;
}

describe('the partitions of events', () => {
  it('are made ahead by the migration, and hold this month', async () => {
    expect(await partitions()).toEqual(
      [
        nameOf(monthsFromNow(1)),
        nameOf(monthsFromNow(2)),
        nameOf(monthsFromNow(3)),
        'events_default',
        'events_first',
      ].sort(),
    );
    await appendBatch(store, newKey());
    expect(await store.keepPartitions({ monthsAhead: 3 })).toEqual({ made: [], hasEventsOutside: false });
  });

  it('are made once when many replicas make them at the same time', async () => {
    const replicas = await Promise.all(Array.from({ length: 4 }, () => fixture.open()));
    const rounds = await Promise.all(replicas.map((replica) => replica.keepPartitions({ monthsAhead: 6 })));
    expect(rounds.flatMap(({ made }) => made)).toEqual([4, 5, 6].map((count) => nameOf(monthsFromNow(count))));
  });

  it('take the events of conversations that began in their month, at both ends', async () => {
    const month = monthsFromNow(2);
    const first = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1));
    expect(await insertAt(first.toISOString())).toBe(nameOf(month));
    expect(await insertAt(new Date(first.getTime() - 1).toISOString())).toBe(nameOf(monthsFromNow(1)));
  });

  it('refuse update, delete and truncate each by itself, for their owner too', async () => {
    const [partition] = (await partitions()).filter((name) => name === nameOf(monthsFromNow(2)));
    for (const statement of [
      `UPDATE ${partition} SET type = 'x'`,
      `DELETE FROM ${partition}`,
      `TRUNCATE ${partition}`,
    ]) {
      await expect(fixture.sql(statement)).rejects.toMatchObject({ code: '23001' });
    }
  });

  it('tell when an event lies where no month was made for it', async () => {
    expect(await insertAt('2090-01-01T00:00:00.000Z')).toBe('events_default');
    expect(await store.keepPartitions({ monthsAhead: 3 })).toEqual({ made: [], hasEventsOutside: true });
  });
});
