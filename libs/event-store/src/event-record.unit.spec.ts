import { hash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson, digest } from '@latch/contracts';
import fc from 'fast-check';
import { digestRecord, type EventRecord, packRecord, recordOfRow, unpackRecord } from './event-record.ts';
import { type ChainedEvent, linkHash } from './hash-chain.ts';

const context = { occurredAt: '2026-11-30T12:00:00.123Z', transactionId: randomUUID() };
const turnId = randomUUID();
const record: EventRecord = {
  eventId: randomUUID(),
  causationId: turnId,
  messageId: 'msg-1',
  traceId: 'a'.repeat(32),
  payloadText: canonicalJson({
    type: 'TurnAnswered',
    turnId,
    answeredAt: context.occurredAt,
    '~': `~1${Buffer.alloc(80, 3).toString('base64url')}`,
  }),
};

/** What stands in an event now and then: ids, instants, sealed values, known words, and what only looks like one. */
const piece = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\n',
    '"',
    '\ud800',
    'é😀\u2028',
    'TurnReceived',
    turnId,
    context.occurredAt,
    context.transactionId,
  ),
  fc.constantFrom('a'.repeat(64), 'b'.repeat(32), 'x'.repeat(43), `default:agent:${turnId}`, '\u0000'),
  fc.uint8Array({ minLength: 12, maxLength: 300 }).map((bytes) => `~1${Buffer.from(bytes).toString('base64url')}`),
);
const payload = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.oneof(piece, fc.constantFrom('~', 'type', 'turnId', 'input')),
    fc.oneof(piece, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()),
  ),
);
const records = fc.record({
  eventId: piece,
  causationId: fc.option(piece),
  messageId: fc.option(piece),
  traceId: piece,
  payloadText: payload.map(canonicalJson),
});

describe('the record of an event', () => {
  it('gives back the very text that the hash covers, whatever it says', () => {
    fc.assert(
      fc.property(records, (one) => {
        expect(unpackRecord(packRecord(one, context), context)).toEqual({ ok: true, value: one });
      }),
    );
  });

  it('is hashed from its bytes to what its text hashes to, and the canonical JSON of all its fields', () => {
    const stream = { streamId: randomUUID(), previous: 'e'.repeat(64) };
    fc.assert(
      fc.property(records, piece, fc.nat(), (one, type, version) => {
        const read = digestRecord(packRecord(one, context), context);
        const { payloadText, ...ids } = one;
        const payloadDigest = sha256(payloadText);
        expect(read).toEqual({ ok: true, value: { ...ids, payloadDigest } });
        const link = { ...ids, payloadDigest, ...context, type, version };
        expect(linkHash(stream.streamId, stream.previous, link)).toBe(
          plainHash(stream, { ...one, ...context, type, version }),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('is never taken for untouched from its bytes when its text is not, whichever bytes are other ones', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(records, edits, (one, changes) => {
        const bytes = Buffer.from(packRecord(one, context));
        for (const [at, mask] of changes) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ mask;
        const [text, digested] = [unpackRecord(bytes, context), digestRecord(bytes, context)];
        expect(digested.ok).toBe(text.ok);
        if (!text.ok || !digested.ok) return;
        const { payloadText, ...ids } = text.value;
        const { payloadDigest, ...sameIds } = digested.value;
        expect(sameIds).toEqual(ids);
        // Bytes that are no UTF-8 read as replacement characters; their digest is their own, so that they pass for nothing.
        if (!payloadText.includes('\ufffd')) expect(payloadDigest).toBe(sha256(payloadText));
      }),
      { numRuns: 400 },
    );
  });

  it('takes less than half of what it says', () => {
    expect(packRecord(record, context).length).toBeLessThan(JSON.stringify(record).length / 2);
  });

  it('is told to be altered, and never opens to the same, when any bit is another one', () => {
    const bytes = packRecord(record, context);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(unpackRecord(altered, context)).not.toEqual({ ok: true, value: record });
    }
    expect(unpackRecord(Buffer.alloc(0), context).ok).toBe(false);
  });

  it('is read from the columns of an older release, and of a row with neither it says so', () => {
    const columns = {
      ...{
        event_id: 'e',
        causation_id: null,
        message_id: 'm',
        transaction_id: null,
        trace_id: 't',
        payload: '{"a":1}',
      },
      record: null,
    };
    const value = { eventId: 'e', causationId: null, messageId: 'm', traceId: 't', payloadText: '{"a":1}' };
    expect(recordOfRow(columns, context.occurredAt)).toEqual({ ok: true, value });
    expect(recordOfRow({ ...columns, payload: null }, context.occurredAt).ok).toBe(false);
  });
});

/** The hash as its definition has it: the digest of a plain value, without any of the short ways. */
function plainHash(
  { streamId, previous }: { readonly streamId: string; readonly previous: string },
  event: ChainedEvent,
): string {
  return digest({
    chain: 'v1',
    ...{ stream_id: streamId, stream_version: event.version, previous, event_id: event.eventId, type: event.type },
    ...{ occurred_at: event.occurredAt, causation_id: event.causationId, message_id: event.messageId },
    ...{ transaction_id: event.transactionId, trace_id: event.traceId, payload_digest: sha256(event.payloadText) },
  });
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
