import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConversationKey } from '@latch/contracts';
import { freshDatabase, type FreshDatabase } from '@latch/testing';
import pg from 'pg';
import { createMigrationSource } from './data-source.ts';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import { migrate } from './migrate.ts';
import { type StoreRole } from './migrations/tenant-table.ts';
import { appendBatch, silentLogger } from './store-fixture.features.ts';

/** Every released version: its last migration, and rows that it wrote. A release adds its own. */
const releases = [{ version: '0.1.0', lastMigration: 1_764_600_000_000 }] as const;

describe.each(releases)('a database of release $version with its rows', ({ version, lastMigration }) => {
  let database: FreshDatabase;
  let owner: pg.Client;
  let before: Readonly<Record<string, string>>;
  const stores: EventStore[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    const source = await (await createMigrationSource(database.url, lastMigration)).initialize();
    await source.runMigrations();
    await source.destroy();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(await readFile(path.join(import.meta.dirname, `fixtures/released-${version}.sql`), 'utf8'));
    before = await digests();
    await migrate(database.url);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([owner.end(), ...stores.map((store) => store.close())]);
    await database.drop();
  });

  async function open(role: StoreRole): Promise<EventStore> {
    const store = await openEventStore({
      databaseUrl: database.url,
      producer: 'orchestrator',
      logger: silentLogger,
      role,
    });
    stores.push(store);
    return store;
  }

  /** A digest of each table's rows, over the columns of that release. */
  async function digests(): Promise<Record<string, string>> {
    const tables = [...(await tablesOfRelease())];
    const found = await Promise.all(
      tables.map(async ([table, columns]) => {
        const { rows } = await owner.query<{ digest: string }>(
          `SELECT count(*) || ' ' || md5(string_agg(r::text, '|' ORDER BY r::text)) AS digest FROM (SELECT ${columns.join(', ')} FROM ${table}) AS r`,
        );
        return [table, rows[0]?.digest ?? ''] as const;
      }),
    );
    return Object.fromEntries(found);
  }

  /** The tables and columns that the fixture fills. */
  async function tablesOfRelease(): Promise<ReadonlyMap<string, readonly string[]>> {
    const text = await readFile(path.join(import.meta.dirname, `fixtures/released-${version}.sql`), 'utf8');
    return new Map(
      [...text.matchAll(/^INSERT INTO (\w+) \(([^)]+)\) VALUES$/gm)].map(([, table = '', columns = '']) => [
        table,
        columns.split(', '),
      ]),
    );
  }

  it('is brought up to date and keeps every row as it was', async () => {
    expect(Object.keys(before).length).toBeGreaterThan(10);
    expect(await digests()).toEqual(before);
    expect(await migrate(database.url)).toEqual([]);
  });

  it('still verifies, from the first event to the heads', async () => {
    const report = await (await open('latch_auditor')).verifyStore({ publicKeys: [] });
    expect(report).toMatchObject({ isGood: true, streams: 6, events: 36 });
  });

  it('is read and written by the services of this version, each tenant for itself', async () => {
    const [engine, ingress] = await Promise.all([open('latch_orchestrator'), open('latch_ingress')]);
    const key: ConversationKey = await firstKey();
    expect(await ingress.readConversation('default', key)).toMatchObject({ version: 6 });
    await appendBatch(engine, key);
    expect(await ingress.readConversation('default', key)).toMatchObject({ version: 7 });
    expect(await ingress.readConversation('acme', key)).toBeUndefined();
    expect(await ingress.listTransactions({ tenantId: 'acme', limit: 10 })).toHaveLength(3);
    expect(await engine.dueDeadlines({ limit: 10 })).toHaveLength(1);
    expect(await engine.outbox.readPending({ olderThanMs: 0, limit: 10 })).toHaveLength(6);
  });

  it('has an execution under way that an executor of this version takes over', async () => {
    const executor = await open('latch_tool_executor');
    await owner.query(`UPDATE tool_ledger SET lease_until = now() - interval '1 hour' WHERE status <> 'DONE'`);
    const resumed = await executor.ledger.resumable({ owner: 'new', leaseMs: 60_000, limit: 10 });
    expect(resumed.map(({ status, attempts }) => ({ status, attempts: attempts.length }))).toEqual([
      { status: 'STARTED', attempts: 1 },
      { status: 'STARTED', attempts: 1 },
    ]);
  });

  async function firstKey(): Promise<ConversationKey> {
    const { rows } = await owner.query<{ conversation_key: ConversationKey }>(
      `SELECT conversation_key FROM streams WHERE tenant_id = 'default' ORDER BY stream_id LIMIT 1`,
    );
    if (!rows[0]) throw new Error('No conversation in the fixture');
    return rows[0].conversation_key;
  }
});
