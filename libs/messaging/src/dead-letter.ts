import {
  type BusMessage,
  type DeadLetter,
  deterministicId,
  errorCatalogue,
  type ErrorCode,
  EventEnvelope,
  parseJson,
  TerminalError,
  topics,
} from '@latch/contracts';
import { mask, maskFields } from '@latch/observability';
import { type BusRecord } from './bus.ts';
import { makeEnvelope, toBusMessage } from './envelope.ts';
import { maxBytesOf } from './message-size.ts';
import { type RecordProblem } from './parse-record.ts';
import { isSignature, signatureHeader } from './sign-records.ts';

/** A record that could not be handled, and what is known about why. */
export type FailedRecord = {
  readonly record: BusRecord;
  readonly reason: RecordProblem;
  /** How often it was tried. */
  readonly attempts: number;
};

/** Who failed on it. */
type Failer = { readonly service: string; readonly groupId: string };

/** Room for the headers and the envelope around the value. Every message that our limits let through fits whole. */
const wholeRoom = maxBytesOf(topics.deadLetters) - 100_000;
/** What every topic takes, however an operator set it up. */
const shortRoom = 64_000;

/**
 * Wraps a failed record, with its original bytes, into the message for the dead-letter topic. The event id follows from the record's place and the group: the same
 * failure after a redelivery is the same event. Headers and reason are masked; the original bytes are not, they are the evidence.
 */
export function toDeadLetter(failed: FailedRecord, by: Failer): BusMessage {
  return writeLetter(failed, by, wholeRoom);
}

/** The same with only the beginning of the value, for a dead-letter topic that refuses the whole: a cut letter is better than a blocked partition. */
export function toShortDeadLetter(failed: FailedRecord, by: Failer): BusMessage {
  return writeLetter(failed, by, shortRoom);
}

/**
 * The same for a message that was committed and that the bus will never take. It has no place in its topic: partition 0 and offset -1 stand for that, and its
 * event id, which the headers carry, names it. Both sizes, the one to try first in front.
 */
export function toUnsentDeadLetters(message: BusMessage, reason: RecordProblem): readonly [BusMessage, BusMessage] {
  const { topic, key, headers, eventId } = message;
  const value = Buffer.from(message.value);
  const record = { topic, partition: 0, offset: '-1', key, value, headers, timestampMs: 0 };
  const known = readKnownIn(value);
  const service = known.producer ?? 'unknown';
  const about = {
    known,
    service,
    groupId: `${service}.relay`,
    eventId: deterministicId('dead-letter', 'relay', eventId),
  };
  const failed = { record, reason, attempts: 1 };
  return [writeEnvelope(failed, about, wholeRoom), writeEnvelope(failed, about, shortRoom)];
}

function writeLetter(failed: FailedRecord, by: Failer, room: number): BusMessage {
  const { topic, partition, offset, value, forgery } = failed.record;
  // Whom a forged message names is the forger's word.
  const isReadable = forgery === undefined && value.length <= maxBytesOf(topic);
  const known = isReadable ? readKnownIn(value) : nothingKnown;
  const eventId = deterministicId('dead-letter', by.groupId, topic, partition, offset);
  return writeEnvelope(failed, { ...by, known, eventId }, room);
}

type About = Failer & { readonly known: KnownFields; readonly eventId: string };

function writeEnvelope(failed: FailedRecord, { service, groupId, known, eventId }: About, room: number): BusMessage {
  const { record } = failed;
  const letter = letterOf(failed, groupId, room);
  const envelope = makeEnvelope({
    eventType: 'NOC.DEAD_LETTER',
    payload: letter,
    contractVersion: 'dead-letter-v1',
    tenantId: known.tenant_id,
    agentId: known.agent_id,
    sessionId: known.session_id,
    conversationKey: record.key ?? `${record.topic}/${record.partition}`,
    traceId: known.trace_id,
    eventId,
    causationId: known.event_id,
    producer: service,
    timestamp: letter.failed_at,
  });
  const traceparent = record.headers['traceparent'];
  return toBusMessage(topics.deadLetters, envelope, { traceparent });
}

/** The code and the sentence of an error that a handler threw; a bug has no code of its own. */
export function reasonOf(error: unknown): RecordProblem {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const code =
    error instanceof TerminalError && isErrorCode(error.options.code) ? error.options.code : 'message.unhandled';
  return { code, message };
}

function letterOf({ record, reason, attempts }: FailedRecord, consumer: string, room: number): DeadLetter {
  const whole = record.value.toString('base64');
  return {
    source: {
      topic: record.topic,
      partition: record.partition,
      offset: record.offset,
      key: record.key,
      headers: boundedHeaders(record.headers),
    },
    value_base64: whole.length <= room ? whole : record.value.subarray(0, Math.floor(room / 2)).toString('base64'),
    ...(whole.length <= room ? {} : { truncated_from_bytes: record.value.length }),
    reason: { code: reason.code, message: mask(reason.message).slice(0, 2_000) },
    consumer,
    attempts,
    failed_at: new Date().toISOString(),
    contract_version: 'dead-letter-v1',
  };
}

/**
 * Headers are not the message: they tell where it came from. What of a person or a credential somebody put there is masked, by its name too. A signature says nothing
 * of anybody, and the message can only be sent again with it.
 */
function boundedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const signature = headers[signatureHeader];
  const shown = maskedHeaders(headers);
  return isSignature(signature) ? { ...shown, [signatureHeader]: signature } : shown;
}

function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).slice(0, 50);
  const shown = kept.flatMap(([name, value]) => Object.entries(Object(maskFields({ [name]: value }))));
  return Object.fromEntries(shown.map(([name, value]) => [name.slice(0, 200), String(value).slice(0, 1_000)]));
}

const Known = EventEnvelope.pick({
  tenant_id: true,
  agent_id: true,
  session_id: true,
  trace_id: true,
  event_id: true,
  producer: true,
});
type KnownFields = Pick<EventEnvelope, 'tenant_id' | 'agent_id' | 'session_id' | 'trace_id' | 'event_id' | 'producer'>;
const nothingKnown: KnownFields = {
  tenant_id: 'unknown',
  agent_id: 'unknown',
  session_id: 'unknown',
  trace_id: 'unknown',
};

/** Whom a message belongs to, where it says so: a dead letter of a tenant must be found by that tenant. */
function readKnownIn(value: Buffer): KnownFields {
  const json = parseJson(value);
  const known = json.ok ? Known.safeParse(json.value) : undefined;
  return known?.success ? known.data : nothingKnown;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
