import {
  type BusMessage,
  type DeadLetter,
  failure,
  isRecord,
  parseJson,
  type Result,
  success,
  ToolResult,
  type Topic,
  topics,
} from '@latch/contracts';
import { type BusRecord } from './bus.ts';
import { toBusMessage } from './envelope.ts';
import { parseRecord, type Received } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';
import { redriveTopics, ruleOfCode } from './redrive-rules.ts';
import { isReplay } from './replay-mark.ts';
import { signatureHeader, type Signing, verified } from './sign-records.ts';

/** The header of a message that an operator has sent again; its value is the event id of the dead letter. */
export const redriveHeader = 'latch-redrive';

/** Why a message stays where it is, as a stable word and a sentence. */
export type RedriveRefusal = {
  readonly word:
    'never' | 'sealed' | 'truncated' | 'unsent' | 'unkeyed' | 'unnamed' | 'not_authentic' | 'unreadable' | 'replayed';
  readonly why: string;
};

/** The message of a letter as it would be sent again, and what it says. */
export type Redrivable = { readonly message: BusMessage; readonly received: Received };

/**
 * Makes the original message of an opened letter again: the same bytes, key and signature on the same topic. Nothing is signed anew, so that whoever can write to the
 * dead-letter topic cannot have a message signed by sending a letter. CloudEvents headers, which the letter holds masked, are those of its envelope.
 *
 * @param signing how the services verify what they consume; undefined where they do not.
 * @returns why it must not be sent: a topic or reason that is never sent again, bytes that are not all here, or a message that would only die again.
 */
export function redriveLetter(
  letter: DeadLetter,
  { letterId, signing }: { readonly letterId: string; readonly signing: Signing | undefined },
): Result<Redrivable, RedriveRefusal> {
  const topic = topicOf(letter);
  if (topic === undefined) return refuse('never', `${letter.source.topic} is no topic of this platform`);
  const missing = whatRules(letter, topic) ?? whatIsMissing(letter);
  if (missing !== null) return failure(missing);
  const record = originalRecord(letter, topic);
  const read = readAgain(letter, record, signing);
  if (!read.ok) return read;
  return success({ message: messageOf(record, read.value, letterId), received: read.value });
}

/** Whether an operator has sent this record again. */
export function isRedriven({ headers }: Pick<BusRecord, 'headers'>): boolean {
  return headers[redriveHeader] !== undefined;
}

function topicOf({ source }: DeadLetter): Topic | undefined {
  return Object.values(topics).find((topic) => topic === source.topic);
}

function whatRules({ reason }: DeadLetter, topic: Topic): RedriveRefusal | null {
  for (const rule of [redriveTopics[topic], ruleOfCode(reason.code)])
    if (!rule.may) return { word: 'never', why: rule.why };
  return null;
}

function whatIsMissing({
  source,
  value_sealed: sealed,
  truncated_from_bytes: whole,
}: DeadLetter): RedriveRefusal | null {
  if (source.offset === '-1') return { word: 'unsent', why: 'it never was on its topic: the bus refuses its size' };
  if (whole !== undefined) return { word: 'truncated', why: `only its beginning was kept, of ${whole} bytes` };
  if (typeof source.key !== 'string') return { word: 'unkeyed', why: 'it had no key: no service of ours sends such' };
  if (sealed === undefined) return null;
  const keyId = sealed.slice(0, Math.max(0, sealed.indexOf('.')));
  const why = `its bytes are sealed with the data key "${keyId}", and LATCH_DATA_KEY does not open them`;
  return { word: 'sealed', why };
}

function originalRecord({ source, value_base64 }: DeadLetter, topic: Topic): BusRecord & { readonly key: string } {
  const { partition, offset, key, headers = {} } = source;
  const value = Buffer.from(value_base64, 'base64');
  return { topic, partition, offset, key: key ?? '', value, headers, timestampMs: 0 };
}

function readAgain(
  letter: DeadLetter,
  record: BusRecord,
  signing: Signing | undefined,
): Result<Received, RedriveRefusal> {
  if (letter.reason.code === 'message.not_authentic' && signing === undefined) {
    return refuse(
      'not_authentic',
      'it was not signed by a service of ours, and without LATCH_BUS_KEY nobody can tell whether it is now',
    );
  }
  const { forgery } = signing === undefined ? { forgery: undefined } : verified(record, signing);
  if (forgery !== undefined) return refuse('not_authentic', `${forgery}: it would be a dead letter again`);
  if (isReplay(record)) return refuse('replayed', 'it is the copy of a replay, which no consumer handles');
  const parsed = parseRecord(record, payloadSchemas);
  if (!parsed.ok)
    return refuse('unreadable', `this release cannot read it either (${parsed.error.code}): ${parsed.error.message}`);
  if (record.key !== parsed.value.envelope.conversation_key)
    return refuse('unkeyed', 'its key is not its conversation: it could overtake what is said there');
  if (!namesItself(record))
    return refuse('unnamed', 'its envelope has no event_id: each copy would count as a message of its own');
  if (record.topic === topics.toolResults && typeof ToolResult.parse(parsed.value.payload).invocation_id !== 'string')
    return refuse('unreadable', 'it is a tool result without invocation_id, which belongs to no call');
  return parsed;
}

/** By its own event id a message is known when it comes twice; one that is made from its place is another one in another place. */
function namesItself({ value }: BusRecord): boolean {
  const envelope = parseJson(value);
  return envelope.ok && isRecord(envelope.value) && typeof envelope.value['event_id'] === 'string';
}

/** The headers that our producers write are those of the envelope, which the letter holds masked; those of others are left out. */
function messageOf(record: BusRecord & { readonly key: string }, { envelope }: Received, letterId: string): BusMessage {
  const { topic, key, value, headers: kept } = record;
  const { eventId, headers } = toBusMessage(topic, envelope, { traceparent: kept['traceparent'] });
  const signature = kept[signatureHeader];
  const signed: Record<string, string> = signature === undefined ? {} : { [signatureHeader]: signature };
  return {
    topic,
    key,
    eventId,
    value: value.toString(),
    headers: { ...headers, ...signed, [redriveHeader]: letterId },
  };
}

function refuse(word: RedriveRefusal['word'], why: string): Result<never, RedriveRefusal> {
  return failure({ word, why });
}
