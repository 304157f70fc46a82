import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { postgresStatus, type RunningPostgres, startPostgres } from '../../../deploy/local/postgres.mjs';
import { freePort } from '../../../deploy/local/processes.mjs';

jest.setTimeout(60_000);

describe('the local Postgres', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'latch-postgres-facts-'));
  let port = 0;
  let running: RunningPostgres;

  const query = async (text: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: running.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    port = await freePort();
    if (process.getuid?.() === 0) {
      await expect(startPostgres({ folder, port })).rejects.toThrow(/cannot enter .*chmod o\+x/);
    }
    chmodSync(folder, 0o755);
    running = await startPostgres({ folder, port, database: 'facts' });
    await query('CREATE TABLE facts (n int)');
  });
  afterAll(async () => {
    await running.stop();
    expect(postgresStatus({ folder })).toBeUndefined();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is found running by whoever starts it again', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => startPostgres({ folder, port, database: 'facts' })));
    expect([one?.pid, other?.pid]).toEqual([running.pid, running.pid]);
    expect(postgresStatus({ folder })).toMatchObject({ pid: running.pid, port });
  });

  it('is refused on a port that is taken, with a sentence that names it', async () => {
    const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'latch-postgres-other-'));
    chmodSync(elsewhere, 0o755);
    await expect(startPostgres({ folder: elsewhere, port })).rejects.toThrow(`port ${port} is taken`);
    rmSync(elsewhere, { recursive: true });
  });

  it('starts again at once after kill -9, with every committed row', async () => {
    for (const n of [1, 2, 3]) {
      await query(`INSERT INTO facts VALUES (${n})`);
      process.kill(running.pid, 'SIGKILL');
      running = await startPostgres({ folder, port, database: 'facts' });
      expect(await query('SELECT count(*)::int AS count FROM facts')).toEqual([{ count: n }]);
    }
  });
});
