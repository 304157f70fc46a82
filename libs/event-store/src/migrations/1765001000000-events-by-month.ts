import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { grantsOfEvents } from './1765000000000-roles-and-tenants.ts';
import { sweepFunction } from './sweep-functions.ts';
import { allTenantsRole, storeRoles, tenantTable } from './tenant-table.ts';

/**
 * Events go into a partition per month in which their conversation began: `stream_id` is ordered by time, so no key changes and uniqueness stays global. What was
 * there becomes the first partition, as it is: no row is copied. Months are made ahead by `create_event_partitions`; what no month takes goes into
 * `events_default`, which must stay empty.
 *
 * The global order loses its unique index (a unique index of a partitioned table must hold its partition key) and keeps a plain one: positions come from one
 * sequence.
 */
export class EventsByMonth1765001000000 implements MigrationInterface {
  readonly name = 'EventsByMonth1765001000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...functions, ...makeRoom, ...partitioned, ...grants, ...attach, ...alarm]) {
      await runner.query(statement);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const functions = [
  `CREATE FUNCTION first_stream_of(month date) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
   RETURN (lpad(to_hex((extract(epoch FROM month::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`,
  `CREATE FUNCTION month_of_stream(stream_id uuid) RETURNS date LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
   RETURN date_trunc('month', timestamp '1970-01-01'
     + make_interval(secs => ('x' || left(replace(stream_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0))::date`,
  // A partition takes the triggers for rows from its parent, and its own against TRUNCATE. Nobody has rights on it: it is reached through its parent only.
  `CREATE FUNCTION guard_event_partition(partition text) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     EXECUTE format('CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON public.%I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
     EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', partition);
     EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', partition);
   END $$`,
  `REVOKE ALL ON FUNCTION guard_event_partition(text) FROM PUBLIC`,
  // Whoever comes second while another replica makes the same months leaves it to that one. Waits for no lock longer than two seconds: the next round tries again.
  `CREATE FUNCTION create_event_partitions(months_ahead int) RETURNS text[]
   LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
   DECLARE
     month date := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date;
     last date := month + make_interval(months => months_ahead);
     covered uuid;
     partition text;
     made text[] := '{}';
   BEGIN
     IF NOT pg_try_advisory_xact_lock(hashtext('latch.event_partitions')) THEN RETURN made; END IF;
     SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''([0-9a-f-]+)''\\)')::uuid INTO covered
     FROM pg_class WHERE oid = 'public.events_first'::regclass;
     WHILE month <= last LOOP
       partition := to_char(month, '"events_y"YYYY"m"MM');
       IF first_stream_of(month) >= covered AND to_regclass('public.' || partition) IS NULL THEN
         EXECUTE format('CREATE TABLE public.%I (LIKE public.events INCLUDING ALL)', partition);
         PERFORM guard_event_partition(partition);
         EXECUTE format('ALTER TABLE public.events ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
           first_stream_of(month), first_stream_of((month + interval '1 month')::date));
         made := made || partition;
       END IF;
       month := (month + interval '1 month')::date;
     END LOOP;
     RETURN made;
   END $$`,
  `REVOKE ALL ON FUNCTION create_event_partitions(int) FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION create_event_partitions(int) TO latch_orchestrator, latch_maintenance`,
];

const makeRoom = [
  `DROP TRIGGER events_are_insert_only ON events`,
  `DROP TRIGGER events_are_never_truncated ON events`,
  `DROP POLICY own_tenants ON events`,
  `DROP POLICY all_tenants ON events`,
  `REVOKE ALL ON events FROM ${storeRoles.join(', ')}`,
  `DROP INDEX events_in_global_order`,
  `ALTER TABLE events RENAME TO events_first`,
  `ALTER TABLE events_first RENAME CONSTRAINT events_pkey TO events_first_pkey`,
];

const partitioned = [
  `CREATE TABLE events (LIKE events_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (stream_id, stream_version))
   PARTITION BY RANGE (stream_id)`,
  `CREATE INDEX events_in_global_order ON events (written_by, position)`,
  `CREATE TRIGGER events_are_insert_only BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
];

const grants = [...tenantTable({ table: 'events', grants: grantsOfEvents })];

/** The first partition ends with the month of the youngest conversation, or with this one. */
const attach = [
  `DO $$
   DECLARE youngest uuid;
   BEGIN
     SELECT stream_id INTO youngest FROM events_first ORDER BY stream_id DESC LIMIT 1;
     EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (%L)', first_stream_of((greatest(
       month_of_stream(youngest), date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date) + interval '1 month')::date));
     PERFORM guard_event_partition('events_first');
     CREATE TABLE events_default PARTITION OF events DEFAULT;
     PERFORM guard_event_partition('events_default');
     CREATE POLICY all_tenants ON events_default TO ${allTenantsRole} USING ((SELECT '*' = ANY (current_tenants())));
     PERFORM create_event_partitions(3);
   END $$`,
];

/** Whether an event went where no month was made for it: the alarm of the job that makes them. */
const alarm = sweepFunction({
  name: 'has_events_outside_partitions',
  parameters: [],
  returns: 'boolean',
  body: 'SELECT EXISTS (SELECT FROM events_default)',
  roles: ['latch_orchestrator', 'latch_maintenance'],
});
