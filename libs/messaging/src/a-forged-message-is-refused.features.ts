import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type KeyRing } from '@latch/config';
import { type BusMessage, DeadLetter, topics } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { type Bus } from './bus.ts';
import { consumeBatch } from './consume-batch.ts';
import { toBusMessage } from './envelope.ts';
import { recordingLogger, signal } from './fixtures/messages.ts';
import { type Received } from './parse-record.ts';
import { signatureHeader, signRecords } from './sign-records.ts';

const ours: KeyRing = { current: 'a', keys: new Map([['a', Buffer.alloc(32, 1)]]) };
const theirs: KeyRing = { current: 'a', keys: new Map([['a', Buffer.alloc(32, 2)]]) };
const next: KeyRing = { current: 'b', keys: new Map([['b', Buffer.alloc(32, 3)], ...ours.keys]) };

const message = (n: number): BusMessage => toBusMessage(topics.signals, signal('s1', n));

/** What signing promises, over every bus. */
export function forgedMessageFeatures(name: string, create: () => Promise<Bus>): void {
  describe(`a bus whose messages are signed (${name})`, () => {
    let plain: Bus;
    const handled: Received[] = [];
    const letters: Received[] = [];

    beforeEach(async () => {
      handled.length = 0;
      letters.length = 0;
      plain = await create();
      await plain.ensureTopics();
    });
    afterEach(() => plain.close());

    const listen = async (keys: KeyRing, unsigned: 'refuse' | 'accept' = 'refuse'): Promise<Bus> => {
      const bus = signRecords(plain, { keys, unsigned });
      for (const [topic, into] of [[topics.signals, handled] as const, [topics.deadLetters, letters] as const]) {
        await consumeBatch({
          bus,
          service: 'spec',
          groupId: topic,
          topics: [topic],
          logger: recordingLogger(),
          metrics: { deadLetters: { inc: () => undefined }, consumerLag: { set: () => undefined } },
          onCrash: () => undefined,
          handle: async (batch) => {
            into.push(...batch);
            await Promise.resolve();
          },
        });
      }
      return bus;
    };
    const ids = (): readonly string[] => handled.map(({ envelope }) => envelope.event_id);
    const reasons = (): readonly string[] =>
      letters.map(({ payload }) => {
        const { code, message: why } = DeadLetter.parse(payload).reason;
        return `${code}: ${why}`;
      });

    it('handles what a holder of a key has sent, and makes dead letters of all else, of no tenant', async () => {
      const bus = await listen(ours);
      await plain.publish([message(1)]);
      await signRecords(plain, { keys: theirs, unsigned: 'refuse' }).publish([message(2)]);
      await bus.publish([message(3)]);
      await eventually(() => expect(ids()).toEqual(['s1-3']));
      await eventually(() => expect(letters).toHaveLength(2));
      expect(reasons()).toEqual([
        'message.not_authentic: it is not signed',
        expect.stringMatching(/^message.not_authentic: its signature is not of this topic, key and value/),
      ]);
      expect(letters.map(({ envelope }) => envelope.tenant_id)).toEqual(['unknown', 'unknown']);
    });

    it('takes a signature for its own topic, conversation and text only', async () => {
      const bus = await listen(ours);
      const [sent, other] = [signal('s1', 1), signal('s2', 2)];
      const genuine = await signedBy(ours, toBusMessage(topics.signals, sent));
      const { headers } = genuine;
      await plain.publish([
        { ...genuine, value: genuine.value.replace('"n":1', '"n":9') },
        { ...genuine, key: other.conversation_key },
        { ...(await signedBy(ours, { ...genuine, topic: topics.responses })), topic: topics.signals },
        { ...genuine, headers: { ...headers, [signatureHeader]: headers[signatureHeader]?.slice(0, -2) ?? '' } },
        { ...genuine, headers: { ...headers, [signatureHeader]: 'zz' } },
        { ...genuine, headers: { ...headers, [signatureHeader]: 'c.AAAA' } },
      ]);
      await bus.publish([message(7)]);
      await eventually(() => expect(letters).toHaveLength(6));
      await eventually(() => expect(ids()).toEqual(['s1-7']));
      expect(reasons().every((reason) => reason.startsWith('message.not_authentic'))).toBe(true);
    });

    it('takes keys that are being exchanged: the old and the new one verify, whichever signs', async () => {
      const bus = await listen(next);
      await signRecords(plain, { keys: ours, unsigned: 'refuse' }).publish([message(1)]);
      await bus.publish([message(2)]);
      await eventually(() => expect(ids()).toEqual(['s1-1', 's1-2']));
      expect(letters).toEqual([]);
    });

    it('takes unsigned messages while keys are rolled out, and even then none with a wrong signature', async () => {
      await listen(ours, 'accept');
      await signRecords(plain, { keys: theirs, unsigned: 'accept' }).publish([message(1)]);
      await plain.publish([message(2)]);
      await eventually(() => expect(ids()).toEqual(['s1-2']));
      await eventually(() => expect(letters).toHaveLength(1));
    });
  });
}

/** A message as a service with these keys would have sent it. */
async function signedBy(keys: KeyRing, message: BusMessage): Promise<BusMessage> {
  const sent: BusMessage[] = [];
  const catching: Bus = {
    publish: (messages) => Promise.resolve(void sent.push(...messages)),
    consume: () => Promise.reject(new Error('Nothing is consumed here.')),
    ensureTopics: () => Promise.resolve(),
    isHealthy: () => true,
    close: () => Promise.resolve(),
  };
  await signRecords(catching, { keys, unsigned: 'refuse' }).publish([message]);
  const [signed] = sent;
  if (signed === undefined) throw new Error('Nothing was sent.');
  return signed;
}
