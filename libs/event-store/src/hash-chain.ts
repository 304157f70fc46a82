import { hash } from 'node:crypto';
import { canonicalJson, digest } from '@latch/contracts';
import { type EventToAppend } from './conversation-append.ts';
import { storableText } from './storable-text.ts';

/** The stream that a chain belongs to. */
export type ChainedStream = {
  readonly streamId: string;
  readonly conversationKey: string;
  readonly tenantId: string;
};

/** An event as it is hashed: everything that is stored of it, the payload as its canonical text. */
export type ChainedEvent = Omit<EventToAppend, 'payload'> & { readonly version: number; readonly payloadText: string };

/** An event as its hash covers it: of the payload the digest. */
export type ChainLink = Omit<ChainedEvent, 'payloadText'> & {
  /** SHA-256 of the payload text, 64 hex digits. */
  readonly payloadDigest: string;
};

/** The hash that the first event of a stream is chained to: it binds the stream to its conversation and tenant. 64 hex digits. */
export function genesisHash({ streamId, conversationKey, tenantId }: ChainedStream): string {
  return digest({ chain: 'v1', stream_id: streamId, conversation_key: conversationKey, tenant_id: tenantId });
}

/**
 * The hash of one event: SHA-256 over canonical JSON (RFC 8785) of its fields, the digest of its payload text, and the hash of the event before. An edited,
 * deleted, swapped or inserted event changes every hash after it.
 */
export function eventHash(streamId: string, previousHash: string, event: ChainedEvent): string {
  return linkHash(streamId, previousHash, { ...event, payloadDigest: hash('sha256', event.payloadText, 'hex') });
}

/** The same of an event whose payload is not at hand, only its digest: an evidence bundle has both. */
export function linkHash(streamId: string, previousHash: string, link: ChainLink): string {
  return hash('sha256', hashedText(streamId, previousHash, link), 'hex');
}

/**
 * The canonical JSON of what is hashed, written out by hand in the order of its keys: it is made for each event of a verification, and a canonical writer for any
 * value takes four times as long. A test compares the two.
 */
export function hashedText(streamId: string, previousHash: string, link: ChainLink): string {
  const { causationId, eventId, messageId, occurredAt, payloadDigest, traceId, transactionId, type, version } = link;
  const text = canonicalJson; // of a text without anything to escape it is three times as fast as JSON.stringify
  return (
    `{"causation_id":${text(causationId)},"chain":"v1","event_id":${text(eventId)},"message_id":${text(messageId)}` +
    `,"occurred_at":${text(occurredAt)},"payload_digest":${text(payloadDigest)},"previous":${text(previousHash)}` +
    `,"stream_id":${text(streamId)},"stream_version":${version},"trace_id":${text(traceId)}` +
    `,"transaction_id":${text(transactionId)},"type":${text(type)}}`
  );
}

/** Events of one stream in the form in which they are stored, each with its version and hash. */
export function chainEvents(
  streamId: string,
  head: { readonly version: number; readonly hash: string },
  events: readonly EventToAppend[],
): readonly (ChainedEvent & { readonly hash: string })[] {
  let previous = head.hash;
  return events.map((event, index) => {
    const chained = { ...asStored(event), version: head.version + index + 1 };
    previous = eventHash(streamId, previous, chained);
    return { ...chained, hash: previous };
  });
}

/** What is hashed must be what the columns will hold: instants to the millisecond, text without what Postgres refuses. */
function asStored({ payload, ...event }: EventToAppend): Omit<ChainedEvent, 'version'> {
  const text = (value: string | null): string | null => (value === null ? null : storableText(value));
  return {
    eventId: storableText(event.eventId),
    type: storableText(event.type),
    occurredAt: new Date(event.occurredAt).toISOString(),
    causationId: text(event.causationId),
    messageId: text(event.messageId),
    transactionId: text(event.transactionId),
    traceId: storableText(event.traceId),
    payloadText: canonicalJson(payload),
  };
}
