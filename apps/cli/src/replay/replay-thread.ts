import { Worker } from 'node:worker_threads';
import { type StreamFilter } from '@latch/event-store';
import { type Replayed, type ReplayOrder } from './replay-job.ts';
import { type StoreAccess } from './open-audited-store.ts';

/** What a worker is started with. */
export type ThreadData = { readonly access: SentAccess; readonly order: ReplayOrder };

/** A key crosses to a thread as plain bytes, in the memory of this process: it stands in no argument and no variable of the environment. */
type SentAccess = {
  readonly databaseUrl: string;
  readonly personalData: 'clear' | { readonly current: string; readonly keys: ReadonlyMap<string, Uint8Array> };
};

/** What a worker is asked: to replay a stretch of streams, or to end. */
export type ThreadTask = { readonly number: number; readonly stretch: StreamFilter } | 'end';

/** What a worker answers: what a stretch has shown, or why it cannot go on. */
export type ThreadAnswer<V> = { readonly number: number; readonly replayed: Replayed<V> } | { readonly failed: string };

/** The access as it is sent: a copy of each key alone, since a buffer is sent with everything that it is a part of. */
export function sentAccess({ databaseUrl, personalData }: StoreAccess): SentAccess {
  if (personalData === 'clear') return { databaseUrl, personalData };
  const keys = new Map([...personalData.keys].map(([id, key]) => [id, new Uint8Array(key)]));
  return { databaseUrl, personalData: { current: personalData.current, keys } };
}

/** The access as it was before it was sent. */
export function receivedAccess({ databaseUrl, personalData }: SentAccess): StoreAccess {
  if (personalData === 'clear') return { databaseUrl, personalData };
  const keys = new Map([...personalData.keys].map(([id, key]) => [id, Buffer.from(key)]));
  return { databaseUrl, personalData: { current: personalData.current, keys } };
}

type Waiting<V> = { readonly resolve: (replayed: Replayed<V>) => void; readonly reject: (error: Error) => void };

/** A worker that replays stretches of streams, each with a connection of its own to the store. Whatever ends it fails what it was asked. */
export class ReplayThread<V> {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting<V>>();
  private ending: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  private failure: Error | undefined;

  constructor(file: URL, data: ThreadData) {
    this.worker = new Worker(file, { workerData: data });
    this.worker.on('message', (answer: ThreadAnswer<V>) => this.take(answer));
    this.worker.on('error', (error) => this.fail(`A worker of the replay failed: ${error.message}`));
    this.worker.on('exit', (code) => {
      if (code === 0) this.ending?.resolve();
      this.fail(`A worker of the replay ended before its work was done, with code ${code}`);
    });
  }

  /** Replays a stretch. @throws Error when the worker cannot, or has ended. */
  replay(number: number, stretch: StreamFilter): Promise<Replayed<V>> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.tell({ number, stretch });
    });
  }

  /** Lets it close its connections and end, when its work is done. @throws Error when it cannot; it may be living then. */
  end(): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.ending = { resolve, reject };
      this.tell('end');
    });
  }

  /** Ends it at once, whatever it does. */
  async kill(): Promise<void> {
    await this.worker.terminate();
  }

  private tell(task: ThreadTask): void {
    this.worker.postMessage(task);
  }

  private take(answer: ThreadAnswer<V>): void {
    if ('failed' in answer) return this.fail(answer.failed);
    this.waiting.get(answer.number)?.resolve(answer.replayed);
    this.waiting.delete(answer.number);
  }

  private fail(reason: string): void {
    this.failure ??= new Error(reason);
    for (const { reject } of this.waiting.values()) reject(this.failure);
    this.waiting.clear();
    this.ending?.reject(this.failure);
  }
}
