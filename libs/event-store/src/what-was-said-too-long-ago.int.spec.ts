import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConversationKey } from '@latch/contracts';
import { testKeyRing } from '@latch/testing';
import { erasePerson } from './erase-person.ts';
import { type EventStore } from './event-store.ts';
import { type Overtaking } from './find-overtaking.ts';
import { type Maintenance, openMaintenance } from './open-maintenance.ts';
import {
  appendBatch,
  createStoreFixture,
  event,
  newKey,
  silentLogger,
  type StoreFixture,
} from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;
let auditor: EventStore;
let maintenance: Maintenance;

beforeAll(async () => {
  fixture = await createStoreFixture();
  [store, auditor] = [await fixture.open(), await fixture.open('auditor')];
  maintenance = openMaintenance({ databaseUrl: fixture.url, personalData: testKeyRing, logger: silentLogger });
});
afterAll(async () => {
  await maintenance.close();
  await fixture.close();
});

const at = '2026-11-30T12:00:00.000Z';

function after(ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

function overtaking(conversationKey: ConversationKey, acceptedAt: string, person = 'ana'): Promise<Overtaking | null> {
  return auditor.findOvertaking({ tenantId: 'default', conversationKey, person, acceptedAt });
}

describe('what a person said and nobody has heard yet', () => {
  it('is overtaken by whatever happened in its conversation since, with a second for the clocks', async () => {
    const key = newKey();
    await appendBatch(store, key, { person: 'ana', events: [event({}, { occurredAt: at })] });
    expect(await overtaking(key, after(-60_000))).toBe('conversation');
    expect(await overtaking(key, after(500))).toBe('conversation');
    expect(await overtaking(key, after(1_001))).toBeNull();
  });

  it('is overtaken by nothing in a conversation that has not begun, and not by what another one has heard', async () => {
    await appendBatch(store, newKey(), { person: 'ana' });
    expect(await overtaking(newKey(), after(-60_000))).toBeNull();
  });

  it('is overtaken by the erasure of the person, in old conversations and in new ones, and of nobody else', async () => {
    const key = newKey();
    await appendBatch(store, key, { person: 'bia' });
    await erasePerson(maintenance, { tenantId: 'default', who: { userId: 'bia' }, waitMs: 0 });
    const now = Date.now() - Date.parse(at);
    expect(await overtaking(key, after(now - 60_000), 'bia')).toBe('erasure');
    expect(await overtaking(newKey(), after(now - 60_000), 'bia')).toBe('erasure');
    expect(await overtaking(newKey(), after(now + 60_000), 'bia')).toBeNull();
    expect(await overtaking(newKey(), after(now - 60_000), 'caio')).toBeNull();
  });

  it('is overtaken by an erasure with the same second for the clocks', async () => {
    await appendBatch(store, newKey(), { person: 'davi' });
    await erasePerson(maintenance, { tenantId: 'default', who: { userId: 'davi' }, waitMs: 0 });
    const [erased] = await fixture.sql<{ at: Date }>(
      `SELECT max(destroyed_at) AS at FROM person_keys WHERE destroyed_by = 'erase'`,
    );
    const erasedAtMs = (erased?.at ?? new Date(0)).getTime();
    const saidAt = (ms: number): string => new Date(erasedAtMs + ms).toISOString();
    expect(await overtaking(newKey(), saidAt(500), 'davi')).toBe('erasure');
    expect(await overtaking(newKey(), saidAt(1_001), 'davi')).toBeNull();
  });

  it('is asked of a tenant of whom nothing is known without a trace', async () => {
    const conversationKey = newKey('nobody');
    const unheard = { tenantId: 'nobody', conversationKey, person: 'ana', acceptedAt: at };
    expect(await auditor.findOvertaking(unheard)).toBeNull();
    expect(await fixture.sql(`SELECT 1 FROM subject_keys WHERE tenant_id = 'nobody'`)).toEqual([]);
  });
});
