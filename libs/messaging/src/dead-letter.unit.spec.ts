import { describe, expect, it } from '@jest/globals';
import { DeadLetter, topics } from '@latch/contracts';
import { toDeadLetter } from './dead-letter.ts';
import { recordOf } from './fixtures/messages.ts';
import { parseRecord } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';

const by = { service: 'orchestrator', groupId: 'orchestrator' };
const reason = { code: 'message.unparsable', message: 'the text is not JSON' } as const;

describe('a dead letter', () => {
  it('keeps every byte, whatever the bytes are', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const { value, topic } = toDeadLetter({ record: recordOf(bytes), reason, attempts: 1 }, by);
    const letter = DeadLetter.parse(JSON.parse(value).payload);
    expect(topic).toBe(topics.deadLetters);
    expect(Buffer.from(letter.value_base64, 'base64')).toEqual(bytes);
  });

  it('is itself a message that its topic takes, for the largest message and for larger ones', () => {
    for (const size of [1_048_576, 5_000_000]) {
      const record = recordOf(Buffer.alloc(size, 'x'), { headers: { h: 'v'.repeat(50_000) } });
      const { value } = toDeadLetter({ record, reason, attempts: 1 }, by);
      const parsed = parseRecord(recordOf(value, { topic: topics.deadLetters }), payloadSchemas);
      expect(parsed.ok).toBe(true);
      const letter: unknown = JSON.parse(value).payload;
      if (size > 2_000_000) expect(letter).toMatchObject({ truncated_from_bytes: size });
      else expect(letter).not.toHaveProperty('truncated_from_bytes');
    }
  });

  it('is the same event when the same record fails again, and another one for another group', () => {
    const failed = { record: recordOf('x', { offset: '41' }), reason, attempts: 1 };
    expect(toDeadLetter(failed, by).eventId).toBe(toDeadLetter(failed, by).eventId);
    expect(toDeadLetter(failed, { ...by, groupId: 'evaluator' }).eventId).not.toBe(toDeadLetter(failed, by).eventId);
  });

  it('shows nothing of a person and no credential in its headers and its reason', () => {
    const headers = {
      authorization: 'Bearer abcdef123456',
      'x-api-key': 'hunter2',
      'x-customer': 'CPF 529.982.247-25, ana@example.com, (11) 98765-4321',
      'x-12.ABC.345/01DE-35': '4111111111111111',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    };
    const told = { ...reason, message: 'ana@example.com is no number' };
    const { value } = toDeadLetter({ record: recordOf('x', { headers }), reason: told, attempts: 1 }, by);
    expect(JSON.parse(value).payload).toMatchObject({
      source: {
        headers: {
          authorization: '[secret]',
          'x-api-key': '[secret]',
          'x-customer': 'CPF [cpf], [email], [phone]',
          traceparent: headers.traceparent,
        },
      },
      reason: { message: '[email] is no number' },
    });
    expect(value).not.toMatch(/529\.982|411111|12\.ABC|hunter2|abcdef/);
  });

  it('has a key and no owner when the record has neither', () => {
    const message = toDeadLetter({ record: recordOf('x', { key: null, partition: 3 }), reason, attempts: 1 }, by);
    expect(message.key).toBe('latch.signals.v1/3');
    expect(JSON.parse(message.value)).toMatchObject({ tenant_id: 'unknown', session_id: 'unknown' });
  });
});
