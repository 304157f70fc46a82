import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readRunningState } from '@latch/cli';
import { type ChannelResponse, DeadLetter, EventEnvelope, type Topic, topics } from '@latch/contracts';
import { erasePerson, openMaintenance } from '@latch/event-store';
import { openLetter } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { eventually } from '@latch/testing';
import { idsOfConversation, keptRows } from './kept-rows.ts';
import { madeUpPerson, spellingsOf } from './made-up-person.ts';
import { produceRaw, type RawRecord, readWhole } from './raw-kafka.ts';
import { systemUnderTest } from './system-under-test.ts';
import { type PersonalKind, whatATopicMayHold } from './what-a-topic-may-hold.ts';

jest.setTimeout(120_000);

/** Invariant I16, for a whole conversation in the running system: a person who tells everything, and cancels three orders. */
const system = systemUnderTest();
const talk = system.talkTo('retail_orders');
const person = madeUpPerson();
const { cpf, cnpj, card, email, phone, token, nickname, userId, customerKey } = person;
const told = `sou ${nickname}, CPF ${cpf}, CNPJ ${cnpj}, cartão ${card}, e-mail ${email}, telefone ${phone}, ${token}`;
const orders = ['PED-1001', 'PED-1002', 'PED-1003'];

const valuesOf: Readonly<Record<PersonalKind, readonly string[]>> = {
  said: [cpf, cnpj, card, email, phone, token, nickname].flatMap(spellingsOf),
  who: [userId],
  context: [customerKey],
  items: orders,
};
/** What is this person's and nobody else's: it may be looked for everywhere. Orders other conversations have too. */
const own = [...valuesOf.said, ...valuesOf.who, ...valuesOf.context];

/** Messages of the person that nobody can read: no JSON, no envelope, and an envelope whose payload is wrong. */
const poison: Readonly<Record<string, string>> = {
  'no JSON': `{"message": "${told}"`,
  'no envelope': JSON.stringify({ message: told, user_id: userId, [email]: cpf }),
  'a wrong payload': JSON.stringify({
    ...{
      event_type: 'IC.GATEWAY_RECEIVED',
      tenant_id: 'default',
      agent_id: 'retail_orders',
      session_id: talk.sessionId,
    },
    ...{ conversation_key: talk.conversationKey, trace_id: 'f'.repeat(32), event_id: randomUUID(), severity: told },
    ...{ timestamp: '2026-11-30T12:00:00.000Z', contract_version: 'gateway-request-v1', payload: { message: [told] } },
  }),
};

async function say(message: string): Promise<ChannelResponse> {
  const request = talk.requestFor(message);
  const payload = { ...request.payload, user_id: userId, business_context: { customer_key: customerKey } };
  const outcome = await system.ingress.send({ ...request, payload });
  if (!outcome.ok) throw new Error(outcome.body);
  return outcome.response;
}

/** Everything on a topic, keys and headers included; of orders only what belongs to this conversation. */
async function heardOn(topic: Topic): Promise<Readonly<Record<PersonalKind, readonly string[]>>> {
  const records = await readWhole(system, topic);
  const all = records.map(textOf).join('\n');
  const mine = records.filter(isMine).map(textOf).join('\n');
  const foundIn = (text: string, values: readonly string[]): readonly string[] =>
    values.filter((value) => text.includes(value));
  const { said, who, context, items } = valuesOf;
  return {
    said: foundIn(all, said),
    who: foundIn(all, who),
    context: foundIn(all, context),
    items: foundIn(mine, items),
  };
}

function isMine(record: RawRecord): boolean {
  return textOf(record).includes(talk.conversationKey);
}

function textOf({ key, value, headers }: RawRecord): string {
  return [key, value.toString(), JSON.stringify(headers)].join('\n');
}

async function lettersOfThisPerson(): Promise<readonly RawRecord[]> {
  return (await readWhole(system, topics.deadLetters)).filter(({ key }) => key === talk.conversationKey);
}

beforeAll(async () => {
  await system.retail.reset();
  await say(`quero cancelar vários pedidos. ${told}`);
  await say(orders.join(', '));
  const done = await say('sim');
  expect(done.metadata).toMatchObject({ transaction_status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS' });
  const headers = { authorization: token, 'x-customer': `${cpf} ${email}` };
  for (const text of Object.values(poison)) {
    await produceRaw(system, topics.turns, { key: talk.conversationKey, value: Buffer.from(text), headers });
  }
  await eventually(async () => expect(await lettersOfThisPerson()).toHaveLength(Object.keys(poison).length), {
    timeoutMs: 30_000,
  });
  await eventually(async () => expect((await readWhole(system, topics.evaluations)).some(isMine)).toBe(true), {
    timeoutMs: 30_000,
  });
});

describe('the topics after a conversation with somebody who told everything', () => {
  it('all have a rule of what may stand there', () => {
    expect(Object.keys(whatATopicMayHold).sort()).toEqual(Object.values<string>(topics).sort());
  });

  it.each(Object.values(topics))('%s holds what its rule says, and nothing else of the person', async (topic) => {
    expect((await readWhole(system, topic)).some(isMine)).toBe(true);
    const heard = await heardOn(topic);
    const { holds } = whatATopicMayHold[topic];
    const expected = { said: [], who: [], context: [], items: [] };
    expect(heard).toEqual({ ...expected, ...Object.fromEntries(holds.map((kind) => [kind, kept(topic, kind)])) });
  });

  it('keep dead letters whole all the same: the operator reads in them what was sent', async () => {
    if (system.personalData === 'clear') throw new Error('the system under test does not seal');
    const ring = system.personalData;
    const letters = (await lettersOfThisPerson()).map(({ value }) => {
      const letter = DeadLetter.parse(EventEnvelope.parse(JSON.parse(value.toString())).payload);
      return Buffer.from(openLetter(letter, ring).value_base64, 'base64').toString();
    });
    expect(letters.sort()).toEqual(Object.values(poison).sort());
  });
});

/** What is found of a kind where it may be: of what was said, everything; spellings without dots were not said. */
function kept(topic: Topic, kind: PersonalKind): readonly string[] {
  if (topic !== topics.turns || kind !== 'said') return valuesOf[kind];
  return valuesOf.said.filter((value) => told.includes(value));
}

describe('what operators look at', () => {
  it('shows nothing of the person in the logs of any service', () => {
    const folder = path.join(system.stateFolder, 'logs');
    const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
    expect(logs.length).toBeGreaterThanOrEqual(6);
    const texts = logs.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    expect(texts.join('\n')).toContain('"level"');
    expect(own.filter((value) => texts.some((text) => text.includes(value)))).toEqual([]);
  });

  it('shows nothing of the person in the metrics of any service', async () => {
    const services = readRunningState(system.stateFolder)?.services ?? [];
    const texts = await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    expect(texts.join('\n')).toContain('latch_turns_total');
    const identifying = [...own, talk.sessionId, talk.conversationKey, ...orders];
    expect(identifying.filter((value) => texts.some((text) => text.includes(value)))).toEqual([]);
  });

  it.each(['default', 'unknown'])('shows the dead letters of %s masked', async (tenant) => {
    const shown = await (
      await fetch(`${system.control.urlOf('console')}/v1/dead-letters?tenant_id=${tenant}&limit=500`)
    ).text();
    expect(shown).toContain(talk.sessionId);
    expect([...valuesOf.said, userId].filter((value) => value !== nickname && shown.includes(value))).toEqual([]);
  });
});

describe('the database after the conversation', () => {
  it('holds nothing in the clear: not in a cell of any table, not in the bytes of one', async () => {
    const [rows, ids] = await Promise.all([
      keptRows(databaseUrl()),
      idsOfConversation(databaseUrl(), talk.conversationKey),
    ]);
    const mine = rows.filter(({ text }) => ids.some((id) => text.includes(id)));
    expect(new Set(mine.map(({ table }) => table)).size).toBeGreaterThan(8);
    const inTheClear = [
      ...rows.flatMap((row) =>
        own.filter((value) => row.text.includes(value)).map((value) => `${row.table}: ${value}`),
      ),
      ...mine.flatMap((row) =>
        orders.filter((order) => row.text.includes(order)).map((order) => `${row.table}: ${order}`),
      ),
    ];
    expect(inTheClear).toEqual([]);
  });

  it('holds nothing at all after an erasure', async () => {
    const logger = createLogger({ service: 'spec', level: 'silent' });
    const maintenance = openMaintenance({ databaseUrl: databaseUrl(), personalData: system.personalData, logger });
    const erasure = await erasePerson(maintenance, { tenantId: 'default', who: { userId }, waitMs: 30_000 });
    await maintenance.close();
    expect(erasure).toMatchObject({ outcome: 'erased', conversations: 1, tombstones: 1 });
    const events = `${system.control.urlOf('ingress')}/v1/conversations/${talk.conversationKey}/events`;
    const read = await (await fetch(events)).text();
    expect(read).toContain('PersonalDataErased');
    expect([...own, ...orders].filter((value) => read.includes(value))).toEqual([]);
  });

  it('takes the person up again as somebody new', async () => {
    const answer = await say('quero cancelar um pedido');
    expect(answer.metadata).toMatchObject({ transaction_status: 'COLLECTING_PARAMETERS' });
  });
});

function databaseUrl(): string {
  const state = readRunningState(system.stateFolder);
  const where = state?.database?.where ?? '';
  return where.startsWith('postgres') ? where : `postgres://latch@${where}`;
}
