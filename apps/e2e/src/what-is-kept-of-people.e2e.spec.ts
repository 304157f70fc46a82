import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readRunningState } from '@latch/cli';
import { type ChannelResponse, type Topic, topics } from '@latch/contracts';
import { erasePerson, openMaintenance } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import pg from 'pg';
import { type RawRecord, readUntil } from './raw-kafka.ts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(120_000);

const system = systemUnderTest();
const user = `ana.souza.${Date.now()}@example.com`;
const secrets = {
  cpf: '529.982.247-25',
  card: '4111 1111 1111 1111',
  email: 'contato.ana@example.org',
  phone: '(11) 98765-4321',
};
const said = `meu CPF é ${secrets.cpf}, cartão ${secrets.card}, e-mail ${secrets.email}, telefone ${secrets.phone}`;
const everything = [...Object.values(secrets), user, 'meu CPF', 'PED-1001'];

/** Invariant I16, for a whole conversation in the running system. */
const talk = system.talkTo('retail_orders');

async function say(message: string): Promise<ChannelResponse> {
  const request = talk.requestFor(message);
  const payload = { ...request.payload, user_id: user, business_context: { customer_key: '11987654321' } };
  const outcome = await system.ingress.send({ ...request, payload });
  if (!outcome.ok) throw new Error(outcome.body);
  return outcome.response;
}

async function ofConversation(topic: Topic, count: number): Promise<readonly RawRecord[]> {
  const mine = (records: readonly RawRecord[]): readonly RawRecord[] =>
    records.filter(({ key }) => key === talk.conversationKey);
  return mine(await readUntil(system, topic, (records) => mine(records).length >= count));
}

beforeAll(async () => {
  await system.retail.reset();
  await say(`quero cancelar o pedido PED-1001. ${said}`);
  const done = await say('sim');
  expect(done.metadata).toMatchObject({ transaction_status: 'COMPLETED' });
});

describe('the topics after a conversation with a CPF, a card, an e-mail and a phone', () => {
  it("carry the words of the user only from ingress to the engine, and nobody's business context beyond it", async () => {
    expect(textOf(await ofConversation(topics.turns, 2))).toContain(secrets.cpf);
    for (const topic of [topics.toolInvocations, topics.toolExecutions, topics.toolResults]) {
      const text = textOf(await ofConversation(topic, 1));
      for (const secret of [...Object.values(secrets), user, '11987654321', 'business_context'])
        expect(text).not.toContain(secret);
    }
  });

  it('show nothing of the person in signals', async () => {
    const text = textOf(await ofConversation(topics.signals, 3));
    for (const secret of [...Object.values(secrets), user, '11987654321']) expect(text).not.toContain(secret);
  });
});

describe('the database after the conversation', () => {
  it('holds nothing in the clear, and after an erasure nothing at all', async () => {
    const url = databaseUrl();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const dump = await everyCell(client);
      expect(dump).toContain(talk.conversationKey);
      expect(everything.filter((secret) => dump.includes(secret))).toEqual([]);
    } finally {
      await client.end();
    }
    const logger = createLogger({ service: 'spec', level: 'silent' });
    const maintenance = openMaintenance({ databaseUrl: url, personalData: system.personalData, logger });
    const erasure = await erasePerson(maintenance, { tenantId: 'default', who: { userId: user }, waitMs: 30_000 });
    await maintenance.close();
    expect(erasure).toMatchObject({ outcome: 'erased', conversations: 1, tombstones: 1 });
    expect(
      await (await fetch(`${system.control.urlOf('ingress')}/v1/conversations/${talk.conversationKey}/events`)).text(),
    ).not.toContain('meu CPF');
  });

  it('takes the person up again as somebody new', async () => {
    const answer = await say('quero cancelar um pedido');
    expect(answer.metadata).toMatchObject({ transaction_status: 'COLLECTING_PARAMETERS' });
  });
});

function textOf(records: readonly RawRecord[]): string {
  return records.map(({ value }) => value.toString()).join('\n');
}

function databaseUrl(): string {
  const state = readRunningState(system.stateFolder);
  const where = state?.database?.where ?? '';
  return where.startsWith('postgres') ? where : `postgres://latch@${where}`;
}

/** Tables of tenants. The catalogue of tools and the configurations hold what operators and servers wrote, with examples of their own. */
const ofTenants = `SELECT format('%I', table_name) AS name FROM information_schema.columns
  WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_name <> 'config_versions'`;

async function everyCell(client: pg.Client): Promise<string> {
  await client.query(`SELECT set_config('app.tenants', '{*}', false)`);
  const tables = await client.query<{ name: string }>(ofTenants);
  const cells: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    cells.push(...rows.map(({ row }) => row));
  }
  return cells.join('\n');
}
