import { ReplayThread, type ThreadData } from './replay-thread.ts';

/** The workers of a replay. Each is started when the first stretch is there for it, so that there are no more of them than stretches. */
export class ReplayThreads<V> {
  private readonly started = new Map<number, ReplayThread<V>>();
  private isOver = false;

  constructor(
    private readonly file: URL,
    private readonly data: ThreadData,
  ) {}

  /** The worker of a number. @throws Error when it cannot be started, or when all were killed. */
  get(number: number): ReplayThread<V> {
    if (this.isOver) throw new Error('The replay has ended');
    const thread = this.started.get(number) ?? new ReplayThread<V>(this.file, this.data);
    this.started.set(number, thread);
    return thread;
  }

  /** Lets them close their connections and end, when their work is done. @throws Error with the reason of the first that cannot. */
  async end(): Promise<void> {
    await Promise.all([...this.started.values()].map((thread) => thread.end()));
  }

  /** Ends them at once, whatever they do; none is started any more. */
  async kill(): Promise<void> {
    this.isOver = true;
    await Promise.all([...this.started.values()].map((thread) => thread.kill()));
  }
}
