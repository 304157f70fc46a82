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

  it('has a key and no owner when the record has neither', () => {
    const message = toDeadLetter({ record: recordOf('x', { key: null, partition: 3 }), reason, attempts: 1 }, by);
    expect(message.key).toBe('latch.signals.v1/3');
    expect(JSON.parse(message.value)).toMatchObject({ tenant_id: 'unknown', session_id: 'unknown' });
  });
});
