import { type StreamComparison } from './compare-projections.ts';
import { type Orphans } from './find-orphans.ts';
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
  /** Turns that were refused without being handled: nothing was done for them, and only their answers tell of them. */
  readonly refused: number;
  /** All differences. */
  readonly differences: number;
  /** Whether there are more: of the rows that belong to nothing only the newest ones of each tenant are counted. */
  readonly isAtLeast: boolean;
  /** The difference that was met first; null when there is none. */
  readonly first: ProjectionDifference | null;
  /** Each place that differs, as `table.column` or `table`, and in what way: how often, and where first. */
  readonly places: readonly PlaceThatDiffers[];
};

/** What is wrong with one column, or with rows of one table as a whole: changed, missing, too many or unproven, each of them apart. */
export type PlaceThatDiffers = {
  readonly place: string;
  readonly kind: ProjectionDifference['kind'];
  readonly count: number;
  /** Whether there are more. */
  readonly isAtLeast: boolean;
  readonly first: ProjectionDifference;
};

/** One stream, compared. `comparison` is null for an erased one. */
export type VerifiedStream = { readonly events: number; readonly comparison: StreamComparison | null };

/** Counts, and keeps the first difference of each place, so that memory does not grow with what is wrong. */
export class ProjectionsTally {
  private readonly places = new Map<string, { count: number; readonly first: ProjectionDifference }>();
  private readonly cutTables = new Set<ProjectionDifference['table']>();
  private readonly sums = {
    streams: 0,
    events: 0,
    rows: 0,
    differ: 0,
    erased: 0,
    letGo: 0,
    rebuilt: 0,
    refused: 0,
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
    for (const difference of comparison.differences) this.addDifference(difference);
  }

  addDifference(difference: ProjectionDifference): void {
    this.sums.differences += 1;
    const { kind, reason = '' } = difference;
    const key = [placeOf(difference), kind, reason].join(' ');
    const known = this.places.get(key);
    if (known) known.count += 1;
    else this.places.set(key, { count: 1, first: difference });
  }

  addOrphans({ differences, isCut, refused }: Orphans): void {
    this.sums.refused += refused;
    for (const difference of differences) {
      this.addDifference(difference);
      if (isCut) this.cutTables.add(difference.table);
    }
  }

  /** How far it is. */
  progress(): { readonly streams: number; readonly events: number } {
    return { streams: this.sums.streams, events: this.sums.events };
  }

  report(): ProjectionsReport {
    const places = [...this.places.values()].map(({ count, first }) => ({
      ...{ place: placeOf(first), kind: first.kind, count, first },
      isAtLeast: first.kind === 'orphan' && this.cutTables.has(first.table),
    }));
    const isAtLeast = this.cutTables.size > 0;
    return { ...this.sums, isAtLeast, first: places[0]?.first ?? null, places };
  }
}

function placeOf({ table, column }: ProjectionDifference): string {
  return column === null ? table : `${table}.${column}`;
}
