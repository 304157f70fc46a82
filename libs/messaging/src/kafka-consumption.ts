import { type Topic } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type Consumer, type EachBatchPayload } from 'kafkajs';
import { ApplicationBatcher } from './application-batcher.ts';
import { type BusRecord, type ConsumeOptions, type Consumption } from './bus.ts';
import { toBusRecords } from './to-bus-records.ts';
import { type StartingPoint } from './unsaved-ends.ts';
import { KafkaRefused } from './kafka-refusal.ts';
import { LagReport } from './lag-report.ts';
import { pause } from './pause.ts';

/** Times of a consumer. */
export type ConsumerTimes = {
  /** Between two heartbeats to the group's coordinator. */
  readonly heartbeatMs: number;
  /** A handler without a sign of life for this long is stuck: it loses its partitions and the process is told to end. */
  readonly stuckAfterMs: number;
  /** How long the batch in flight may take to finish when the partitions are given up. */
  readonly drainMs: number;
  /** Offsets of handled records are saved this often: lazily, because a redelivery changes nothing. */
  readonly commitMs: number;
};

type Parts = {
  /** Opens a consumer that kafkajs starts again after a crash only when that answers true. */
  readonly openConsumer: (restartOnFailure: () => Promise<boolean>) => Consumer;
  readonly options: ConsumeOptions;
  /** From our topic to its name on the cluster, and back. */
  readonly nameOf: (topic: Topic) => string;
  readonly topicOf: (name: string) => Topic;
  /** Where to begin in partitions in which the group has no offset; elsewhere it goes on where it was, or begins at the earliest. */
  readonly startAt: readonly StartingPoint[];
  /** How many partitions kafkajs hands over at a time: all of them, since the batcher gathers them. */
  readonly concurrency: number;
  readonly times: ConsumerTimes;
  /** Why Kafka does not let us read, in a sentence; undefined when that is not what the error says. */
  readonly refusalOf: (error: unknown) => string | undefined;
  readonly logger: Logger;
};

/** Between two tries of a member that Kafka does not let read. */
const refusedPauseMs = 1_000;

/** Why partitions were given up without an error: nothing is handled, nothing went wrong. */
class GivenUp extends Error {}

/**
 * One member of a consumer group. kafkajs delivers per partition and fetches again only when its last fetch is handled; the batcher makes one batch of all of
 * that. What kafkajs asks of us: resolve offsets by hand after the handling, send heartbeats while we work, and end every open partition before the group
 * rebalances (kafkajs crashes on offsets of partitions that are gone).
 */
export class KafkaConsumption implements Consumption {
  private readonly consumer: Consumer;
  private readonly batcher: ApplicationBatcher;
  private readonly timer: NodeJS.Timeout;
  private readonly lag: LagReport;
  private stopped: Promise<void> | null = null;
  private isAbandoning = false;
  private open = 0;
  /** Any payload can commit and send heartbeats for the whole member. */
  private payload: EachBatchPayload | null = null;
  private hasUncommitted = false;
  private committedAt = Date.now();
  private seenAt = 0;
  private isMember = false;
  /** Whether anything was fetched yet: until then whoever is refused was never let in. */
  private hasFetched = false;
  private refusal: string | undefined;

  private constructor(private readonly parts: Parts) {
    // kafkajs restarts whoever crashed while it was stopped, and tries for ever where Kafka is away: the process would not end.
    this.consumer = parts.openConsumer(() => Promise.resolve(this.stopped === null));
    this.batcher = new ApplicationBatcher({
      maxBatch: parts.options.maxBatch ?? 64,
      handle: (batch, context) => parts.options.handle(batch, context),
      onFailure: (error, attempt) => parts.logger.warn('consumer.batch_failed', { error, attempt }),
    });
    this.lag = new LagReport(parts.options.onLag);
    this.timer = setInterval(() => void this.tick(), Math.min(parts.times.heartbeatMs / 2, parts.times.commitMs));
  }

  /** Subscribes, joins the group and begins. @throws when no broker answers. */
  static async start(parts: Parts): Promise<KafkaConsumption> {
    const consumption = new KafkaConsumption(parts);
    try {
      await consumption.run();
      return consumption;
    } catch (error) {
      await consumption.stop();
      throw error;
    }
  }

  pause(): void {
    this.batcher.pause();
  }

  resume(): void {
    this.batcher.resume();
  }

  /** Whether the member is in its group and heard from the coordinator lately. */
  isHealthy(): boolean {
    return this.isMember && Date.now() - this.seenAt < Math.max(10_000, 5 * this.parts.times.heartbeatMs);
  }

  /** Why Kafka does not let the member read; undefined when it does, or never said. */
  trouble(): string | undefined {
    return this.refusal;
  }

  stop(): Promise<void> {
    this.stopped ??= this.leave(this.parts.times.drainMs);
    return this.stopped;
  }

  private async leave(drainMs: number): Promise<void> {
    await this.batcher.drain(drainMs);
    await this.commit();
    clearInterval(this.timer);
    const disconnected = this.consumer.disconnect(); // from here on kafkajs fetches no more
    this.batcher.release(new GivenUp());
    await disconnected.catch((error: unknown) => this.parts.logger.warn('consumer.disconnect_failed', { error }));
    this.isMember = false;
  }

  private async run(): Promise<void> {
    const { consumer } = this;
    const { options, nameOf, startAt } = this.parts;
    this.watch();
    await consumer.connect();
    await consumer.subscribe({ topics: options.topics.map(nameOf), fromBeginning: true });
    await this.fetchAll();
    startAt.forEach((point) => consumer.seek(point));
    if (startAt.length > 0) await consumer.commitOffsets([...startAt]);
  }

  private async fetchAll(): Promise<void> {
    await this.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.parts.concurrency,
      eachBatch: (payload) => this.onPartition(payload),
    });
  }

  private watch(): void {
    const { consumer } = this;
    const { logger } = this.parts;
    const seen = (): void => {
      this.seenAt = Date.now();
    };
    consumer.on(consumer.events.HEARTBEAT, seen);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (this.stopped) return this.leaveAgain();
      seen();
      this.isMember = true;
      this.lag.clear();
      // What was handled and not committed is forgotten by kafkajs, and comes again.
      this.payload = null;
      this.hasUncommitted = false;
      // kafkajs may join anew beside open partitions (new leader, new partitions): what is open belongs to the old assignment.
      if (this.open > 0) void this.abandon(new GivenUp());
      logger.info('consumer.joined', { group: payload.groupId, assignment: payload.memberAssignment });
    });
    consumer.on(consumer.events.FETCH, () => {
      this.hasFetched = true;
      this.refusal = undefined;
    });
    consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
      this.isMember = false;
      if (!this.stopped) this.onCrash(error, restart);
    });
  }

  /** A join that was under way while it was stopped has come about; kafkajs can only leave once it has taken note of that itself. */
  private leaveAgain(): void {
    setImmediate(() => void this.consumer.disconnect().catch(() => undefined));
  }

  /** kafkajs goes on by itself after what may pass. A right that was taken away may come back too: nothing is lost until then, and to end the process helps nobody. */
  private onCrash(error: unknown, willRestart: boolean): void {
    const { options, refusalOf, logger } = this.parts;
    this.refusal = refusalOf(error);
    if (this.refusal !== undefined && this.hasFetched && !willRestart) return void this.joinAgain(this.refusal);
    logger[willRestart ? 'warn' : 'error']('consumer.crashed', { error, willRestart, reason: this.refusal });
    if (willRestart) return;
    options.onCrash(this.refusal === undefined ? error : new KafkaRefused(this.refusal, { cause: error }));
  }

  private async joinAgain(reason: string): Promise<void> {
    this.parts.logger.error('consumer.refused', { reason, nextTryMs: refusedPauseMs });
    await pause(refusedPauseMs);
    if (this.stopped) return;
    try {
      await this.consumer.connect();
      await this.fetchAll(); // a refusal comes as a crash, and from there here again
    } catch (error) {
      if (!this.stopped) void this.joinAgain(this.parts.refusalOf(error) ?? String(error));
    }
    if (this.stopped) await this.consumer.disconnect().catch(() => undefined);
  }

  private async onPartition(payload: EachBatchPayload): Promise<void> {
    if (!payload.isRunning() || payload.isStale()) return;
    this.payload = payload;
    this.open += 1;
    const topic = this.parts.topicOf(payload.batch.topic);
    try {
      await this.batcher.add(toBusRecords(payload.batch, topic), (last) => this.onHandled(payload, last));
      if (Date.now() - this.committedAt >= this.parts.times.commitMs) await this.commit();
    } catch (error) {
      if (error instanceof GivenUp) return;
      await this.commit(); // we are a member until we join again, so the broker takes it
      throw error;
    } finally {
      this.open -= 1;
    }
  }

  private onHandled(payload: EachBatchPayload, last: BusRecord): void {
    try {
      payload.resolveOffset(last.offset);
    } catch (error) {
      // The partition went away in the meantime; whoever has it now gets the records again.
      this.parts.logger.debug('consumer.offset_not_resolved', { error });
      return;
    }
    this.hasUncommitted = true;
    this.lag.report(last, Number(payload.batch.highWatermark) - Number(last.offset) - 1);
  }

  private async tick(): Promise<void> {
    if (this.batcher.silentMs() > this.parts.times.stuckAfterMs) return this.giveUpStuck();
    if (this.open > 0) await this.beat();
    if (this.hasUncommitted && Date.now() - this.committedAt >= this.parts.times.commitMs) await this.commit();
  }

  /** A heartbeat that fails says that the group rebalances or the coordinator is gone: then every open partition must end, so that kafkajs can join again. */
  private async beat(): Promise<void> {
    try {
      await this.payload?.heartbeat();
    } catch (error) {
      await this.abandon(error);
    }
  }

  private async abandon(reason: unknown): Promise<void> {
    if (this.stopped || this.isAbandoning) return;
    this.isAbandoning = true;
    await this.batcher.abandon(reason, this.parts.times.drainMs);
    this.isAbandoning = false;
  }

  private async commit(): Promise<void> {
    if (this.payload === null || !this.hasUncommitted) return;
    this.hasUncommitted = false;
    this.committedAt = Date.now();
    try {
      await this.payload.commitOffsetsIfNecessary(this.payload.uncommittedOffsets());
    } catch (error) {
      this.hasUncommitted = true;
      this.parts.logger.debug('consumer.commit_failed', { error });
    }
  }

  private async giveUpStuck(): Promise<void> {
    if (this.stopped) return;
    const { times, options, logger } = this.parts;
    const error = new Error(`The handler of ${options.groupId} showed no sign of life for ${times.stuckAfterMs} ms.`);
    logger.error('consumer.stuck', { error });
    this.stopped = this.leave(0);
    await this.stopped;
    options.onCrash(error);
  }
}
