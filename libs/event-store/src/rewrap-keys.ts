import { type KeyRing, openWithRing, sealWithRing } from '@latch/config';
import { type Sql } from './database.ts';
import { type Maintenance } from './open-maintenance.ts';
import { aboutKey, aboutSubjects } from './person-keys.ts';
import { openScope } from './tenant-scope.ts';
import { everyTenant } from './tenant-scope.ts';

const pageSize = 500;

/**
 * Wraps every data key that an older key of the ring wraps with its first one, while the system runs. After it the older keys can be taken out of the ring.
 *
 * @returns how many keys were wrapped anew; 0: nothing is wrapped by an older key any more.
 * @throws Error when a key is wrapped by one that the ring does not hold, or does not open.
 */
export async function rewrapKeys({ database }: Maintenance, ring: KeyRing): Promise<number> {
  let rewrapped = 0;
  for (;;) {
    const page = await database.transaction(async (sql) => {
      await openScope(sql, everyTenant);
      return (await rewrapPeople(sql, ring)) + (await rewrapSubjects(sql, ring));
    });
    rewrapped += page;
    if (page === 0) return rewrapped;
  }
}

async function rewrapPeople(sql: Sql, ring: KeyRing): Promise<number> {
  const rows = await sql<{ key_id: string; tenant_id: string; subject: string; period: string; wrapped_key: string }>(
    `SELECT key_id, tenant_id, encode(subject, 'hex') AS subject, period, wrapped_key FROM person_keys
     WHERE wrapped_key IS NOT NULL AND split_part(wrapped_key, '.', 1) <> $1
     ORDER BY key_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [ring.current, pageSize],
  );
  if (rows.length === 0) return 0;
  await sql(
    `UPDATE person_keys k SET wrapped_key = i.wrapped_key
     FROM unnest($1::bigint[], $2::text[]) AS i (key_id, wrapped_key) WHERE k.key_id = i.key_id AND k.wrapped_key IS NOT NULL`,
    [
      rows.map((row) => row.key_id),
      rows.map((row) => rewrap(ring, row.wrapped_key, aboutKey({ ...row, tenantId: row.tenant_id }))),
    ],
  );
  return rows.length;
}

async function rewrapSubjects(sql: Sql, ring: KeyRing): Promise<number> {
  const rows = await sql<{ tenant_id: string; wrapped_key: string }>(
    `SELECT tenant_id, wrapped_key FROM subject_keys WHERE split_part(wrapped_key, '.', 1) <> $1
     ORDER BY tenant_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [ring.current, pageSize],
  );
  if (rows.length === 0) return 0;
  await sql(
    `UPDATE subject_keys k SET wrapped_key = i.wrapped_key
     FROM unnest($1::text[], $2::text[]) AS i (tenant_id, wrapped_key) WHERE k.tenant_id = i.tenant_id`,
    [rows.map((row) => row.tenant_id), rows.map((row) => rewrap(ring, row.wrapped_key, aboutSubjects(row.tenant_id)))],
  );
  return rows.length;
}

function rewrap(ring: KeyRing, wrapped: string, about: string): string {
  const opened = openWithRing(ring, wrapped, about);
  if (!opened.ok) throw new Error(`A data key cannot be wrapped anew: ${opened.error}`);
  return sealWithRing(ring, opened.value, about);
}
