import { type BusMessage, type Topic } from '@latch/contracts';

/**
 * The pipe between the services: at least once, in order per key. Two make it: Kafka, and one in memory for trying out and for tests;
 * both pass the suite in `bus.features.ts`.
 */
export interface Bus {
  /**
   * Hands messages over. When it resolves, every message is accepted (Kafka: by all in-sync replicas) and, per key, in the given order.
   *
   * @throws RetryableError when the bus does not accept them; some may have been accepted nevertheless, but none after one that was not.
   * @throws TerminalError when a message is larger than `maxBytesOf` its topic: then none is accepted; or when the bus itself refuses one as too large: then
   * none after it. Messages that others publish at the same time are not touched.
   */
  publish(messages: readonly BusMessage[]): Promise<void>;
  /** Joins a group and hands its batches to `handle`. Resolves when the group is joined. @throws RetryableError when the bus is closing or closed. */
  consume(options: ConsumeOptions): Promise<Consumption>;
  /** Makes the topics of the platform that do not exist yet, and raises (never lowers) the partitions of those that do. */
  ensureTopics(): Promise<void>;
  /** Whether the bus answers and every consumer has its place in its group. */
  isHealthy(): boolean;
  /** Why it is not, where the bus itself says so: who lacks which right on what. A bus that refuses nobody has none. */
  trouble?(): string | undefined;
  /** Stops all consumers, sends what waits, and lets go. */
  close(): Promise<void>;
}

/** One message as it came from the bus, before any reading of it. */
export type BusRecord = {
  /** Without the deployment's prefix. */
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestampMs: number;
  /** Why nobody of ours can have sent it, where what is published is signed; absent when there is nothing to say against it. */
  readonly forgery?: string | undefined;
};

/** What a consumer asks for. */
export type ConsumeOptions = {
  /** Members with the same id share the messages; each group gets all of them. The deployment's prefix is put before it. */
  readonly groupId: string;
  readonly topics: readonly Topic[];
  /** Where a group starts that has never been here. @default 'earliest' */
  readonly from?: 'earliest' | 'latest';
  /** The most records of one batch. @default 64 */
  readonly maxBatch?: number;
  /**
   * Handles one batch, taken over all topics and partitions that this member has; never more than one at a time, in order per partition. When it
   * rejects, the same batch comes again after a pause, until it resolves or the partitions are lost.
   */
  handle(batch: readonly BusRecord[], context: BatchContext): Promise<void>;
  /** Called when the consumer cannot go on: the process should end, so that its supervisor starts a new one. */
  onCrash(error: unknown): void;
  /** Told how many messages of a topic this member has not handled yet, as far as it knows. */
  onLag?(topic: Topic, messages: number): void;
};

/** The circumstances of one batch. */
export type BatchContext = {
  /** Aborted when the consumer stops or loses its partitions: stop waiting and give the batch up; somebody will get it again. */
  readonly signal: AbortSignal;
  /** Says that the handler is alive. One that says and finishes nothing for `stuckAfterMs` (60 s) loses its partitions. */
  progress(): void;
};

/** A running consumer. */
export type Consumption = {
  /** Hands over no further batch; the one in flight goes on. Nothing is lost, the place in the group is kept. */
  pause(): void;
  resume(): void;
  /** Lets the batch in flight finish (bounded), saves the offsets and leaves the group. */
  stop(): Promise<void>;
};
