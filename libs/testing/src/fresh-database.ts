import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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
  await asOwner(adminUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => asOwner(adminUrl, (client) => drop(client, name)) };
}

async function asOwner(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** A pool has ended before the server has heard the farewell of its last connection; one that is cut then is an error for which nobody listens any more. */
async function drop(client: pg.Client, name: string): Promise<void> {
  const connections = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`;
  for (let look = 0; look < 20 && (await client.query(connections)).rowCount !== 0; look += 1) await sleep(25);
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
