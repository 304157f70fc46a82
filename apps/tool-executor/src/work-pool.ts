/** One unit of work: `id` is done once at a time, units of one `lane` one after the other. */
export type PoolWork = { readonly id: string; readonly lane: string; run(): Promise<void> };

/** Bounds of a pool. */
export type WorkPoolOptions = {
  readonly maxRunning: number;
  /** From this many waiting units on, `onFull` is called; when half of them are gone, `onRoom`. */
  readonly maxWaiting: number;
  readonly onFull: () => void;
  readonly onRoom: () => void;
  /** Told when a unit rejects: a bug, or infrastructure that did not come back in time. The unit is over. */
  readonly onError: (error: unknown, id: string) => void;
};

/** Runs work outside of the bus's handler: bounded, in order per lane (conversation), lanes side by side. */
export class WorkPool {
  private readonly known = new Set<string>();
  private readonly waiting: PoolWork[] = [];
  private readonly busyLanes = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private isFull = false;
  private isStopped = false;

  constructor(private readonly options: WorkPoolOptions) {}

  /** Takes work on. @returns false when the same id is waiting or running here already, or the pool has stopped. */
  add(work: PoolWork): boolean {
    if (this.isStopped || this.known.has(work.id)) return false;
    this.known.add(work.id);
    this.waiting.push(work);
    this.startNext();
    if (!this.isFull && this.waiting.length >= this.options.maxWaiting) {
      this.isFull = true;
      this.options.onFull();
    }
    return true;
  }

  /** The ids of all units that wait or run. */
  get ids(): readonly string[] {
    return [...this.known];
  }

  /** Units that wait, and that run. */
  get load(): { readonly waiting: number; readonly running: number } {
    return { waiting: this.waiting.length, running: this.running.size };
  }

  /** Starts nothing more and waits for what runs. @returns false when it was not done within the time. */
  async drain(timeoutMs: number): Promise<boolean> {
    this.isStopped = true;
    this.waiting.length = 0;
    if (this.running.size === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    const done = this.idle().then(() => true as const);
    const isDone = await Promise.race([done, late]);
    clearTimeout(timer);
    return isDone;
  }

  /** Resolves when nothing of what runs now runs any more. */
  async idle(): Promise<void> {
    await Promise.all(this.running);
  }

  private startNext(): void {
    while (this.running.size < this.options.maxRunning) {
      const at = this.waiting.findIndex(({ lane }) => !this.busyLanes.has(lane));
      const [work] = at === -1 ? [] : this.waiting.splice(at, 1);
      if (work === undefined) return;
      this.start(work);
    }
  }

  private start(work: PoolWork): void {
    this.busyLanes.add(work.lane);
    const running = this.run(work).finally(() => {
      this.running.delete(running);
      this.busyLanes.delete(work.lane);
      this.known.delete(work.id);
      this.startNext();
      this.tellRoom();
    });
    this.running.add(running);
  }

  private async run(work: PoolWork): Promise<void> {
    try {
      await work.run();
    } catch (error) {
      this.options.onError(error, work.id);
    }
  }

  private tellRoom(): void {
    if (!this.isFull || this.waiting.length > this.options.maxWaiting / 2) return;
    this.isFull = false;
    this.options.onRoom();
  }
}
