import { describe, expect, it } from '@jest/globals';
import { type BusMessage, DeadLetter, topics } from '@latch/contracts';
import { createLogger } from '@latch/observability';
import { testKeyRing } from '@latch/testing';
import { randomBytes } from 'node:crypto';
import { type BusRecord } from './bus.ts';
import { toDeadLetter } from './dead-letter.ts';
import { MemoryBus } from './memory-bus.ts';
import { sealLetters } from './seal-letters.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });
const secret = '{"payload":{"message":"meu CPF é 529.982.247-25"}}';

function letter(value: Buffer): BusMessage {
  const record = { topic: topics.turns, partition: 1, offset: '42', key: 'a:b:c', value, headers: {}, timestampMs: 0 };
  return toDeadLetter(
    { record, reason: { code: 'message.invalid', message: 'x' }, attempts: 1 },
    { service: 's', groupId: 'g' },
  );
}

async function sentAndRead(message: BusMessage, ring = testKeyRing): Promise<{ onTheBus: string; read: DeadLetter }> {
  const bus = new MemoryBus({ partitions: 1, logger });
  const wire: BusRecord[] = [];
  const opened: BusRecord[] = [];
  const listen = (into: BusRecord[], groupId: string): Parameters<typeof bus.consume>[0] => ({
    groupId,
    topics: [topics.deadLetters],
    from: 'earliest',
    handle: (batch) => {
      into.push(...batch);
      return Promise.resolve();
    },
    onCrash: () => undefined,
  });
  await bus.consume(listen(wire, 'wire'));
  await sealLetters(bus, ring).consume(listen(opened, 'opened'));
  await sealLetters(bus, testKeyRing).publish([message]);
  while (wire.length === 0 || opened.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await bus.close();
  const envelope: unknown = JSON.parse(opened[0]?.value.toString() ?? '');
  return {
    onTheBus: wire[0]?.value.toString() ?? '',
    read: DeadLetter.parse(Reflect.get(Object(envelope), 'payload')),
  };
}

describe('a dead letter', () => {
  it('shows nothing of the message on the bus, and comes back byte for byte for whoever has the key', async () => {
    for (const value of [Buffer.from(secret), randomBytes(1_000)]) {
      const { onTheBus, read } = await sentAndRead(letter(value));
      expect(onTheBus).not.toContain(value.toString('base64').slice(0, 30));
      expect(onTheBus).not.toContain('529.982');
      expect(onTheBus).toContain('message.invalid');
      expect(Buffer.from(read.value_base64, 'base64').equals(value)).toBe(true);
      expect(read.value_sealed).toBeUndefined();
    }
  });

  it('keeps its reason for whoever has another key', async () => {
    const { read } = await sentAndRead(letter(Buffer.from(secret)), {
      current: 'x',
      keys: new Map([['x', randomBytes(32)]]),
    });
    expect(read).toMatchObject({ value_base64: '', reason: { code: 'message.invalid' } });
    expect(read.value_sealed).toMatch(/^test\./);
  });

  it('leaves every other message as it is', async () => {
    const bus = new MemoryBus({ partitions: 1, logger });
    const read: string[] = [];
    const sealed = sealLetters(bus, testKeyRing);
    await sealed.consume({
      groupId: 'g',
      topics: [topics.signals],
      from: 'earliest',
      onCrash: () => undefined,
      handle: (batch) => {
        read.push(...batch.map(({ value }) => value.toString()));
        return Promise.resolve();
      },
    });
    await sealed.publish([{ topic: topics.signals, key: 'k', eventId: 'e', value: 'anything', headers: {} }]);
    while (read.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(read).toEqual(['anything']);
    await bus.close();
  });
});
