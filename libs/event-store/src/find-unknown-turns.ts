import { type Sql } from './database.ts';
import { findRefusedTurns } from './find-refused-turns.ts';
import { type FoundRows, type IsKept, mostOrphans, type OrphanRow } from './orphan-row.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type EventRow, eventColumns, eventOf } from './read-events.ts';

type TurnRow = OrphanRow & { readonly stream_id: string };

/** How many turns, and how many events, are in memory at once. */
const pageOf = 2_000;

/**
 * Turns of which no event of their stream says that they were received: the id of a turn is what the event names as its cause. Nothing else ties a turn to its stream,
 * and the event keeps the name packed, so all turns are gone through, page by page in the order of their streams, and looked for among the events. A stream with an
 * altered event says nothing of its turns, and is found anyway. Those that were refused are counted apart.
 *
 * @returns of each tenant at most one more than are named, none that retention is about to take.
 */
export async function findUnknownTurns(
  store: { readonly sql: Sql; readonly vault: PersonalVault },
  isKept: IsKept,
): Promise<FoundRows> {
  const { sql } = store;
  const found: OrphanRow[] = [];
  let refused = 0;
  const counts = new Map<string, number>();
  await sql(`DECLARE turns_by_stream NO SCROLL CURSOR FOR
    SELECT turn_id AS id, stream_id, tenant_id, created_at AS begun FROM turns ORDER BY stream_id`);
  for (;;) {
    const turns = await sql<TurnRow>(`FETCH ${pageOf} FROM turns_by_stream`);
    if (turns.length === 0) return { rows: found, refused };
    const unknown = await unknownOf(sql, turns.filter(isKept));
    const ofRefused = await findRefusedTurns(store, unknown);
    refused += ofRefused.size;
    for (const turn of unknown.filter(({ id }) => !ofRefused.has(id))) {
      const count = (counts.get(turn.tenant_id) ?? 0) + 1;
      counts.set(turn.tenant_id, count);
      if (count <= mostOrphans + 1) found.push(turn);
    }
  }
}

async function unknownOf(sql: Sql, turns: readonly TurnRow[]): Promise<readonly TurnRow[]> {
  const unknown = new Map(turns.map((turn) => [turn.id, turn]));
  const unreadable = new Set<string>();
  const streams = [...new Set(turns.map((turn) => turn.stream_id))];
  let after: { readonly stream: string; readonly version: number } | undefined = { stream: firstId, version: 0 };
  while (after !== undefined && unknown.size > 0) {
    const rows: readonly EventRow[] = await sql<EventRow>(receivedSql, [streams, after.stream, after.version, pageOf]);
    for (const row of rows) {
      const { causationId, isAltered } = eventOf(row);
      if (isAltered === true) unreadable.add(row.stream_id);
      if (causationId !== null) unknown.delete(causationId);
    }
    const last: EventRow | undefined = rows.length < pageOf ? undefined : rows.at(-1);
    after = last && { stream: last.stream_id, version: last.stream_version };
  }
  return [...unknown.values()].filter((turn) => !unreadable.has(turn.stream_id));
}

const firstId = '00000000-0000-0000-0000-000000000000';

const receivedSql = `
  SELECT ${eventColumns} FROM events e JOIN streams s USING (stream_id)
  WHERE e.stream_id = ANY ($1::uuid[]) AND (e.stream_id, e.stream_version) > ($2::uuid, $3::int) AND e.type = 'TurnReceived'
  ORDER BY e.stream_id, e.stream_version LIMIT $4`;
