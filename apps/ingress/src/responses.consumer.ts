import { ChannelResponse, failure, type Result, success, topics, TurnConflict } from '@latch/contracts';
import {
  type Bus,
  type BusRecord,
  type Consumption,
  followTopics,
  parseRecord,
  payloadSchemas,
  type Received,
} from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { type Reply, type ReplyHub } from './reply-hub.ts';

type Hub = Pick<ReplyHub, 'deliver' | 'isWatched' | 'tellProgress'>;

type Parts = {
  readonly bus: Pick<Bus, 'consume'>;
  readonly hub: Hub;
  readonly logger: Logger;
  readonly onCrash: (error: unknown) => void;
};

/**
 * Brings the replies of `latch.responses.v1` to the hub, and of `latch.signals.v1` what servers say of running calls. Every instance reads all of them, from the
 * end of the topics on: the caller who waits is here and nowhere else. Resolves when no reply is missed any more.
 *
 * @throws RetryableError when the bus does not let the instance in within 30 seconds.
 */
export function consumeResponses({ bus, hub, logger, onCrash }: Parts): Promise<Consumption> {
  return followTopics({
    bus,
    service: 'ingress',
    topics: [topics.responses, topics.signals],
    from: 'latest',
    logger,
    onCrash,
    onRecord: (record) => (record.topic === topics.signals ? tellProgress(record, hub) : deliver(record, hub, logger)),
  });
}

/** Only of a conversation that somebody follows here is more than the headers read. */
function tellProgress(record: BusRecord, hub: Hub): void {
  if (record.headers['ce_type'] !== 'IC.TOOL_PROGRESS' || record.key === null || !hub.isWatched(record.key)) return;
  const received = parseRecord(record, payloadSchemas);
  if (received.ok) hub.tellProgress(received.value.envelope.conversation_key, received.value.envelope.payload);
}

/** A record that is no reply is left to the consumers that keep dead letters: this group forgets, and each instance would keep it again. */
function deliver(record: BusRecord, hub: Hub, logger: Logger): void {
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
