import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Talk } from '@latch/cli';
import { parseKeyRing } from '@latch/config';
import {
  type BusMessage,
  ChannelResponse,
  ConversationKey,
  EventEnvelope,
  type GatewayRequest,
  topics,
  turnIdOf,
} from '@latch/contracts';
import { KafkaBus, makeEnvelope, signRecords, toBusMessage } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { eventually } from '@latch/testing';
import { z } from 'zod';
import { type OperatorSystem, startOperatorSystem } from './operator-system.ts';
import { countRecords, produceRaw, readWhole } from './raw-kafka.ts';

jest.setTimeout(180_000);

/** The system has the old key; one ingress was given the new one before the others knew it. */
const [oldKey, newKey] = [
  `old:${Buffer.alloc(32, 1).toString('base64')}`,
  `new:${Buffer.alloc(32, 2).toString('base64')}`,
];

/** Conversations whose turns are sent in one run. */
const manyTalks = ['many 1', 'many 2', 'many 3', 'many 4', 'many 5', 'many 6'];

let system: OperatorSystem;

const Letters = z.looseObject({
  letters: z.array(
    z.looseObject({
      id: z.string(),
      key: z.string().nullable(),
      sent_again: z.looseObject({ times: z.number(), unclear_since: z.string().nullable() }),
    }),
  ),
});
type ListedLetter = z.infer<typeof Letters>['letters'][number];

const Counts = z.looseObject({ sent: z.number(), sent_before: z.number() });
const notReached: unknown = expect.objectContaining({ fate: 'not_reached' });

type Reported = { readonly code: number | null; readonly said: unknown };

async function report(args: readonly string[], surroundings: Readonly<Record<string, string>> = {}): Promise<Reported> {
  const { code, output, errors } = await system.latch(['dead-letters', ...args, '--json'], surroundings);
  const [line = ''] = output.trim().split('\n');
  if (!line.startsWith('{')) throw new Error(`${args.join(' ')} ended with ${code}: ${output}${errors}`);
  return { code, said: JSON.parse(line) };
}

const redrive = (...args: readonly string[]): Promise<Reported> => report(['redrive', ...args]);

/** The letters about what was said in conversations, one for each, by one look at the list. */
async function lettersOf(talks: readonly Talk[]): Promise<readonly ListedLetter[]> {
  return eventually(
    async () => {
      const { letters } = Letters.parse((await report(['list'])).said);
      return talks.map(({ conversationKey }) => {
        const letter = letters.find(({ key }) => key === conversationKey);
        if (letter === undefined) throw new Error(`no letter about ${conversationKey} yet`);
        return letter;
      });
    },
    { timeoutMs: 30_000, everyMs: 500 },
  );
}

/** What a letter is called, for as long as it is there. */
const ids = new Map<string, string>();
const idOf = (name: string): string => ids.get(name) ?? 'no letter yet';

/** Says something through the ingress whose key the others do not know. */
async function sayWithNewKey(talk: Talk, request: GatewayRequest): Promise<BusMessage> {
  const ring = parseKeyRing(newKey);
  if (!ring.ok) throw new Error(ring.error);
  const logger = createLogger({ service: 'spec', level: 'silent' });
  const { brokers, topicPrefix } = system;
  const bus = new KafkaBus({ brokers, clientId: 'spec', topicPrefix, partitions: 4, logger });
  const message = messageOf(talk, request);
  await signRecords(bus, { keys: ring.value, unsigned: 'refuse' }).publish([message]);
  await bus.close();
  return message;
}

function messageOf({ conversationKey, sessionId }: Talk, request: GatewayRequest): BusMessage {
  const { message_id: messageId, user_id: userId } = request.payload;
  const { channel, tenant_id: tenantId = '', agent_id: agentId = '' } = request;
  const key = conversationKey;
  const eventId = turnIdOf({
    conversationKey: ConversationKey.parse(key),
    channel,
    userId: userId ?? 'anonymous',
    messageId,
  });
  const envelope = makeEnvelope({
    ...{ eventType: 'IC.GATEWAY_RECEIVED', payload: request, contractVersion: 'gateway-request-v1' },
    ...{ tenantId, agentId, sessionId, conversationKey: key, traceId: 'a'.repeat(32), eventId, messageId },
    ...{ producer: 'ingress', timestamp: new Date().toISOString() },
  });
  return toBusMessage(topics.turns, envelope);
}

/** The answers to a turn that are on the bus, copies included. */
async function answersTo(turnId: string): Promise<readonly ChannelResponse[]> {
  const records = await readWhole(system, topics.responses);
  const answers = records.map(({ value }) =>
    ChannelResponse.parse(EventEnvelope.parse(JSON.parse(String(value))).payload),
  );
  return answers.filter(({ metadata }) => metadata.turn_id === turnId);
}

const talks = new Map<string, Talk>();
function talkOf(name: string): Talk {
  // A random session may hold what looks like a phone number, and the list masks it.
  const session = { agentId: 'retail_orders', sessionId: `session-${name.replace(' ', '-')}` };
  const talk = talks.get(name) ?? new Talk(system.ingress, session);
  talks.set(name, talk);
  return talk;
}

const said = new Map<string, BusMessage>();
async function die(name: string, text: string): Promise<void> {
  const talk = talkOf(name);
  said.set(name, await sayWithNewKey(talk, talk.requestFor(text)));
}
const turnIdIn = (name: string): string => said.get(name)?.eventId ?? '';
const effects = async (): Promise<number> => (await system.retail.calls()).totalEffects;

beforeAll(async () => {
  system = await startOperatorSystem({ LATCH_BUS_KEY: oldKey });
  await talkOf('confirms').ask('quero cancelar o pedido PED-1001');
  await pause(1_500);
  await die('confirms', 'sim');
  await die('stale', 'sim');
  await pause(1_500);
  await talkOf('stale').ask('quero cancelar o pedido PED-1003');
  for (const name of ['new', ...manyTalks]) await die(name, 'onde está o pedido PED-1001');
  // Whoever is restarted with both keys before it has read them would take them for good.
  const names = [...talks.keys()];
  for (const [at, { id }] of (await lettersOf(names.map(talkOf))).entries()) ids.set(names[at] ?? '', id);
});
afterAll(() => system?.stop());

describe('a message that died since its key was not known', () => {
  it('is listed and shown, masked, and stays where it is while the cause is there', async () => {
    const id = idOf('confirms');
    expect(await report(['show', id])).toMatchObject({
      code: 0,
      said: {
        letter: { reason: { code: 'message.not_authentic' }, topic: topics.turns, sent_again: { times: 0 } },
        redrive: { may: false, word: 'not_authentic' },
      },
    });
    expect(await redrive(id)).toMatchObject({ code: 1, said: { sent: 0, refused: 1 } });
  });

  it('is never sent by accident', async () => {
    const chosen = ['--code', 'message.not_authentic'];
    expect(await redrive()).toMatchObject({ code: 2, said: { reason: expect.stringContaining('say which letters') } });
    expect(await redrive('9/9999')).toMatchObject({
      code: 2,
      said: { reason: expect.stringContaining('no letter 9/9999') },
    });
    await system.restart({ LATCH_BUS_KEY: `${oldKey},${newKey}` });
    const dry = await redrive(...chosen, '--dry-run');
    expect(dry).toMatchObject({ code: 1, said: { outcome: 'dry_run', sent: 0, refused: 1 } });
    expect(await redrive(...chosen)).toMatchObject({ code: 2, said: { reason: expect.stringContaining('--yes') } });
    expect(await effects()).toBe(0);
  });

  it('is sent again when the cause is gone, confirms the question that it was said to, has one effect and one answer', async () => {
    const id = idOf('confirms');
    expect(await redrive(id, '--by', 'ana')).toMatchObject({ code: 0, said: { outcome: 'done', sent: 1 } });
    const [answer] = await eventually(
      async () => {
        const answers = await answersTo(turnIdIn('confirms'));
        expect(answers).toHaveLength(1);
        return answers;
      },
      { timeoutMs: 30_000 },
    );
    expect(answer).toMatchObject({ metadata: { transaction_status: 'COMPLETED', outcome: 'SUCCESS' } });
    expect(await effects()).toBe(1);
    expect(await lettersOf([talkOf('confirms')])).toMatchObject([{ sent_again: { times: 1, by: 'ana' } }]);
  });

  it('is refused the second time, and has no second effect where it comes again all the same', async () => {
    const id = idOf('confirms');
    const refused = (word: string): object => ({ code: 1, said: { sent: 0, letters: [{ refusal: { word } }] } });
    expect(await redrive(id)).toMatchObject(refused('sent_before'));
    expect(await redrive(id, '--again')).toMatchObject(refused('answered'));
    const copies = (await readWhole(system, topics.turns)).filter(
      ({ headers }) => headers['latch-redrive'] !== undefined,
    );
    expect(copies).toHaveLength(1);
    for (const copy of copies) await produceRaw(system, topics.turns, copy);
    const answers = await eventually(
      async () => {
        const all = await answersTo(turnIdIn('confirms'));
        expect(all).toHaveLength(2);
        return all;
      },
      { timeoutMs: 30_000 },
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(await effects()).toBe(1);
  });

  it('opens what it asks for when nothing was said before it', async () => {
    const id = idOf('new');
    expect(await redrive(id)).toMatchObject({ code: 0, said: { sent: 1 } });
    await eventually(async () => expect(await answersTo(turnIdIn('new'))).toHaveLength(1), { timeoutMs: 30_000 });
  });
});

describe('a yes that was said before the question', () => {
  it('is refused by the command, and confirms nothing when it comes all the same', async () => {
    const id = idOf('stale');
    expect(await redrive(id)).toMatchObject({ code: 1, said: { letters: [{ refusal: { word: 'overtaken' } }] } });
    const [died] = (await readWhole(system, topics.turns)).filter(({ key }) => key === talkOf('stale').conversationKey);
    if (died === undefined) throw new Error('the yes is gone');
    await produceRaw(system, topics.turns, { ...died, headers: { ...died.headers, 'latch-redrive': 'by hand' } });
    await eventually(
      async () =>
        expect(await answersTo(turnIdIn('stale'))).toMatchObject([{ metadata: { error: { code: 'turn.overtaken' } } }]),
      { timeoutMs: 30_000 },
    );
    expect(await effects()).toBe(1);
    expect(await talkOf('stale').ask('e aí?')).toMatchObject({
      metadata: { transaction_status: 'AWAITING_CONFIRMATION' },
    });
  });
});

describe('a run of several letters', () => {
  it('ends between two of them by a Ctrl-C that reaches it twice, as it does through npm, and leaves none unclear', async () => {
    const many = manyTalks.map(idOf);
    const before = await countRecords(system, topics.turns);
    const { child, ended } = system.begin(['dead-letters', 'redrive', ...many, '--yes', '--rate', '1', '--json']);
    // One letter a second: five seconds are left from here.
    await eventually(async () => expect(await countRecords(system, topics.turns)).toBeGreaterThan(before), {
      ...{ timeoutMs: 60_000, everyMs: 50 },
    });
    for (const waitMs of [0, 100]) {
      await pause(waitMs);
      child.kill('SIGINT');
    }
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ outcome: 'stopped', letters: expect.arrayContaining([notReached]) });
    for (const letter of await lettersOf(manyTalks.map(talkOf)))
      expect(letter).toMatchObject({ sent_again: { unclear_since: null } });
  });

  it('goes on behind what was sent before when it is started again by a filter, and says so', async () => {
    const { code, said: told } = await redrive('--tenant', 'unknown', '--yes', '--by', 'bia');
    expect(code).toBe(1);
    const { sent, sent_before: before } = Counts.parse(told);
    expect(told).toMatchObject({ outcome: 'done', refused: 1 });
    expect(sent).toBeGreaterThan(0);
    expect(sent + before).toBe(2 + manyTalks.length);
  });

  it.each([
    ['--by', ''],
    ['--by', 'a'.repeat(101)],
  ])('does not begin without a sender: %s %s', async (...by) => {
    expect(await redrive('--tenant', 'unknown', ...by)).toMatchObject({
      code: 2,
      said: { reason: expect.stringContaining('--by must be a name') },
    });
  });
});

describe('latch dead-letters', () => {
  it('refuses what is sealed with a key that is not here', async () => {
    const id = idOf('stale');
    const other = { LATCH_DATA_KEY: `other:${Buffer.alloc(32, 7).toString('base64')}` };
    expect(await report(['redrive', id], other)).toMatchObject({
      code: 1,
      said: { letters: [{ refusal: { word: 'sealed', why: expect.stringContaining('LATCH_DATA_KEY') } }] },
    });
  });

  it.each([
    ['no Kafka answers', { KAFKA_BROKERS: '127.0.0.1:1' }, 'KAFKA_BROKERS'],
    ['there is no such topic', { LATCH_TOPIC_PREFIX: 'nobody-' }, 'LATCH_TOPIC_PREFIX'],
    ['a key is written wrongly', { LATCH_BUS_KEY: 'x:y' }, 'LATCH_BUS_KEY'],
  ])('ends with 2 and a sentence when %s', async (_why, surroundings, sentence) => {
    expect(await report(['list'], surroundings)).toMatchObject({
      code: 2,
      said: { outcome: 'could_not_run', reason: expect.stringContaining(sentence) },
    });
  });
});
