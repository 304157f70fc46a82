import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabase, type FreshDatabase, testKeyRing } from '@latch/testing';
import pg from 'pg';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import { migrate } from './migrate.ts';
import { appendBatch, event, newKey, silentLogger } from './store-fixture.features.ts';

const suffix = randomBytes(4).toString('hex');
const owner = `latch_owner_${suffix}`;
const service = `latch_service_${suffix}`;

let database: FreshDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`CREATE ROLE ${owner} LOGIN`);
  await admin.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${owner}`);
  const roles = await readFile(path.join(import.meta.dirname, '../../../deploy/sql/roles.sql'), 'utf8');
  await admin.query(roles.replace(`'latch_owner'`, `'${owner}'`));
  await admin.query(`CREATE ROLE ${service} LOGIN IN ROLE latch_orchestrator`);
}, 60_000);
afterAll(async () => {
  const { url } = database;
  await admin.end();
  await database.drop();
  const elsewhere = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).toString(),
  });
  await elsewhere.connect();
  for (const login of [owner, service]) await elsewhere.query(`DROP ROLE ${login}`);
  await elsewhere.end();
});

function urlAs(login: string): string {
  return Object.assign(new URL(database.url), { username: login }).toString();
}

describe('an owner that may not make roles, after an administrator has run deploy/sql/roles.sql', () => {
  it('migrates, and a login that is only a member of its role does the work of the service', async () => {
    expect((await migrate(urlAs(owner))).length).toBeGreaterThan(3);
    const options = { producer: 'orchestrator', logger: silentLogger, personalData: testKeyRing } as const;
    const stores: EventStore[] = [];
    const store = await openEventStore({ ...options, databaseUrl: urlAs(service), role: 'latch_orchestrator' });
    stores.push(store);
    const key = newKey();
    await appendBatch(store, key, { events: [event(1), event(2)] });
    expect(await store.readConversation('default', key)).toMatchObject({ version: 2 });
    expect(await store.readConversation('other', key)).toBeUndefined();
    expect(await store.dueDeadlines({ limit: 1 })).toEqual([]);
    expect(await store.keepPartitions({ monthsAhead: 5 })).toMatchObject({
      made: [expect.any(String), expect.any(String)],
    });
    await Promise.all(stores.map((one) => one.close()));
  });

  it('is bound by row-level security itself', async () => {
    const client = new pg.Client({ connectionString: urlAs(owner) });
    await client.connect();
    expect((await client.query('SELECT FROM events')).rowCount).toBe(0);
    await client.query(`SELECT set_config('app.tenants', '{*}', false)`);
    expect((await client.query('SELECT FROM events')).rowCount).toBe(2);
    await client.end();
  });

  it('a login that is no member of the role cannot take it up', async () => {
    const intruder = openEventStore({
      databaseUrl: urlAs(service),
      producer: 'tool-executor',
      logger: silentLogger,
      role: 'latch_tool_executor',
    });
    await expect(intruder).rejects.toBeDefined();
  });
});
