import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import pg from 'pg';

/** A row of a table with everything that can be read in it without a key. */
export type KeptRow = { readonly table: string; readonly text: string };

/**
 * Every row of every table, as the owner of the database can read it: its text, and all its bytes as text in the usual encodings and inflated where anything can be
 * inflated. That compact records hide no clear text is the store's own spec (`no-clear-personal-data-at-rest`), which knows their format; they leave text as it is.
 */
export async function keptRows(databaseUrl: string): Promise<readonly KeptRow[]> {
  return asOwner(databaseUrl, async (client) => {
    const rows: KeptRow[] = [];
    for (const table of await tablesOf(client)) {
      const found = await client.query<Record<string, unknown> & { row: string }>(
        `SELECT t.*, t::text AS row FROM ${table} t`,
      );
      for (const { row, ...values } of found.rows) {
        rows.push({ table, text: [row, ...Object.values(values).flatMap(textsIn)].join('\n') });
      }
    }
    return rows;
  });
}

/** The ids under which a conversation is found in the tables: its own, and those of its turns, transactions and calls. */
export async function idsOfConversation(databaseUrl: string, conversationKey: string): Promise<readonly string[]> {
  return asOwner(databaseUrl, async (client) => {
    const found = await client.query<{ id: string }>(
      `WITH mine AS (SELECT stream_id FROM streams WHERE conversation_key = $1)
       SELECT stream_id::text AS id FROM mine
       UNION SELECT turn_id FROM turns JOIN mine USING (stream_id)
       UNION SELECT transaction_id FROM transactions JOIN mine USING (stream_id)
       UNION SELECT invocation_id FROM approved_invocations JOIN mine USING (stream_id)`,
      [conversationKey],
    );
    return [conversationKey, ...found.rows.map(({ id }) => id)];
  });
}

async function asOwner<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`SELECT set_config('app.tenants', '{*}', false)`);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Tables, materialized views and foreign tables of every schema but the server's own; partitions are read through their table. */
async function tablesOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'm', 'f') AND NOT c.relispartition
       AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  return rows.map(({ name }) => name);
}

function textsIn(value: unknown): readonly string[] {
  if (!Buffer.isBuffer(value)) return [];
  return [value, ...inflatedIn(value)].flatMap((bytes) => [bytes.toString('utf8'), bytes.toString('utf16le')]);
}

/** Where compressed bytes may begin: at once, behind a format byte, behind the header of a sealed value. */
const beginnings = [0, 1, 2, 7, 19];
const partly = { finishFlush: constants.Z_SYNC_FLUSH };

function inflatedIn(value: Buffer): readonly Buffer[] {
  return beginnings.flatMap((from) =>
    [inflateRawSync, inflateSync, gunzipSync].flatMap((inflate) => {
      try {
        return [inflate(value.subarray(from), partly)];
      } catch {
        return [];
      }
    }),
  );
}
