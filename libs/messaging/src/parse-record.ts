import {
  conversationKeyOf,
  deterministicId,
  type ErrorCode,
  EventEnvelope,
  failure,
  isRecord,
  oldestMajorOnTheBus,
  parseJson,
  problemsOf,
  readContractVersion,
  type Result,
  success,
  type Topic,
  topicCatalogue,
  topics,
  upcast,
} from '@latch/contracts';
import { z, type ZodError, type ZodType } from 'zod';
import { type BusRecord } from './bus.ts';
import { maxBytesOf } from './message-size.ts';

/** An envelope as handlers get it: the two ids that everything hangs on are always there. */
export type ReceivedEnvelope = EventEnvelope & { readonly event_id: string; readonly conversation_key: string };

/** A record that was read: its envelope, and its payload in the contract of its topic. Unknown fields of both are kept. */
export type Received<P = unknown> = {
  readonly record: BusRecord;
  readonly envelope: ReceivedEnvelope;
  readonly payload: P;
};

/** Why a record cannot be handled, as it stands in its dead letter. `message` repeats no value of the record. */
export type RecordProblem = { readonly code: ErrorCode; readonly message: string };

/**
 * Reads one record: JSON text of at most 1 MiB, an EventEnvelope of a type that its topic carries, its payload in the contract
 * of its topic. A missing `event_id` is derived from the
 * record's place on the bus, so that a redelivery has the same one; a missing `conversation_key` from tenant, agent and session.
 *
 * @returns `message.not_authentic` when nobody of ours can have sent it, `message.unparsable` when it is not JSON, `message.invalid` when it is not the
 * contract, `contract.unsupported_version` for a major from which no upcaster leads to the current one.
 */
export function parseRecord(
  record: BusRecord,
  payloadSchemaByTopic: Readonly<Record<Topic, ZodType>>,
): Result<Received, RecordProblem> {
  if (record.forgery !== undefined) return failure({ code: 'message.not_authentic', message: record.forgery });
  const limit = maxBytesOf(record.topic);
  if (record.value.length > limit) {
    return invalid(`the value has ${record.value.length} bytes, more than ${limit}`);
  }
  const json = parseJson(record.value);
  if (!json.ok) return failure({ code: 'message.unparsable', message: json.error });
  const envelope = Envelope.safeParse(json.value);
  if (!envelope.success) return invalid(describe('the envelope', envelope.error));
  if (!carries(record.topic, envelope.data.event_type)) {
    return invalid(`event_type: ${record.topic} carries ${topicCatalogue[record.topic].eventTypes.join(' and ')} only`);
  }
  const current = inCurrentVersion(envelope.data);
  if (!current.ok) return failure({ code: 'contract.unsupported_version', message: current.error });
  const payload = payloadSchemaByTopic[record.topic].safeParse(current.value);
  if (!payload.success) return invalid(describe('the payload', payload.error));
  return success({ record, envelope: completed(envelope.data, record), payload: payload.data });
}

/** The envelope of a record: its payload is read once, by the contract of the topic, and is here only known to be an object. */
const Envelope = EventEnvelope.extend({ payload: z.custom<EventEnvelope['payload']>(isRecord, 'must be an object') });

/** A topic that drives the conversation carries its own event types; signals may be of any type, because monitors read what they know. */
function carries(topic: Topic, eventType: string): boolean {
  return topic === topics.signals || topicCatalogue[topic].eventTypes.some((type) => type === eventType);
}

function completed(envelope: EventEnvelope, record: BusRecord): ReceivedEnvelope {
  if (isComplete(envelope)) return envelope;
  return {
    ...envelope,
    event_id: envelope.event_id ?? deterministicId('record', record.topic, record.partition, record.offset),
    conversation_key: envelope.conversation_key ?? conversationKeyOf(envelope),
  };
}

function isComplete(envelope: EventEnvelope): envelope is ReceivedEnvelope {
  return envelope.event_id !== undefined && envelope.conversation_key !== undefined;
}

/** The payload in the current major of its contract. A version that is not written as `<name>-v<major>` says nothing that we could refuse. */
function inCurrentVersion({ contract_version, payload }: EventEnvelope): Result<EventEnvelope['payload'], string> {
  const version = readContractVersion(contract_version ?? '');
  if (version === undefined || version.contract === null) return success(payload);
  const { contract, major } = version;
  if (major < oldestMajorOnTheBus) return failure(`major ${major} of ${contract} is never on the bus`);
  return upcast({ contract, major, message: payload });
}

function invalid(message: string): Result<never, RecordProblem> {
  return failure({ code: 'message.invalid', message });
}

const maxProblemsTold = 5;

function describe(what: string, error: ZodError): string {
  const problems = problemsOf(error);
  const told = problems.slice(0, maxProblemsTold).map(({ path, message }) => `${path}: ${message}`);
  const more = problems.length - told.length;
  return `${what} breaks its contract: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`.slice(0, 2_000);
}
