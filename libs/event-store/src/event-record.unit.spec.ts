import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@latch/contracts';
import fc from 'fast-check';
import { type EventRecord, packRecord, recordOfRow, unpackRecord } from './event-record.ts';

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

describe('the record of an event', () => {
  it('gives back the very text that the hash covers, whatever it says', () => {
    const id = fc.oneof(fc.uuid(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\n', '"', '\ud800'));
    const records = fc.record({
      eventId: id,
      causationId: fc.option(id),
      messageId: fc.option(id),
      traceId: id,
      payloadText: fc.jsonValue().map(canonicalJson),
    });
    fc.assert(
      fc.property(records, (one) => {
        expect(unpackRecord(packRecord(one, context), context)).toEqual({ ok: true, value: one });
      }),
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
