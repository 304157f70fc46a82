import { type PersonalData } from '@latch/config';
import { anonymousUser, type BusMessage, type ConversationKey, RetryableError } from '@latch/contracts';
import { type ConversationAppend } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { type DestroyedBy, nameOf, periodOf, PersonKeys, type StreamKey, type Subject } from './person-keys.ts';
import { sealAppend } from './seal-append.ts';
import { isSealed, keyIdOf } from './seal-value.ts';
import { type LoadedConversation } from './stored-conversation.ts';
import { type Keys, openMessages, openSealed, type Unsealing } from './unsealings.ts';
import { statePlace } from './seal-places.ts';

/** Who a conversation is with: the user, or, of somebody who gave no name, the conversation itself. */
export function personOf({
  person,
  conversationKey,
}: {
  readonly person?: string | null;
  readonly conversationKey: string;
}): string {
  return person === undefined || person === null || person === anonymousUser
    ? `conversation:${conversationKey}`
    : `user:${person}`;
}

/**
 * The store's door to personal data: what goes in is sealed under the key of the person, what comes out is opened, or told to be erased. Where the operator keeps
 * personal data in the clear nothing is sealed, and what was sealed before needs its keys all the same.
 */
export class PersonalVault {
  readonly keys: PersonKeys | null;

  constructor(data: PersonalData) {
    this.keys = data === 'clear' ? null : new PersonKeys(data);
  }

  /** Rows as they were before they were sealed. */
  async unseal<Row>(sql: Sql, rows: readonly Row[], kind: Unsealing<Row>): Promise<readonly Row[]> {
    const sealed = rows.map((row) => kind.sealedIn(row));
    const keys = await this.keysOf(sealed, (ids, of) => of.read(sql, ids));
    return rows.map((row, index) => {
      const value = sealed[index];
      return value === undefined ? row : kind.open(row, value, keys);
    });
  }

  /** One row, if there is one. */
  async unsealOne<Row>(sql: Sql, row: Row | undefined, kind: Unsealing<Row>): Promise<Row | undefined> {
    return row === undefined ? undefined : (await this.unseal(sql, [row], kind))[0];
  }

  /** Messages that the relay publishes, of all tenants. */
  async unsealOutbox(sql: Sql, messages: readonly BusMessage[]): Promise<BusMessage[]> {
    const sealed = messages.map(({ value }) => (isSealed(value) ? value : undefined));
    return openMessages(messages, await this.keysOf(sealed, (ids, of) => of.readOfOutbox(sql, ids)));
  }

  /** Messages of conversations that this transaction has loaded. */
  async unsealMessages(sql: Sql, messages: readonly BusMessage[]): Promise<BusMessage[]> {
    const sealed = messages.map(({ value }) => (isSealed(value) ? value : undefined));
    return openMessages(messages, await this.keysOf(sealed, (ids, of) => of.read(sql, ids)));
  }

  /** The keys that some sealed values need. */
  async keysOf(
    sealed: readonly (string | undefined)[],
    read: (ids: readonly number[], of: PersonKeys) => Promise<Keys>,
  ): Promise<Keys> {
    const ids = new Set(sealed.flatMap((value) => (value === undefined ? [] : (keyIdOf(value) ?? []))));
    if (ids.size === 0) return new Map();
    if (this.keys !== null) return read([...ids], this.keys);
    throw new RetryableError(
      'The store holds sealed personal data, and this process has no key: set LATCH_DATA_KEY, and LATCH_PERSONAL_DATA=sealed',
      { retryAfterMs: 5_000 },
    );
  }

  /** The sealing of one batch. */
  forTransaction(sql: Sql, now: string): BatchSealing {
    return new BatchSealing({ vault: this, sql, period: periodOf(now) });
  }
}

/** A conversation that was loaded, and why its snapshot is erased, if it is. */
export type OpenedConversation = { readonly loaded: LoadedConversation; readonly erasedBy: DestroyedBy | null };

/** Sealing and opening inside one batch's transaction. It remembers the keys that came with the load, so that a known person costs no round trip. */
export class BatchSealing {
  private readonly last = new Map<string, readonly StreamKey[]>();

  constructor(private readonly of: { readonly vault: PersonalVault; readonly sql: Sql; readonly period: string }) {}

  /** The keys of these conversations, asked for right behind the load that locked them. */
  async learn(streamIds: readonly string[]): Promise<void> {
    const rows = (await this.of.vault.keys?.lockLastOf(this.of.sql, streamIds)) ?? [];
    for (const row of rows) this.last.set(row.streamId, [...(this.last.get(row.streamId) ?? []), row]);
  }

  /** A loaded conversation with its snapshot opened; an erased one has none. */
  async open(
    where: { readonly tenantId: string; readonly conversationKey: string },
    loaded: LoadedConversation,
  ): Promise<OpenedConversation> {
    const { state, version, streamId } = loaded;
    if (!isSealed(state)) return { loaded, erasedBy: null };
    const known = new Map((this.last.get(streamId) ?? []).map((key) => [key.keyId, key]));
    const keyId = keyIdOf(state) ?? 0;
    const keys = known.has(keyId) ? known : await this.of.vault.keysOf([state], (ids, of) => of.read(this.of.sql, ids));
    const opened = openSealed(state, statePlace({ ...where, version }), keys);
    if (opened === null)
      return { loaded: { ...loaded, state: null }, erasedBy: keys.get(keyId)?.destroyedBy ?? 'erase' };
    const value: unknown = JSON.parse(opened);
    return { loaded: { ...loaded, state: value }, erasedBy: null };
  }

  /** What a batch decided, sealed under the current key of each conversation's person; who is new in a conversation is written down. */
  async seal(
    appends: readonly ConversationAppend[],
    loaded: ReadonlyMap<ConversationKey, LoadedConversation>,
  ): Promise<readonly ConversationAppend[]> {
    const { vault, sql, period } = this.of;
    if (vault.keys === null) return appends;
    const people = await vault.keys.subjectsOf(
      sql,
      appends.map((append) => ({ tenantId: append.tenantId, person: personOf(append) })),
    );
    const known = new Map(
      [...this.last.values()]
        .flat()
        .filter((key) => key.period === period && key.key !== null)
        .map((key) => [nameOf(key), key]),
    );
    const missing = people.filter((person) => !known.has(nameOf(person)));
    const keys = new Map([...known, ...(await vault.keys.current(sql, missing, period))]);
    const seats: Seat[] = [];
    const sealed = appends.map((append, index) => {
      const person = people[index];
      const found = person && keys.get(nameOf(person));
      if (!found?.key) throw new TypeError('A person has no data key');
      seats.push({ ...found, streamId: loaded.get(append.conversationKey)?.streamId ?? '' });
      return sealAppend(append, found.key);
    });
    await this.remember(seats);
    return sealed;
  }

  private async remember(seats: readonly Seat[]): Promise<void> {
    const fresh = seats.filter(
      ({ streamId, keyId }) => !(this.last.get(streamId) ?? []).some((key) => key.keyId === keyId),
    );
    if (fresh.length === 0) return;
    await this.of.sql(
      `INSERT INTO person_streams (stream_id, subject, tenant_id, key_id)
       SELECT stream_id, decode(subject, 'hex'), tenant_id, key_id FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS i (stream_id, subject, tenant_id, key_id)
       ON CONFLICT (stream_id, subject) DO UPDATE SET key_id = excluded.key_id`,
      [
        fresh.map(({ streamId }) => streamId),
        fresh.map(({ subject }) => subject),
        fresh.map(({ tenantId }) => tenantId),
        fresh.map(({ keyId }) => keyId),
      ],
    );
  }
}

/** A person's place in a conversation. */
type Seat = Subject & { readonly keyId: number; readonly streamId: string };
