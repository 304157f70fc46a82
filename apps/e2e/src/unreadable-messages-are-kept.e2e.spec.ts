import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeadLetter, EventEnvelope, type Topic, topics } from '@latch/contracts';
import { openLetter } from '@latch/messaging';
import { produceRaw, readUntil } from './raw-kafka.ts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(60_000);

const system = systemUnderTest();

/** What is no message at all, what is JSON but no envelope, and an envelope whose payload is not that of its topic. */
const unreadable = {
  'bytes that are not text': Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  'text that is not JSON': Buffer.from('{"event_type": '),
  'JSON that is no envelope': Buffer.from('{"hello": "world"}'),
};

const consumed: readonly Topic[] = [
  topics.turns,
  topics.toolInvocations,
  topics.toolExecutions,
  topics.toolResults,
  topics.responses,
];

describe.each(consumed)('a message on %s that cannot be read', (topic) => {
  it.each(Object.entries(unreadable))('goes to the dead letters whole: %s', async (_what, value) => {
    const key = `default:retail_orders:${randomUUID()}`;
    await produceRaw(system, topic, { key, value });
    const records = await readUntil(system, topics.deadLetters, (read) => read.some((record) => record.key === key));
    const letter = letterIn(records.find((record) => record.key === key)?.value);
    expect(letter.source).toMatchObject({ topic, key });
    expect(Buffer.from(letter.value_base64, 'base64')).toEqual(value);
    expect(letter.reason.code).toMatch(/^message\./);
  });
});

describe('a conversation behind an unreadable message', () => {
  beforeAll(() => system.retail.reset());

  it('is handled at once', async () => {
    const talk = system.talkTo('retail_orders');
    for (const topic of consumed) {
      await produceRaw(system, topic, { key: talk.conversationKey, value: Buffer.from([0xff]) });
    }
    const startedAtMs = Date.now();
    await talk.ask('quero cancelar o pedido PED-1001');
    const done = await talk.ask('sim');
    expect(done.metadata).toMatchObject({ transaction_status: 'COMPLETED', outcome: 'SUCCESS' });
    expect(Date.now() - startedAtMs).toBeLessThan(30_000);
  });
});

function letterIn(value: Buffer | undefined): DeadLetter {
  const letter = DeadLetter.parse(EventEnvelope.parse(JSON.parse(value?.toString() ?? '')).payload);
  return system.personalData === 'clear' ? letter : openLetter(letter, system.personalData);
}
