import { setTimeout as pause } from 'node:timers/promises';
import { RetryableError, type Topic } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { v7 as uuidv7 } from 'uuid';
import { type Bus, type BusRecord, type ConsumeOptions, type Consumption } from './bus.ts';
import { isReplay } from './replay-mark.ts';

/** What a follower is made of. */
export type FollowOptions = Pick<ConsumeOptions, 'from' | 'maxBatch' | 'onCrash' | 'onLag'> & {
  readonly bus: Pick<Bus, 'consume'>;
  /** Name of the service: the group is named after it. */
  readonly service: string;
  readonly topics: readonly Topic[];
  readonly logger: Pick<Logger, 'warn'>;
  /** Takes one record; it must not throw. */
  onRecord(record: BusRecord): void;
};

/** A topic that was made a moment ago has no leader yet, and a broker that died has a successor soon. */
const joinWithinMs = 30_000;
const joinPauseMs = 250;

/**
 * Reads topics whole in every instance: in a group of its own, which ends with the process, from the beginning or from the end. For what an instance shows
 * or passes on from memory. It keeps no dead letters: a record that cannot be read is left to the consumers that do. Resolves when the group has its
 * partitions; from then on no record is missed. What a replay publishes again is not passed on.
 *
 * @throws RetryableError when the bus does not let the group in within 30 seconds.
 */
export async function followTopics(options: FollowOptions): Promise<Consumption> {
  const endsAt = Date.now() + joinWithinMs;
  for (;;) {
    try {
      return await join(options);
    } catch (error) {
      if (!(error instanceof RetryableError) || Date.now() > endsAt) throw error;
      options.logger.warn('follower.join_repeated', { error, service: options.service });
      await pause(joinPauseMs);
    }
  }
}

function join({ bus, service, topics, from, maxBatch, onCrash, onLag, onRecord }: FollowOptions): Promise<Consumption> {
  return bus.consume({
    groupId: `${service}-${uuidv7()}`,
    topics,
    from,
    maxBatch,
    onCrash,
    onLag,
    handle: async (batch) => {
      for (const record of batch) if (!isReplay(record)) onRecord(record);
      await Promise.resolve();
    },
  });
}
