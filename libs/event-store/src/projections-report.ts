import { type StreamComparison } from './compare-projections.ts';
import { type ProjectionDifference } from './projection-difference.ts';

/** What was compared, and what was found. */
export type ProjectionsReport = {
  readonly streams: number;
  readonly events: number;
  readonly rows: number;
  /** Streams that have a difference. */
  readonly differ: number;
  /** Streams with personal fields that are gone: their rows cannot be made again, and are not compared. */
  readonly erased: number;
  /** Rows that retention has let go of. */
  readonly letGo: number;
  /** Calls whose record was made again from the events: they are what the events say, and no evidence of their own. */
  readonly rebuilt: number;
  /** All differences. */
  readonly differences: number;
  /** The difference that was met first; null when there is none. */
  readonly first: ProjectionDifference | null;
  /** Each place that differs, as `table.column` or `table`: how often, and where first. */
  readonly places: readonly PlaceThatDiffers[];
};

/** One column, or one table whose rows are missing or too many. */
export type PlaceThatDiffers = { readonly place: string; readonly count: number; readonly first: ProjectionDifference };

/** One stream, compared. `comparison` is null for an erased one. */
export type VerifiedStream = { readonly events: number; readonly comparison: StreamComparison | null };

/** Counts, and keeps the first difference of each place, so that memory does not grow with what is wrong. */
export class ProjectionsTally {
  private readonly byPlace = new Map<string, { count: number; readonly first: ProjectionDifference }>();
  private readonly sums = {
    streams: 0,
    events: 0,
    rows: 0,
    differ: 0,
    erased: 0,
    letGo: 0,
    rebuilt: 0,
    differences: 0,
  };

  add({ events, comparison }: VerifiedStream): void {
    this.sums.streams += 1;
    this.sums.events += events;
    if (comparison === null) {
      this.sums.erased += 1;
      return;
    }
    this.sums.rows += comparison.rows;
    this.sums.letGo += comparison.letGo;
    this.sums.rebuilt += comparison.rebuilt;
    if (comparison.differences.length > 0) this.sums.differ += 1;
    for (const difference of comparison.differences) this.differs(difference);
  }

  differs(difference: ProjectionDifference): void {
    this.sums.differences += 1;
    const { table, column } = difference;
    const place = column === null ? table : `${table}.${column}`;
    const known = this.byPlace.get(place);
    if (known) known.count += 1;
    else this.byPlace.set(place, { count: 1, first: difference });
  }

  /** How far it is. */
  progress(): { readonly streams: number; readonly events: number } {
    return { streams: this.sums.streams, events: this.sums.events };
  }

  report(): ProjectionsReport {
    const places = [...this.byPlace].map(([place, { count, first }]) => ({ place, count, first }));
    return { ...this.sums, first: places[0]?.first ?? null, places };
  }
}
