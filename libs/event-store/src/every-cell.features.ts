import { unpackRecord } from './event-record.ts';
import { unpackIds } from './row-ids.ts';
import { type StoreFixture } from './store-fixture.features.ts';

type Row = Readonly<Record<string, unknown>>;
type Read = (bytes: Buffer, row: Row) => string;

/** What the bytes of a digest or of a sealed value tell is nothing: a sealed value is tried to be opened by the specs that have the key. */
const asTheyAre: Read = (bytes) => bytes.toString('latin1');
const ids: Read = (bytes) => unpackIds(bytes).join('\n');

/**
 * How the bytes of each column are read by whoever knows the format and has no key. A column of bytes that is not in this list fails the specs that read every cell:
 * bytes that nobody can read prove nothing.
 */
const readings: Readonly<Record<string, Read>> = {
  'approved_invocations.ids': ids,
  'approved_invocations.sealed_invocation': asTheyAre,
  'conversations.head_hash': asTheyAre,
  'conversations.sealed_state': asTheyAre,
  'events.hash': asTheyAre,
  'events.record': recordOf,
  'inbox.body': asTheyAre,
  'inbox.claim': asTheyAre,
  'person_keys.subject': asTheyAre,
  'person_streams.subject': asTheyAre,
  'sealed_heads.hash': asTheyAre,
  'tool_attempts.sealed_outcome': asTheyAre,
  'tool_ledger.sealed_execution': asTheyAre,
  'turns.ids': ids,
  'turns.sealed_response': asTheyAre,
};

/** Every row of every table as text, as a dump of the database has them, and all bytes in them as whoever knows their format reads them. */
export async function everyCell(fixture: Pick<StoreFixture, 'sql'>): Promise<string> {
  await fixture.sql(`SELECT set_config('app.tenants', '{*}', false)`);
  const cells: string[] = [];
  for (const table of await tablesOf(fixture)) {
    const rows = await fixture.sql<Row & { row: string }>(
      `WITH scope AS (SELECT set_config('app.tenants', '{*}', false)) SELECT t.*, t::text AS row FROM scope, ${table} t`,
    );
    for (const { row, ...values } of rows) cells.push(row, ...bytesIn(table, values));
  }
  return cells.join('\n');
}

async function tablesOf(fixture: Pick<StoreFixture, 'sql'>): Promise<readonly string[]> {
  const tables = await fixture.sql<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'm', 'f') AND NOT relispartition ORDER BY relname`,
  );
  return tables.map(({ name }) => name);
}

/** All bytes in a row, each in every way in which somebody could have written text there. */
function bytesIn(table: string, values: Row): readonly string[] {
  return Object.entries(values).flatMap(([column, value]) => {
    if (!Buffer.isBuffer(value)) return [];
    const read = readings[`${table}.${column}`];
    if (read === undefined)
      throw new Error(`${table}.${column} holds bytes, and every-cell does not know their format`);
    return [read(value, values), value.toString('utf8'), value.toString('utf16le'), value.toString('latin1')];
  });
}

function recordOf(bytes: Buffer, row: Row): string {
  const { occurred_at: occurredAt, transaction_id: transactionId } = row;
  if (!(occurredAt instanceof Date)) throw new TypeError('An event has no time');
  const context = {
    occurredAt: occurredAt.toISOString(),
    transactionId: typeof transactionId === 'string' ? transactionId : null,
  };
  const record = unpackRecord(bytes, context);
  if (!record.ok) throw new Error('A record of an event cannot be read');
  return Object.values(record.value).join('\n');
}
