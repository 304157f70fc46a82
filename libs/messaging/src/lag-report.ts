import { type Topic } from '@latch/contracts';
import { type BusRecord, type ConsumeOptions } from './bus.ts';

/** Adds up, per topic, how many messages a member's partitions have waiting, and reports it. */
export class LagReport {
  private readonly topics = new Map<Topic, Map<number, number>>();

  constructor(private readonly onLag: ConsumeOptions['onLag']) {}

  /** Reports that `messages` come after `record` in its partition. */
  report(record: Pick<BusRecord, 'topic' | 'partition'>, messages: number): void {
    if (this.onLag === undefined) return;
    const partitions = this.topics.get(record.topic) ?? new Map<number, number>();
    this.topics.set(record.topic, partitions.set(record.partition, Math.max(0, messages)));
    this.onLag(
      record.topic,
      [...partitions.values()].reduce((sum, waiting) => sum + waiting, 0),
    );
  }

  /** Forgets the partitions of an assignment that ended. */
  clear(): void {
    this.topics.clear();
  }
}
