import pg from 'pg';
import { createMigrationSource } from './data-source.ts';
import { postgresTrust } from './postgres-trust.ts';

/** Any number, as long as it is the same in all services: the name of the lock "somebody migrates Latch". */
const migrationLock = 5_284_301;

/**
 * Brings the schema up to date. Several services may call it at once: one migrates, the others wait and find nothing to do.
 *
 * @returns names of the migrations that this call has run.
 * @throws Error in a sentence that says what to do, when Postgres and this process do not trust each other (TLS).
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = await connected(databaseUrl);
  try {
    // A session's lock: it goes with the connection, so that a killed migrator blocks nobody.
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    return await runMigrations(databaseUrl);
  } finally {
    await client.end();
  }
}

async function connected(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'latch-migrate' });
    await client.connect();
    return client;
  } catch (error) {
    const noTrust = postgresTrust(error);
    throw noTrust === undefined ? error : new Error(noTrust, { cause: error });
  }
}

async function runMigrations(databaseUrl: string): Promise<string[]> {
  const source = await (await createMigrationSource(databaseUrl)).initialize();
  try {
    const run = await source.runMigrations();
    return run.map((migration) => migration.name);
  } finally {
    await source.destroy();
  }
}
