import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BusMessage, type DeadLetterRedrive, topics } from '@latch/contracts';
import { KafkaBus, redriveMark, signRecords, toDeadLetter } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { freshTopicPrefix, testBrokers } from '@latch/testing';
import kafkajs from 'kafkajs';
import { type Choice, type Chosen, chooseLetters } from './choose-letters.ts';
import { letterOfTurn } from './letter.features.ts';
import { type Letter } from './letter.ts';
import { readLetters } from './read-letters.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });
const topicPrefix = freshTopicPrefix();
const keys = { current: 'a', keys: new Map([['a', Buffer.alloc(32, 1)]]) };
const signing = { keys, unsigned: 'refuse' } as const;
const settings = { brokers: testBrokers(), topicPrefix, signing, personalData: 'no_key' } as const;

let plain: KafkaBus;

/** The message of a letter about the turn of a conversation. */
function dead(
  conversation: string,
  more: { offset?: string; group?: string; code?: 'message.unhandled' | 'message.invalid' } = {},
): BusMessage {
  const { offset = '1', group = 'orchestrator', code = 'message.unhandled' } = more;
  const key = `acme:retail_orders:${conversation}`;
  const { content } = letterOfTurn({ key, offset, consumer: group });
  const value = Buffer.from(content.value_base64, 'base64');
  const record = { topic: topics.turns, partition: 0, offset, key, value, headers: {}, timestampMs: 0 };
  return toDeadLetter({ record, reason: { code, message: 'x' }, attempts: 1 }, { service: group, groupId: group });
}

function markOf(
  { envelope, partition, offset, content }: Letter,
  step: DeadLetterRedrive['step'],
  run_id: string,
): BusMessage {
  const letter = { event_id: envelope.event_id, partition, offset };
  const { topic, partition: at, offset: place } = content.source;
  const source = { topic, partition: at, offset: place };
  return redriveMark(envelope, { letter, source, step, by: 'ana', run_id, at: '2026-12-01T13:00:00.000Z' });
}

const everything: Choice = { ids: [], filter: { tenant: 'acme' }, limit: 100, again: false };
const choose = (more: Partial<Choice> = {}): Promise<Chosen> => chooseLetters(settings, { ...everything, ...more });

async function allLetters(): Promise<readonly Letter[]> {
  const letters: Letter[] = [];
  await readLetters(settings, (letter) => letters.push(letter));
  return letters;
}

function placesIn({ letters }: Pick<Chosen, 'letters'>): readonly string[] {
  return letters.map(({ letter }) => letter.content.source.offset).toSorted();
}

beforeAll(async () => {
  plain = new KafkaBus({ brokers: testBrokers(), clientId: 'spec', topicPrefix, partitions: 4, logger });
  await plain.ensureTopics();
}, 60_000);
afterAll(() => plain.close());

describe('the dead-letter topic', () => {
  it('is read to its end when there is nothing in it', async () => {
    expect(await allLetters()).toEqual([]);
  });

  it('gives every letter once, of all partitions, and leaves out what no service of ours has signed', async () => {
    const signed = signRecords(plain, signing);
    const letters = Array.from({ length: 20 }, (_, n) => dead(`s${n}`, { offset: String(n) }));
    await signed.publish([
      ...letters,
      dead('s0', { offset: '0', group: 'evaluator' }),
      dead('s1', { offset: '99', code: 'message.invalid' }),
    ]);
    await plain.publish([dead('forged', { offset: '100' })]);
    await plain.publish([{ ...dead('noise'), value: '{' }]);
    const read = await allLetters();
    expect(read).toHaveLength(22);
    expect(new Set(read.map(({ id }) => id)).size).toBe(22);
    expect(new Set(read.map(({ partition }) => partition)).size).toBeGreaterThan(1);
    expect(await choose()).toMatchObject({ strange: 2, copies: 1, sentBefore: 0, left: 0 });
  });

  it('leaves no consumer group behind', async () => {
    const admin = new kafkajs.Kafka({ brokers: [...testBrokers()], logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    await admin.disconnect();
    expect(groups.filter(({ groupId }) => groupId.startsWith(topicPrefix))).toEqual([]);
  });
});

describe('choosing letters', () => {
  it('is by id, or by a filter, and up to a limit; each message once', async () => {
    const [first] = await allLetters();
    expect((await choose({ ids: [first?.id ?? ''] })).letters).toHaveLength(1);
    expect(placesIn(await choose({ filter: { code: 'message.invalid' } }))).toEqual(['99']);
    expect(await choose({ limit: 5 })).toMatchObject({ left: 16 });
    expect((await choose({ filter: { topic: topics.toolResults } })).letters).toEqual([]);
    expect((await choose({ filter: { since: '2100-01-01T00:00:00.000Z' } })).letters).toEqual([]);
    await expect(choose({ ids: ['0/99999'] })).rejects.toThrow('there is no letter 0/99999');
  });

  it('leaves out by a filter what was sent before, whichever letter it was of, and goes on behind it', async () => {
    const letters = await allLetters();
    const ofFirst = letters.find(({ content }) => content.source.offset === '0' && content.consumer === 'evaluator');
    const ofSecond = letters.find(({ content }) => content.source.offset === '1');
    if (ofFirst === undefined || ofSecond === undefined) throw new Error('the letters are gone');
    const marks = [markOf(ofFirst, 'begun', 'r1'), markOf(ofFirst, 'sent', 'r1'), markOf(ofSecond, 'begun', 'r2')];
    await signRecords(plain, signing).publish(marks);
    const chosen = await choose();
    expect(chosen).toMatchObject({ sentBefore: 2, copies: 0, left: 0 });
    expect(placesIn(chosen)).not.toContain('0');
    const unclear = chosen.letters.filter(({ sentAgain }) => sentAgain.unclearSince !== null);
    expect(placesIn({ letters: unclear })).toEqual(['1']);
    expect(await choose({ again: true })).toMatchObject({ sentBefore: 0, copies: 1 });
    const [named] = (await choose({ ids: [ofFirst.id] })).letters;
    expect(named?.sentAgain).toMatchObject({ times: 1, by: 'ana' });
  });

  it('believes no mark that somebody else has put there', async () => {
    const letter = (await allLetters()).find(({ content }) => content.source.offset === '7');
    if (letter === undefined) throw new Error('the letter is gone');
    await plain.publish([markOf(letter, 'sent', 'r3')]);
    const [named] = (await choose({ ids: [letter.id] })).letters;
    expect(named?.sentAgain.times).toBe(0);
  });
});
