import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testKeyRing } from '@latch/testing';
import pg from 'pg';
import { type Authority, makeAuthority } from '../../../deploy/local/certificates.mjs';
import { type RunningPostgres, startPostgres } from '../../../deploy/local/postgres.mjs';
import { freePort } from '../../../deploy/local/processes.mjs';
import { createDataSource } from './data-source.ts';
import { silentLogger } from './store-fixture.features.ts';
import { migrate } from './migrate.ts';
import { openEventStore } from './open-event-store.ts';

jest.setTimeout(60_000);

let folder: string;
let authority: Authority;
let server: RunningPostgres;
let owner: pg.Client;

/** The server of this spec takes connections over TLS, and nobody else's is touched. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'latch-postgres-tls-'));
  chmodSync(folder, 0o755);
  authority = makeAuthority(path.join(folder, 'certificates'));
  server = await startPostgres({ folder, port: await freePort() });
  owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  const own = authority.issue({ file: 'server', subject: '/CN=postgres', names: ['IP:127.0.0.1'] });
  await handOver('server.crt', own.certFile);
  await handOver('server.key', own.keyFile);
  await owner.query('ALTER SYSTEM SET ssl = on');
  await owner.query('SELECT pg_reload_conf()');
});
afterAll(async () => {
  await owner.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The server may run as another user than we: it writes its key itself, so that it belongs to it and to nobody else. */
async function handOver(name: string, file: string): Promise<void> {
  const lines = readFileSync(file, 'utf8').trim().replaceAll('\n', "'),('");
  await owner.query(`COPY (VALUES ('${lines}')) TO PROGRAM 'umask 177; cat > ${name}'`);
}

const over = (mode: string, more = `&sslrootcert=${authority.certFile}`): string =>
  `${server.url}?sslmode=${mode}${more}`;

/** Who is connected over TLS, and who is not, by the name of the connection. */
async function connections(name: string): Promise<readonly boolean[]> {
  const { rows } = await owner.query<{ ssl: boolean }>(
    'SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = $1',
    [name],
  );
  return rows.map(({ ssl }) => ssl);
}

describe('a DATABASE_URL with sslmode=verify-full', () => {
  it('takes migrations, the pools of the store and those of TypeORM over TLS', async () => {
    const seen: boolean[] = [];
    const watch = setInterval(() => void connections('latch-migrate').then((found) => seen.push(...found)), 20);
    await migrate(over('verify-full'));
    clearInterval(watch);
    expect(new Set(seen)).toEqual(new Set([true]));

    const store = await openEventStore({
      ...{ databaseUrl: over('verify-full'), producer: 'tls', logger: silentLogger, personalData: testKeyRing },
      role: 'latch_orchestrator',
    });
    expect(new Set(await connections('latch-tls'))).toEqual(new Set([true]));
    await store.close();

    const options = { entities: [], applicationName: 'latch-entities', logger: silentLogger } as const;
    const source = await createDataSource(over('verify-full'), { ...options, role: 'latch_evaluator' });
    await source.initialize();
    expect(new Set(await connections('latch-entities'))).toEqual(new Set([true]));
    await source.destroy();
  });

  it('connects to nobody whose certificate another authority has signed, or that is for another name, and says what to do', async () => {
    const stranger = makeAuthority(path.join(folder, 'stranger'));
    const byStranger = over('verify-full', `&sslrootcert=${stranger.certFile}`);
    const elsewhere = over('verify-full').replace('127.0.0.1', 'localhost');
    const noFile = over('verify-full', '&sslrootcert=/no/such/file');
    for (const [url, sentence] of [
      [byStranger, 'no known authority has signed. Name the authority in the URL'],
      [elsewhere, 'a certificate for another name'],
      [noFile, 'cannot be read (sslrootcert'],
    ] as const) {
      await expect(migrate(url)).rejects.toThrow(sentence);
      const options = { producer: 'tls', logger: silentLogger, personalData: testKeyRing } as const;
      await expect(openEventStore({ databaseUrl: url, ...options })).rejects.toThrow(sentence);
    }
  });
});
