import { createHash } from 'node:crypto';
import { type BusMessage, RetryableError, type Topic } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { ApplicationBatcher } from './application-batcher.ts';
import { type Bus, type ConsumeOptions, type Consumption } from './bus.ts';
import { LagReport } from './lag-report.ts';
import { MemoryLog } from './memory-log.ts';
import { assertMessageSize } from './message-size.ts';

type Place = { readonly topic: Topic; readonly partition: number };
type Group = {
  readonly committed: Map<string, number>;
  readonly members: Set<Member>;
  /** The last change of assignment; the next one waits for it. */
  assigned: Promise<void>;
};
type Member = {
  readonly options: ConsumeOptions;
  readonly batcher: ApplicationBatcher;
  readonly lag: LagReport;
  /** Ends the current assignment. */
  assignment: AbortController;
};

const readLimit = 512;
const drainMs = 5_000;

/**
 * The bus in one process, without a broker: partitions by key, groups, offsets, redelivery, as on Kafka, and gone when the process ends. For trying
 * out, for compact demos where no Kafka can run, and for tests.
 */
export class MemoryBus implements Bus {
  private readonly logs = new Map<string, MemoryLog>();
  private readonly groups = new Map<string, Group>();
  private state: 'open' | 'closing' | 'closed' = 'open';

  constructor(private readonly options: { readonly partitions: number; readonly logger: Logger }) {}

  async publish(messages: readonly BusMessage[]): Promise<void> {
    if (this.state === 'closed') throw new RetryableError('The bus is closed.');
    messages.forEach(assertMessageSize);
    for (const message of messages) {
      this.logAt({ topic: message.topic, partition: partitionOf(message.key, this.options.partitions) }).append(
        message,
      );
    }
    await Promise.resolve();
  }

  async consume(options: ConsumeOptions): Promise<Consumption> {
    if (this.state !== 'open') throw new RetryableError('The bus is closed.');
    const group = this.groupOf(options);
    const member = this.memberOf(options);
    group.members.add(member);
    await this.assign(group);
    return {
      pause: () => member.batcher.pause(),
      resume: () => member.batcher.resume(),
      stop: () => this.leave(group, member),
    };
  }

  /** Topics come into being with their first message. */
  async ensureTopics(): Promise<void> {
    await Promise.resolve();
  }

  isHealthy(): boolean {
    return this.state === 'open';
  }

  async close(): Promise<void> {
    this.state = 'closing'; // the batches in flight may still publish
    const members = [...this.groups.values()].flatMap((group) =>
      [...group.members].map((member) => this.leave(group, member)),
    );
    await Promise.all(members);
    this.state = 'closed';
  }

  private groupOf(options: ConsumeOptions): Group {
    const group: Group = this.groups.get(options.groupId) ?? {
      committed: new Map(),
      members: new Set(),
      assigned: Promise.resolve(),
    };
    this.groups.set(options.groupId, group);
    for (const place of this.placesOf(options.topics)) {
      const start = options.from === 'latest' ? this.logAt(place).end : 0;
      if (!group.committed.has(nameOf(place))) group.committed.set(nameOf(place), start);
    }
    return group;
  }

  private memberOf(options: ConsumeOptions): Member {
    const batcher = new ApplicationBatcher({
      maxBatch: options.maxBatch ?? 64,
      handle: (batch, context) => options.handle(batch, context),
      onFailure: (error, attempt) =>
        this.options.logger.warn('consumer.batch_failed', { error, attempt, group: options.groupId }),
    });
    return { options, batcher, lag: new LagReport(options.onLag), assignment: new AbortController() };
  }

  private async leave(group: Group, member: Member): Promise<void> {
    if (!group.members.delete(member)) return;
    await withdraw(member);
    await this.assign(group);
  }

  /** Gives every partition to one member, round robin, after all have let go of what they had. */
  private assign(group: Group): Promise<void> {
    group.assigned = group.assigned.then(() => this.assignAnew(group));
    return group.assigned;
  }

  private async assignAnew(group: Group): Promise<void> {
    const members = [...group.members];
    await Promise.all(members.map(withdraw));
    const places = this.placesOf(members.flatMap((member) => member.options.topics));
    places.forEach((place, index) => {
      const able = members.filter((member) => member.options.topics.includes(place.topic));
      const member = able[index % able.length];
      if (member !== undefined) void this.feed(group, member, place);
    });
  }

  /** Hands one partition to a member for as long as its assignment lasts. */
  private async feed(group: Group, member: Member, place: Place): Promise<void> {
    const { signal } = member.assignment;
    const log = this.logAt(place);
    const name = nameOf(place);
    while (!signal.aborted) {
      const position = group.committed.get(name) ?? 0;
      await log.until(position, signal);
      if (signal.aborted) return;
      const isHandled = await member.batcher
        .add(log.read(position, readLimit), (last) => {
          group.committed.set(name, Number(last.offset) + 1);
          member.lag.report(place, log.end - Number(last.offset) - 1);
        })
        .then(
          () => true,
          () => false,
        );
      if (!isHandled) return;
    }
  }

  private placesOf(of: readonly Topic[]): Place[] {
    return [...new Set(of)].flatMap((topic) =>
      Array.from({ length: this.options.partitions }, (_, partition) => ({ topic, partition })),
    );
  }

  private logAt(place: Place): MemoryLog {
    const log = this.logs.get(nameOf(place)) ?? new MemoryLog(place.topic, place.partition);
    this.logs.set(nameOf(place), log);
    return log;
  }
}

async function withdraw(member: Member): Promise<void> {
  member.assignment.abort();
  await member.batcher.abandon(new Error('The partitions were given up.'), drainMs);
  member.assignment = new AbortController();
  member.lag.clear();
}

function nameOf({ topic, partition }: Place): string {
  return `${topic}/${partition}`;
}

function partitionOf(key: string, partitions: number): number {
  return createHash('sha1').update(key).digest().readUInt32BE(0) % partitions;
}
