import { type BatchContext, type BusRecord } from './bus.ts';
import { backoffMs, pause } from './pause.ts';

type Options = {
  readonly maxBatch: number;
  readonly handle: (batch: readonly BusRecord[], context: BatchContext) => Promise<void>;
  /** Told of each failed try; the batch is tried again. */
  readonly onFailure: (error: unknown, attempt: number) => void;
};

type OnHandled = (record: BusRecord) => void;

/** What one partition has waiting, in order. */
type Lane = {
  readonly records: readonly BusRecord[];
  readonly onHandled: OnHandled;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
  /** The next record to take. */
  next: number;
  isOpen: boolean;
};

type Slice = { readonly lane: Lane; readonly last: BusRecord };

/**
 * One batch in flight over all partitions of a consumer, the next takes all that waits, at most `maxBatch`; strict order within a partition.
 * Bus clients deliver per partition: a batch per partition would cost a database transaction per partition.
 *
 * A batch whose handler rejects is handed over again after a pause, until it succeeds or the partitions are given up.
 *
 * @see docs/adr/0003-one-application-batcher.md
 */
export class ApplicationBatcher {
  private lanes: Lane[] = [];
  private term = new AbortController();
  private inFlight: Promise<void> | null = null;
  private isScheduled = false;
  private isPaused = false;
  private progressAt = 0;

  constructor(private readonly options: Options) {}

  /**
   * Queues the records of one partition.
   *
   * @param onHandled told the last record of the partition after each batch that succeeded.
   * @returns a promise that resolves when all are handled and rejects with the reason when the partitions are given up before.
   */
  add(records: readonly BusRecord[], onHandled: OnHandled): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.lanes.push({ records, onHandled, resolve, reject, next: 0, isOpen: true });
      this.schedule();
    });
  }

  /** Starts no further batch until `resume`. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.schedule();
  }

  /** How long the batch in flight has shown no sign of life; 0 when none is. */
  silentMs(): number {
    return this.inFlight === null ? 0 : Date.now() - this.progressAt;
  }

  /**
   * Gives the partitions up: aborts the signal, waits at most `drainMs` for the batch in flight, and rejects what is not handled. What the batch
   * in flight finished by then counts as handled. Afterwards records of a new assignment may be added.
   */
  async abandon(reason: unknown, drainMs: number): Promise<void> {
    await this.drain(drainMs);
    this.release(reason);
  }

  /** Aborts the signal, starts nothing more, and waits at most `drainMs` for the batch in flight. */
  async drain(drainMs: number): Promise<void> {
    this.term.abort();
    if (this.inFlight === null) return;
    const isDrained = new AbortController();
    await Promise.race([this.inFlight.then(() => isDrained.abort()), pause(drainMs, isDrained.signal)]);
  }

  /** Ends a drain: rejects everything that is not handled. */
  release(reason: unknown): void {
    const left = this.lanes;
    this.lanes = [];
    this.term = new AbortController();
    for (const lane of left) {
      lane.isOpen = false;
      lane.reject(reason);
    }
  }

  /** In a microtask: partitions that come from one fetch are added one after the other in the same turn of the event loop. */
  private schedule(): void {
    if (this.isScheduled || this.inFlight !== null) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.inFlight !== null || this.isPaused || this.term.signal.aborted || this.lanes.length === 0) return;
    this.inFlight = this.runNext(this.term.signal).finally(() => {
      this.inFlight = null;
      this.startNext();
    });
  }

  private async runNext(signal: AbortSignal): Promise<void> {
    const { batch, slices } = this.take();
    const isDone = await this.handleUntilDone(batch, signal);
    if (!isDone) return;
    for (const { lane, last } of slices) {
      if (!lane.isOpen) continue;
      lane.onHandled(last);
      if (lane.next < lane.records.length) continue;
      lane.isOpen = false;
      this.lanes = this.lanes.filter((open) => open !== lane);
      lane.resolve();
    }
  }

  /** One record of each lane in turn, so that a full partition does not starve the others. */
  private take(): { readonly batch: readonly BusRecord[]; readonly slices: readonly Slice[] } {
    const batch: BusRecord[] = [];
    const taken = new Map<Lane, BusRecord>();
    let waiting = [...this.lanes];
    while (batch.length < this.options.maxBatch && waiting.length > 0) {
      waiting = waiting.filter((lane) => lane.next < lane.records.length);
      for (const lane of waiting) {
        const record = batch.length < this.options.maxBatch ? lane.records[lane.next] : undefined;
        if (record === undefined) break;
        lane.next += 1;
        batch.push(record);
        taken.set(lane, record);
      }
    }
    // Fairness from one batch to the next: who was first goes last.
    this.lanes.push(...this.lanes.splice(0, 1));
    return { batch, slices: [...taken].map(([lane, last]) => ({ lane, last })) };
  }

  /** @returns false when the partitions were given up before it succeeded. */
  private async handleUntilDone(batch: readonly BusRecord[], signal: AbortSignal): Promise<boolean> {
    const progress = (): void => {
      this.progressAt = Date.now();
    };
    for (let attempt = 1; ; attempt += 1) {
      progress();
      try {
        await this.options.handle(batch, { signal, progress });
        return true;
      } catch (error) {
        this.options.onFailure(error, attempt);
      }
      await pause(backoffMs(attempt), signal);
      if (signal.aborted) return false;
    }
  }
}
