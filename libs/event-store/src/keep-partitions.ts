import { type Sql } from './database.ts';

/** What a round of the job that makes partitions found and did. */
export type PartitionsKept = {
  readonly made: readonly string[];
  /** Events lie in `events_default`, where no month was made for them in time. */
  readonly hasEventsOutside: boolean;
};

/** Makes the monthly partitions of events that are missing, from this month to `monthsAhead`, and looks whether an event lies outside of all. */
export async function keepPartitions(
  sql: Sql,
  { monthsAhead }: { readonly monthsAhead: number },
): Promise<PartitionsKept> {
  const [row] = await sql<{ made: readonly string[]; outside: boolean }>(
    `SELECT create_event_partitions($1) AS made, has_events_outside_partitions() AS outside`,
    [monthsAhead],
  );
  return { made: row?.made ?? [], hasEventsOutside: row?.outside ?? false };
}
