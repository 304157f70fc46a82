import { createHmac, randomBytes } from 'node:crypto';
import { type KeyRing, openWithRing, sealWithRing } from '@latch/config';
import { RetryableError, TerminalError } from '@latch/contracts';
import { type Sql } from './database.ts';
import { KeyCache } from './key-cache.ts';
import { type DataKey } from './seal-value.ts';

/** A data key as its row stands: of one person of a tenant, for what was said in one month. */
export type PersonKey = {
  readonly keyId: number;
  readonly tenantId: string;
  /** Keyed digest of the person's id, 32 hex digits: the id itself is nowhere in the store. */
  readonly subject: string;
  /** Month, `YYYY-MM`, of what it seals. */
  readonly period: string;
  /** Null once it is destroyed: what it sealed is erased. */
  readonly key: DataKey | null;
  /** Why it was destroyed; null while it is in use. */
  readonly destroyedBy: DestroyedBy | null;
};

/** `erase`: the person was erased. `retention`: what it sealed had been kept for as long as the tenant keeps it. */
export type DestroyedBy = 'erase' | 'retention';

/** A person of a tenant, as the store knows people. */
export type Subject = Pick<PersonKey, 'tenantId' | 'subject'>;

/** The last key of a person that a conversation was sealed with. */
export type StreamKey = PersonKey & { readonly streamId: string };

type KeyRow = {
  key_id: string;
  tenant_id: string;
  subject: string;
  period: string;
  wrapped_key: string | null;
  destroyed_by: DestroyedBy | null;
};

const keyColumns = `k.key_id, k.tenant_id, encode(k.subject, 'hex') AS subject, k.period, k.wrapped_key, k.destroyed_by`;

/**
 * The data keys of people: rows of `person_keys`, wrapped by the key ring. A key is used only together with its row as it stands in this very transaction, so a
 * destroyed key is used by nobody, in no replica: what is remembered is the unwrapping alone. Who seals holds a shared lock on the person until the commit,
 * and `latch erase` an exclusive one: what it has not seen sealed is not sealed after it.
 */
export class PersonKeys {
  private readonly unwrapped = new KeyCache();
  private readonly subjectKeys = new Map<string, Buffer>();

  constructor(private readonly ring: KeyRing) {}

  /** The keys of these ids, destroyed ones included. @throws TerminalError when a row is not there at all: it was deleted by hand. */
  async read(sql: Sql, keyIds: readonly number[]): Promise<ReadonlyMap<number, PersonKey>> {
    if (keyIds.length === 0) return new Map();
    const rows = await sql<KeyRow>(`SELECT ${keyColumns} FROM person_keys k WHERE k.key_id = ANY($1::bigint[])`, [
      keyIds,
    ]);
    return this.byId(keyIds, rows);
  }

  /** The same for the relay, which publishes for all tenants. */
  async readOfOutbox(sql: Sql, keyIds: readonly number[]): Promise<ReadonlyMap<number, PersonKey>> {
    if (keyIds.length === 0) return new Map();
    const rows = await sql<KeyRow>(`SELECT ${keyColumns} FROM keys_of_outbox($1::bigint[]) k`, [keyIds]);
    return this.byId(keyIds, rows);
  }

  /** The same for who is going to seal with them, inside a transaction. */
  async lock(sql: Sql, keyIds: readonly number[]): Promise<ReadonlyMap<number, PersonKey>> {
    if (keyIds.length === 0) return new Map();
    const [, keys] = await Promise.all([
      sql(
        `SELECT pg_advisory_xact_lock_shared(person_lock(subject)) FROM person_keys WHERE key_id = ANY($1::bigint[])`,
        [keyIds],
      ),
      this.read(sql, keyIds),
    ]);
    return keys;
  }

  /** The last keys of conversations that are loaded and locked, their people locked too: one round trip, right behind the load. */
  async lockLastOf(sql: Sql, streamIds: readonly string[]): Promise<readonly StreamKey[]> {
    if (streamIds.length === 0) return [];
    const [, rows] = await Promise.all([
      sql(
        `SELECT pg_advisory_xact_lock_shared(person_lock(subject)) FROM person_streams WHERE stream_id = ANY($1::uuid[])`,
        [streamIds],
      ),
      sql<KeyRow & { stream_id: string }>(
        `SELECT p.stream_id, ${keyColumns} FROM person_streams p JOIN person_keys k USING (key_id) WHERE p.stream_id = ANY($1::uuid[])`,
        [streamIds],
      ),
    ]);
    return rows.map((row) => ({ ...this.keyOf(row), streamId: row.stream_id }));
  }

  /** The key of each person for a month, made where there is none; the people stay locked until the commit. */
  async current(sql: Sql, wanted: readonly Subject[], period: string): Promise<ReadonlyMap<string, PersonKey>> {
    const people = uniquePeople(wanted);
    if (people.length === 0) return new Map();
    const subjects = people.map(({ subject }) => subject);
    const [, found] = await Promise.all([
      sql(`SELECT pg_advisory_xact_lock_shared(person_lock(decode(s, 'hex'))) FROM unnest($1::text[]) AS s`, [
        subjects,
      ]),
      this.live(sql, people, period),
    ]);
    const missing = people.filter((person) => !found.has(nameOf(person)));
    if (missing.length === 0) return found;
    await this.make(sql, missing, period);
    return new Map([...found, ...(await this.live(sql, missing, period))]);
  }

  /** The keyed digest of each person, in the order given. The key is the tenant's own: equal ids of two tenants are two people. */
  async subjectsOf(
    sql: Sql,
    people: readonly { readonly tenantId: string; readonly person: string }[],
  ): Promise<readonly Subject[]> {
    await this.learnSubjectKeys(sql, [...new Set(people.map(({ tenantId }) => tenantId))]);
    return people.map(({ tenantId, person }) => {
      const key = this.subjectKeys.get(tenantId);
      if (key === undefined) throw new TypeError(`No subject key of tenant ${tenantId}`);
      return { tenantId, subject: createHmac('sha256', key).update(person).digest('hex').slice(0, 32) };
    });
  }

  /** Whether a person was erased after an instant. It writes nothing: a tenant without a subject key has nobody whose data was ever sealed. */
  async wasErasedSince(
    sql: Sql,
    person: { readonly tenantId: string; readonly person: string },
    since: string,
  ): Promise<boolean> {
    if (!(await this.readSubjectKeys(sql, [person.tenantId])).has(person.tenantId)) return false;
    const [subject] = await this.subjectsOf(sql, [person]);
    const erased = await sql(
      `SELECT 1 FROM person_keys WHERE tenant_id = $1 AND subject = decode($2, 'hex') AND destroyed_by = 'erase' AND destroyed_at > $3 LIMIT 1`,
      [person.tenantId, subject?.subject ?? '', since],
    );
    return erased.length > 0;
  }

  private byId(keyIds: readonly number[], rows: readonly KeyRow[]): ReadonlyMap<number, PersonKey> {
    const keys = new Map(rows.map((row) => [Number(row.key_id), this.keyOf(row)]));
    const lost = keyIds.filter((id) => !keys.has(id));
    if (lost.length === 0) return keys;
    throw new TerminalError(`Data keys are not in the store: ${lost.join(', ')}`, { code: 'internal' });
  }

  private async live(sql: Sql, people: readonly Subject[], period: string): Promise<ReadonlyMap<string, PersonKey>> {
    const rows = await sql<KeyRow>(
      `SELECT ${keyColumns}
       FROM person_keys k JOIN unnest($1::text[], $2::text[]) AS w (tenant_id, subject)
         ON k.tenant_id = w.tenant_id AND k.subject = decode(w.subject, 'hex')
       WHERE k.period = $3 AND k.wrapped_key IS NOT NULL`,
      [people.map(({ tenantId }) => tenantId), people.map(({ subject }) => subject), period],
    );
    return new Map(rows.map((row) => [nameOf(subjectIn(row)), this.keyOf(row)]));
  }

  /** Somebody else may make the same keys at this moment: then this waits for him and uses his. */
  private async make(sql: Sql, people: readonly Subject[], period: string): Promise<void> {
    await sql(
      `INSERT INTO person_keys (tenant_id, subject, period, wrapped_key)
       SELECT tenant_id, decode(subject, 'hex'), $3, wrapped_key FROM unnest($1::text[], $2::text[], $4::text[]) AS i (tenant_id, subject, wrapped_key)
       ORDER BY tenant_id, subject
       ON CONFLICT (tenant_id, subject, period) WHERE wrapped_key IS NOT NULL DO NOTHING`,
      [
        people.map(({ tenantId }) => tenantId),
        people.map(({ subject }) => subject),
        period,
        people.map((person) => sealWithRing(this.ring, randomBytes(32), aboutKey({ ...person, period }))),
      ],
    );
  }

  private keyOf(row: KeyRow): PersonKey {
    const keyId = Number(row.key_id);
    const of = { ...subjectIn(row), period: row.period };
    const key = row.wrapped_key === null ? null : { keyId, key: this.unwrap(row.wrapped_key, aboutKey(of)) };
    return { keyId, ...of, key, destroyedBy: row.destroyed_by };
  }

  /** @throws RetryableError when the ring does not hold the key: nothing may be refused or lost because a service was started with the wrong one. */
  private unwrap(wrapped: string, about: string): Buffer {
    const known = this.unwrapped.get(wrapped);
    if (known !== undefined) return known;
    const opened = openWithRing(this.ring, wrapped, about);
    if (!opened.ok)
      throw new RetryableError(`A data key cannot be unwrapped: ${opened.error}`, { retryAfterMs: 5_000 });
    this.unwrapped.set(wrapped, opened.value);
    return opened.value;
  }

  private async learnSubjectKeys(sql: Sql, tenants: readonly string[]): Promise<void> {
    const unknown = tenants.filter((tenantId) => !this.subjectKeys.has(tenantId)).sort();
    if (unknown.length === 0) return;
    const found = await this.readSubjectKeys(sql, unknown);
    const missing = unknown.filter((tenantId) => !found.has(tenantId));
    if (missing.length > 0) {
      await sql(
        `INSERT INTO subject_keys (tenant_id, wrapped_key) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (tenant_id) DO NOTHING`,
        [missing, missing.map((tenantId) => sealWithRing(this.ring, randomBytes(32), aboutSubjects(tenantId)))],
      );
      await this.readSubjectKeys(sql, missing);
    }
  }

  private async readSubjectKeys(sql: Sql, tenants: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await sql<{ tenant_id: string; wrapped_key: string }>(
      `SELECT tenant_id, wrapped_key FROM subject_keys WHERE tenant_id = ANY($1::text[])`,
      [tenants],
    );
    for (const row of rows) {
      this.subjectKeys.set(row.tenant_id, this.unwrap(row.wrapped_key, aboutSubjects(row.tenant_id)));
    }
    return new Set(rows.map((row) => row.tenant_id));
  }
}

/** A person's name in maps. */
export function nameOf({ tenantId, subject }: Subject): string {
  return `${tenantId}/${subject}`;
}

/** The month that an instant lies in, `YYYY-MM`. */
export function periodOf(instant: string): string {
  return instant.slice(0, 7);
}

/** What a wrapped data key is bound to. */
export function aboutKey(of: Subject & { readonly period: string }): string {
  return JSON.stringify(['latch-person-key-v1', of.tenantId, of.subject, of.period]);
}

/** What the wrapped key of a tenant's subject digests is bound to. */
export function aboutSubjects(tenantId: string): string {
  return JSON.stringify(['latch-subject-key-v1', tenantId]);
}

function subjectIn(row: KeyRow): Subject {
  return { tenantId: row.tenant_id, subject: row.subject };
}

function uniquePeople(people: readonly Subject[]): readonly Subject[] {
  return [...new Map(people.map((person) => [nameOf(person), person])).values()].sort((a, b) =>
    nameOf(a) < nameOf(b) ? -1 : 1,
  );
}
