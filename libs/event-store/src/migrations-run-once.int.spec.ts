import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabase, type FreshDatabase } from '@latch/testing';
import { Database } from './database.ts';
import { describeSchema } from './describe-schema.ts';
import { migrate } from './migrate.ts';
import { silentLogger } from './store-fixture.features.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

describe('an empty database', () => {
  it('is brought up to date once when several services start at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
    const [names, ...more] = runs.filter((run) => run.length > 0);
    expect(more).toEqual([]);
    expect(names).toEqual([...(names ?? [])].sort((one, other) => one.slice(-13).localeCompare(other.slice(-13))));
    expect(names?.slice(0, 2)).toEqual(['InitialSchema1764500000000', 'InboxByAge1764600000000']);
  });
});

describe('a database that is up to date', () => {
  it('is left as it is', async () => {
    expect(await migrate(database.url)).toEqual([]);
  });

  it('has exactly the schema that is committed in schema.sql', async () => {
    const reader = new Database({
      databaseUrl: database.url,
      applicationName: 'latch-spec',
      logger: silentLogger,
      poolSize: 1,
    });
    const committed = await readFile(path.join(import.meta.dirname, 'schema.sql'), 'utf8');
    expect(await describeSchema(reader.sql)).toBe(committed);
    await reader.close();
  });

  it('gives a tenant to every row of every table', async () => {
    const reader = new Database({
      databaseUrl: database.url,
      applicationName: 'latch-spec',
      logger: silentLogger,
      poolSize: 1,
    });
    const without = await reader.sql(
      `SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND relname <> ALL ('{schema_migrations,tool_catalogue,open_alarms}')
         AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND a.attnotnull)`,
    );
    expect(without).toEqual([]);
    await reader.close();
  });
});
