import { type KeyRing, openWithRing, type PersonalData, sealWithRing } from '@latch/config';
import { erased } from './erased.ts';
import { type Maintenance } from './open-maintenance.ts';
import { type PersonKey } from './person-keys.ts';
import { isSealed, type SealedPlace, sealText } from './seal-value.ts';
import { openSealed } from './unsealings.ts';

/** A JSON value of a table beside the store, and where it belongs. */
export type SealableRecord = {
  readonly tenantId: string;
  readonly conversationKey: string;
  /** Table and column. */
  readonly field: string;
  /** What names the row. */
  readonly id: string;
  readonly value: unknown;
};

/** Seals and opens JSON values that a service keeps about conversations in tables of its own. */
export class RecordSealing {
  constructor(
    private readonly store: Pick<Maintenance, 'database' | 'vault'>,
    private readonly data: PersonalData,
  ) {}

  /** The values as they are to be stored: under the last key of the conversation's person; of a conversation that the store does not know, under the ring. */
  async seal(records: readonly SealableRecord[]): Promise<readonly unknown[]> {
    if (this.data === 'clear' || records.length === 0) return records.map(({ value }) => value);
    const ring = this.data;
    const keys = await this.lastKeysOf(records);
    return records.map((record) => {
      const person = keys.get(record.conversationKey);
      const text = JSON.stringify(record.value);
      if (person === undefined) return ringMark + sealWithRing(ring, Buffer.from(text), aboutOf(record));
      return person.key === null ? erased : sealText(text, person.key, placeOf(record));
    });
  }

  /** The values as they were; the marker where a person was erased. */
  async open(records: readonly SealableRecord[]): Promise<readonly unknown[]> {
    const sealed = records.map(({ value }) => (isSealed(value) ? value : undefined));
    const sql = this.store.database.within({ tenants: tenantsOf(records) });
    const keys = await this.store.vault.keysOf(sealed, (ids, of) => of.read(sql, ids));
    return records.map((record) => {
      const { value } = record;
      if (isSealed(value)) return parsed(openSealed(value, placeOf(record), keys));
      return typeof value === 'string' && value.startsWith(ringMark) ? openRing(this.data, value, record) : value;
    });
  }

  private async lastKeysOf(records: readonly SealableRecord[]): Promise<ReadonlyMap<string, PersonKey>> {
    const sql = this.store.database.within({ tenants: tenantsOf(records) });
    const rows = await sql<{ conversation_key: string; key_id: string }>(
      `SELECT s.conversation_key, p.key_id FROM streams s JOIN person_streams p USING (stream_id)
       WHERE s.conversation_key = ANY($1::text[]) ORDER BY p.key_id`,
      [[...new Set(records.map(({ conversationKey }) => conversationKey))]],
    );
    const keys =
      (await this.store.vault.keys?.read(sql, [...new Set(rows.map((row) => Number(row.key_id)))])) ?? new Map();
    return new Map(
      rows.flatMap((row): (readonly [string, PersonKey])[] => {
        const key = keys.get(Number(row.key_id));
        return key === undefined ? [] : [[row.conversation_key, key]];
      }),
    );
  }
}

const ringMark = '~r';

function tenantsOf(records: readonly SealableRecord[]): readonly string[] {
  return [...new Set(records.map(({ tenantId }) => tenantId))];
}

function placeOf({ tenantId, conversationKey, id, field }: SealableRecord): SealedPlace {
  return { tenantId, stream: conversationKey, version: id, field };
}

function aboutOf(record: SealableRecord): string {
  const { tenantId, stream, version, field } = placeOf(record);
  return JSON.stringify(['latch-record-v1', tenantId, stream, version, field]);
}

function openRing(data: KeyRing | 'clear', value: string, record: SealableRecord): unknown {
  if (data === 'clear') throw new Error('A record is sealed, and this process has no key: set LATCH_DATA_KEY');
  const opened = openWithRing(data, value.slice(ringMark.length), aboutOf(record));
  if (!opened.ok) throw new Error(`A record of ${record.conversationKey} does not open: ${opened.error}`);
  return parsed(opened.value.toString());
}

function parsed(text: string | null): unknown {
  if (text === null) return erased;
  const value: unknown = JSON.parse(text);
  return value;
}
