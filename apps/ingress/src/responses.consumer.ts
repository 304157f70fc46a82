import { setTimeout as pause } from 'node:timers/promises';
import { ChannelResponse, failure, type Result, RetryableError, success, topics, TurnConflict } from '@latch/contracts';
import {
  type Bus,
  type BusRecord,
  type Consumption,
  parseRecord,
  payloadSchemas,
  type Received,
} from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { v7 as uuidv7 } from 'uuid';
import { type Reply, type ReplyHub } from './reply-hub.ts';

type Parts = {
  readonly bus: Pick<Bus, 'consume'>;
  readonly hub: Pick<ReplyHub, 'deliver'>;
  readonly logger: Logger;
  readonly onCrash: (error: unknown) => void;
};

/** A topic that was made a moment ago has no leader yet, and a broker that died has a successor soon. */
const joinWithinMs = 30_000;
const joinPauseMs = 250;

/**
 * Brings the replies of `latch.responses.v1` to the hub. Every instance reads all of them, in a group of its own that begins at the end of the topic: the
 * caller who waits is here and nowhere else. Resolves when the group has its partitions; from then on no reply is missed.
 *
 * @throws RetryableError when the bus does not let the group in within 30 seconds.
 */
export async function consumeResponses(parts: Parts): Promise<Consumption> {
  const endsAt = Date.now() + joinWithinMs;
  for (;;) {
    try {
      return await join(parts);
    } catch (error) {
      if (!(error instanceof RetryableError) || Date.now() > endsAt) throw error;
      parts.logger.warn('responses.join_repeated', { error });
      await pause(joinPauseMs);
    }
  }
}

function join({ bus, hub, logger, onCrash }: Parts): Promise<Consumption> {
  return bus.consume({
    groupId: `ingress-${uuidv7()}`,
    topics: [topics.responses],
    from: 'latest',
    handle: async (batch) => {
      for (const record of batch) deliver(record, hub, logger);
      await Promise.resolve();
    },
    onCrash,
  });
}

/** A record that is no reply is left to the consumers that keep dead letters: this group forgets, and each instance would keep it again. */
function deliver(record: BusRecord, hub: Pick<ReplyHub, 'deliver'>, logger: Logger): void {
  const received = parseRecord(record, payloadSchemas);
  const reply = received.ok ? replyOf(received.value) : received;
  if (reply.ok) return hub.deliver(reply.value);
  const { code, message } = reply.error;
  logger.warn('response.unreadable', { code, message, partition: record.partition, offset: record.offset });
}

function replyOf({ envelope }: Received): Result<Reply, { code: string; message: string }> {
  if (envelope.event_type === 'IC.TURN_CONFLICT') {
    const conflict = TurnConflict.safeParse(envelope.payload);
    if (!conflict.success) return unreadable;
    return success({ kind: 'conflict', turnId: conflict.data.turn_id, bodyDigest: conflict.data.body_digest });
  }
  const response = ChannelResponse.safeParse(envelope.payload);
  const turnId = response.data?.metadata.turn_id ?? envelope.causation_id;
  if (!response.success || turnId === undefined) return unreadable;
  const bodyDigest = response.data.metadata.body_digest;
  return success({ kind: 'answered', turnId, bodyDigest, response: envelope.payload });
}

const unreadable = failure({
  code: 'message.invalid',
  message: 'The record is neither an answer nor a conflict of a turn.',
});
