/** How many calls may run and wait. */
export type BulkheadOptions = {
  readonly maxConcurrent: number;
  /** Calls that may wait for a place; one more is refused at once. */
  readonly maxWaiting: number;
};

/** Bounds the calls to one server, so that a slow one cannot take all workers with it. First come, first served. */
export class Bulkhead {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly options: BulkheadOptions) {}

  /**
   * Waits for a place.
   *
   * @param timeoutMs how long at most.
   * @returns how to leave the place (once; further calls do nothing), or null when there was none in time.
   */
  async enter(timeoutMs: number): Promise<(() => void) | null> {
    if (this.running < this.options.maxConcurrent) this.running += 1;
    else if (!(await this.waitForPlace(timeoutMs))) return null;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.leave();
    };
  }

  /** Calls that run now. */
  get inside(): number {
    return this.running;
  }

  /** The place goes to whoever waits longest; it is never free in between, so that nobody who comes now gets it first. */
  private leave(): void {
    const admit = this.waiting.shift();
    if (admit === undefined) this.running -= 1;
    else admit();
  }

  private waitForPlace(timeoutMs: number): Promise<boolean> {
    if (this.waiting.length >= this.options.maxWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(admit), 1);
        resolve(false);
      }, timeoutMs);
      this.waiting.push(admit);
    });
  }
}
