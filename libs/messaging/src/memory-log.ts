import { type BusMessage, type Topic } from '@latch/contracts';
import { type BusRecord } from './bus.ts';

/** The oldest records of a partition are dropped beyond this many: memory has a bound. */
const maxRetained = 50_000;

/** One partition in memory: an append-only list of records with offsets, and those who wait for more. */
export class MemoryLog {
  private records: BusRecord[] = [];
  private firstOffset = 0;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly topic: Topic,
    private readonly partition: number,
  ) {}

  /** The offset that the next record will have. */
  get end(): number {
    return this.firstOffset + this.records.length;
  }

  append(message: BusMessage): void {
    this.records.push({
      topic: this.topic,
      partition: this.partition,
      offset: String(this.end),
      key: message.key,
      value: Buffer.from(message.value),
      headers: { ...message.headers },
      timestampMs: Date.now(),
    });
    if (this.records.length > maxRetained * 1.1) {
      const surplus = this.records.length - maxRetained;
      this.records = this.records.slice(surplus);
      this.firstOffset += surplus;
    }
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach((wake) => wake());
  }

  read(from: number, limit: number): readonly BusRecord[] {
    const start = Math.max(0, from - this.firstOffset);
    return this.records.slice(start, start + limit);
  }

  /** Resolves when there is a record at `offset`, or when `signal` aborts. */
  until(offset: number, signal: AbortSignal): Promise<void> {
    if (this.end > offset || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.push(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
