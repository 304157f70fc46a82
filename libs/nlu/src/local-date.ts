/** A day of the calendar, without time or zone. */
export type Day = { readonly year: number; readonly month: number; readonly day: number };

const msPerDay = 86_400_000;
const msPerQuarter = 900_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day that it is at `instant` (ISO-8601 with zone) in a time zone; an unknown zone counts as UTC. */
export function dayIn(instant: string, timeZone: string): Day {
  const quarter = Math.floor(Date.parse(instant) / msPerQuarter);
  if (quarter === latest.quarter && timeZone === latest.timeZone) return latest.day;
  const parts = formatOf(timeZone).formatToParts(new Date(instant));
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  latest = { quarter, timeZone, day: { year: read('year'), month: read('month'), day: read('day') } };
  return latest.day;
}

/** The day of the latest quarter of an hour: no zone changes its day within one, and asking the calendar costs as much as reading a sentence. */
let latest: { readonly quarter: number; readonly timeZone: string; readonly day: Day } = {
  quarter: Number.NaN,
  timeZone: '',
  day: { year: 0, month: 0, day: 0 },
};

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = buildFormat(timeZone);
  formats.set(timeZone, format);
  return format;
}

function buildFormat(timeZone: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', calendar: 'iso8601' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone: 'UTC' });
  }
}

/** The day that lies `days` after `day`. */
export function addDays(day: Day, days: number): Day {
  const moved = new Date(Date.UTC(day.year, day.month - 1, day.day) + days * msPerDay);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: Day): number {
  return new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay();
}

/** Whether the calendar has this day. */
export function isRealDay(day: Day): boolean {
  const same = addDays(day, 0);
  return (
    day.year >= 1000 && day.year <= 9999 && same.year === day.year && same.month === day.month && same.day === day.day
  );
}

/** `YYYY-MM-DD`. */
export function formatDay(day: Day): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(day.year).padStart(4, '0')}-${two(day.month)}-${two(day.day)}`;
}

/** Whether `a` lies before `b`. */
export function isBefore(a: Day, b: Day): boolean {
  return formatDay(a) < formatDay(b);
}
