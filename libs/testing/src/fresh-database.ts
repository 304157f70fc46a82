import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testDatabaseUrl } from './integration-environment.ts';

/** An empty database of its own for one suite. */
export type FreshDatabase = { readonly url: string; drop(): Promise<void> };

/**
 * Makes an empty database beside the one of `DATABASE_URL`, so that suites run side by side and leave nothing behind. Call `drop` in `afterAll`; it cuts
 * connections that are still open.
 *
 * @throws Error that says how to get a Postgres, when `DATABASE_URL` is not set.
 */
export async function freshDatabase(): Promise<FreshDatabase> {
  const adminUrl = testDatabaseUrl();
  const name = `latch_test_${randomBytes(8).toString('hex')}`;
  await execute(adminUrl, `CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
