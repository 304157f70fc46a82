import { type Database } from './database.ts';
import { type Lease } from './tool-ledger.ts';

/** A condition that was raised and not cleared yet. */
export type OpenAlarm = {
  readonly alarmId: string;
  /** The event type that raised it. */
  readonly condition: string;
  /** What it is about, such as a server. */
  readonly subject: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly raisedAt: string;
};

/**
 * The alarms that are open, so that whoever raised one need not be alive to clear it: each belongs to its raiser for a lease, and passes to a successor after it
 * (DESIGN section 3). A condition of a subject is open at most once, over all instances.
 */
export class OpenAlarms {
  constructor(private readonly database: Pick<Database, 'sql'>) {}

  /** @returns false when the condition is open already: then it is not told again. */
  async open(alarm: OpenAlarm, { owner, leaseMs }: Lease): Promise<boolean> {
    const opened = await this.database.sql(
      `INSERT INTO open_alarms (alarm_id, condition, subject, facts, raised_at, owner, lease_until)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7::double precision / 1000))
       ON CONFLICT DO NOTHING RETURNING alarm_id`,
      [alarm.alarmId, alarm.condition, alarm.subject, JSON.stringify(alarm.facts), alarm.raisedAt, owner, leaseMs],
    );
    return opened.length === 1;
  }

  /** Closes a condition. @returns the alarm that was open, for its clearing to be told; undefined when there was none. */
  async close(condition: string, subject: string): Promise<OpenAlarm | undefined> {
    const [row] = await this.database.sql<AlarmRow>(
      `DELETE FROM open_alarms WHERE condition = $1 AND subject = $2 RETURNING alarm_id, condition, subject, facts, raised_at`,
      [condition, subject],
    );
    return row && alarmOf(row);
  }

  /** Keeps the own alarms, and takes over those whose owner is gone. @returns the ones that were taken over. */
  async renew({ owner, leaseMs }: Lease): Promise<readonly OpenAlarm[]> {
    const rows = await this.database.sql<AlarmRow & { is_taken_over: boolean }>(
      `WITH held AS (
         SELECT alarm_id, owner <> $1 AS is_taken_over FROM open_alarms WHERE owner = $1 OR lease_until < clock_timestamp()
         ORDER BY alarm_id FOR UPDATE SKIP LOCKED
       )
       UPDATE open_alarms a SET owner = $1, lease_until = clock_timestamp() + make_interval(secs => $2::double precision / 1000)
       FROM held WHERE a.alarm_id = held.alarm_id
       RETURNING a.alarm_id, condition, subject, facts, raised_at, is_taken_over`,
      [owner, leaseMs],
    );
    return rows.filter(({ is_taken_over }) => is_taken_over).map(alarmOf);
  }
}

type AlarmRow = {
  alarm_id: string;
  condition: string;
  subject: string;
  facts: Record<string, unknown>;
  raised_at: Date;
};

function alarmOf(row: AlarmRow): OpenAlarm {
  return {
    alarmId: row.alarm_id,
    condition: row.condition,
    subject: row.subject,
    facts: row.facts,
    raisedAt: row.raised_at.toISOString(),
  };
}
