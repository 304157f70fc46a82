import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { freshDatabase } from './fresh-database.ts';

describe('a fresh database', () => {
  it('is empty, is ours alone, and is gone after drop even with a connection open', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
    expect(one.url).not.toBe(other.url);
    const client = new pg.Client({ connectionString: one.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE t (id int)');
    await Promise.all([one.drop(), other.drop()]);
    const again = new pg.Client({ connectionString: one.url });
    await expect(again.connect()).rejects.toThrow('does not exist');
    await client.end().catch(() => undefined);
  });
});
