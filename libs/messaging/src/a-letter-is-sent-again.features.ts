import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type KeyRing } from '@latch/config';
import { DeadLetter, topics } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { type Bus, type BusRecord } from './bus.ts';
import { consumeBatch } from './consume-batch.ts';
import { makeEnvelope, toBusMessage } from './envelope.ts';
import { recordingLogger } from './fixtures/messages.ts';
import { type Received } from './parse-record.ts';
import { redriveHeader, redriveLetter } from './redrive-letter.ts';
import { signatureHeader, signRecords } from './sign-records.ts';

const old: KeyRing = { current: 'old', keys: new Map([['old', Buffer.alloc(32, 1)]]) };
const next: KeyRing = { current: 'new', keys: new Map([['new', Buffer.alloc(32, 2)]]) };
const both: KeyRing = { current: 'old', keys: new Map([...old.keys, ...next.keys]) };

const result = toBusMessage(
  topics.toolResults,
  makeEnvelope({
    eventType: 'IC.TOOL_COMPLETED',
    payload: { tool_name: 'cancel', ok: true, data: {}, outcome: 'SUCCESS', latency_ms: 1, invocation_id: 'i1' },
    ...{ contractVersion: 'tool-result-v1', tenantId: 'acme', agentId: 'a', sessionId: 's1', traceId: 't' },
    ...{ conversationKey: 'acme:a:s1', eventId: 'e1', producer: 'spec', timestamp: '2026-06-19T12:00:00.000Z' },
  }),
);

/** What sending a dead letter again promises, over every bus. */
export function letterSentAgainFeatures(name: string, create: () => Promise<Bus>): void {
  describe(`a dead letter that is sent again (${name})`, () => {
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

    const listen = async (keys: KeyRing, groupId: string): Promise<void> => {
      for (const [topic, into] of [[topics.toolResults, handled] as const, [topics.deadLetters, letters] as const]) {
        await consumeBatch({
          bus: signRecords(plain, { keys, unsigned: 'refuse' }),
          ...{ service: 'spec', groupId: `${groupId}-${topic}`, topics: [topic], logger: recordingLogger() },
          metrics: { deadLetters: { inc: () => undefined }, consumerLag: { set: () => undefined } },
          onCrash: () => undefined,
          handle: (batch) => Promise.resolve(void into.push(...batch)),
        });
      }
    };

    it('is what was sent, byte for byte, with the signature of whoever sent it, and is taken once the key is there', async () => {
      const records: BusRecord[] = [];
      await plain.consume({
        ...{ groupId: 'raw', topics: [topics.toolResults], onCrash: () => undefined },
        handle: (batch) => Promise.resolve(void records.push(...batch)),
      });
      await listen(old, 'first');
      await signRecords(plain, { keys: next, unsigned: 'refuse' }).publish([result]);
      await eventually(() => expect(letters).toHaveLength(1));
      const letter = DeadLetter.parse(letters[0]?.payload);
      expect(letter.reason.code).toBe('message.not_authentic');
      const of = (keys: KeyRing): ReturnType<typeof redriveLetter> =>
        redriveLetter(letter, { letterId: 'l1', signing: { keys, unsigned: 'refuse' } });
      expect(of(old)).toMatchObject({ ok: false, error: { word: 'not_authentic' } });
      const made = of(both);
      if (!made.ok) throw new Error(made.error.why);
      await listen(both, 'second');
      await plain.publish([made.value.message]);
      await eventually(() => expect(records).toHaveLength(2));
      const [before, after] = records.map(withoutMark);
      expect(after).toEqual(before);
      expect(after).toMatchObject({ headers: { [signatureHeader]: expect.stringMatching(/^new\./) } });
      await eventually(() => expect(handled.map(({ envelope }) => envelope.event_id)).toContain('e1'));
    });

    it('cannot be had signed by whoever writes a letter: a signature of nobody is none', async () => {
      const forged = { ...result, headers: { ...result.headers, [signatureHeader]: `old.${'a'.repeat(43)}` } };
      await listen(old, 'only');
      await plain.publish([forged, result]);
      await eventually(() => expect(letters).toHaveLength(2));
      for (const { payload } of letters) {
        const made = redriveLetter(
          { ...DeadLetter.parse(payload), reason: { code: 'message.unhandled', message: 'x' } },
          { letterId: 'l1', signing: { keys: both, unsigned: 'refuse' } },
        );
        expect(made).toMatchObject({ ok: false, error: { word: 'not_authentic' } });
      }
    });
  });
}

function withoutMark({ value, key, partition, headers }: BusRecord): object {
  return { text: value.toString(), key, partition, headers: { ...headers, [redriveHeader]: undefined } };
}
