import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@latch/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(60_000);

const { control, telecom, talkTo } = systemUnderTest();
const published = readFileSync(path.resolve(import.meta.dirname, '../../../contracts/openapi.json'), 'utf8');
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema({ $id: 'urn:latch:openapi', components: JSON.parse(published).components });

beforeEach(() => telecom.reset());

/** Asks the running console; the answer must be what the published document says. */
async function read(address: string, schema: string): Promise<unknown> {
  const answer = await fetch(control.urlOf('console') + address);
  const body: unknown = await answer.json();
  expect(answer.status).toBe(200);
  const isValid = ajv.validate({ $ref: `urn:latch:openapi#/components/schemas/${schema}` }, body);
  expect([isValid, ajv.errors]).toEqual([true, null]);
  return body;
}

const Turn = z.object({ said: z.string().nullable(), answered: z.string().nullable() });

describe('after a transaction of several items', () => {
  it('the console shows each item with its own outcome, the chat word by word, and the timeline', async () => {
    const talk = talkTo('telecom_contas');
    await talk.ask('cancela TIM Fashion, Aya Audiobooks e Neymar Jr');
    const done = await talk.ask('sim');
    const id = String(done.metadata.transaction_id);

    const shown = await read(`/v1/transactions/${id}?tenant_id=default`, 'Transaction');
    expect(shown).toMatchObject({
      status: done.metadata.transaction_status,
      outcome: 'PARTIAL_SUCCESS',
      conversation_key: talk.conversationKey,
      items: [{ outcome: 'succeeded' }, { outcome: 'failed' }, { outcome: 'succeeded' }],
      timeline: expect.arrayContaining([
        expect.objectContaining({ event_type: 'IC.CONFIRMATION_REQUESTED' }),
        expect.objectContaining({ event_type: 'IC.TRANSACTION_ENDED' }),
      ]),
    });

    const key = encodeURIComponent(talk.conversationKey);
    const answer = await fetch(`${control.urlOf('console')}/v1/conversations/${key}/chat`);
    const chat = z.array(Turn).parse(await answer.json());
    expect(chat.map(({ said }) => said)).toEqual(['cancela TIM Fashion, Aya Audiobooks e Neymar Jr', 'sim']);
    expect(chat.at(-1)?.answered).toBe(done.text);
  });

  it('the console has brought its signals, counts it, and shows it to no other tenant', async () => {
    const talk = talkTo('telecom_contas');
    await talk.ask('cancela TIM Fashion, Aya Audiobooks e Neymar Jr');
    const id = String((await talk.ask('sim')).metadata.transaction_id);

    const query = new URLSearchParams({ tenant_id: 'default', transaction_id: id, latest: '100' });
    const types = await eventually(async () => {
      const seen = await signalTypes(query);
      expect(seen).toContain('IC.TRANSACTION_ENDED');
      return seen;
    });
    expect(types).toEqual(expect.arrayContaining(['IC.TRANSACTION_STARTED', 'IC.CONFIRMATION_REQUESTED']));
    await read('/v1/overview?tenant_id=default', 'Overview');
    await read('/v1/alarms?tenant_id=default', 'Alarms');
    await read('/v1/dead-letters?tenant_id=default', 'DeadLetters');
    const foreign = await fetch(`${control.urlOf('console')}/v1/transactions/${id}?tenant_id=rival`);
    expect(foreign.status).toBe(404);
    expect(await signalTypes(new URLSearchParams({ tenant_id: 'rival', transaction_id: id, latest: '100' }))).toEqual(
      [],
    );
  });
});

/** The types of the signals that a stream begins with. */
async function signalTypes(query: URLSearchParams): Promise<readonly string[]> {
  const stop = AbortSignal.timeout(1_500);
  const answer = await fetch(`${control.urlOf('console')}/v1/signals/stream?${query}`, { signal: stop });
  let text = '';
  try {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // the stream goes on for ever; what it began with is enough
  }
  return [...text.matchAll(/"event_type":"([A-Z_.]+)"/g)].map(([, type = '']) => type);
}
