import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Talk } from '@latch/cli';
import { type ChannelResponse } from '@latch/contracts';
import pg from 'pg';
import { type OperatorSystem, startOperatorSystem } from './operator-system.ts';

jest.setTimeout(240_000);

let system: OperatorSystem;

beforeAll(async () => {
  system = await startOperatorSystem();
});
afterAll(() => system?.stop());

async function asOwner(statement: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    await client.query(`SELECT set_config('app.tenants', '{*}', false)`);
    return await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}

async function say(talk: Talk, message: string): Promise<ChannelResponse> {
  const outcome = await system.ingress.send(talk.requestFor(message));
  if (!outcome.ok) throw new Error(outcome.body);
  return outcome.response;
}

/** A conversation of every sort: done, declined, corrected, given up in the middle, one item of several failed. */
const sorts: readonly (readonly [agentId: string, ...said: string[]])[] = [
  ['retail_orders', 'quero cancelar o pedido PED-1001', 'sim', 'onde está o pedido PED-1001'],
  ['retail_orders', 'quero cancelar o pedido PED-1003', 'não', 'obrigado'],
  ['retail_orders', 'quero cancelar pedido', 'o pedido é o PED-1002', 'não, é o PED-1003', 'sim'],
  ['retail_orders', 'quero cancelar os pedidos PED-1001, PED-1002 e PED-1004', 'sim'],
  ['retail_orders', 'quero cancelar pedido', 'não sei'],
  ['telecom_contas', 'cancela TIM Fashion e Aya Audiobooks', 'sim'],
];

async function speak(round: number): Promise<void> {
  const [agentId, ...said] = sorts[round % sorts.length] ?? ['retail_orders'];
  const talk = new Talk(system.ingress, { agentId });
  for (const message of said) await say(talk, message);
}

type People = { readonly rounds: () => number; readonly stop: () => Promise<void> };

/**
 * Two people who speak, one conversation after the other, until they are told to stop. They rest between two of them: every look goes through all that was said, so
 * that a crowd would make each look longer than the one before it, and none of them harder.
 */
function startSpeaking(): People {
  let isDone = false;
  let rounds = 0;
  const speaker = async (): Promise<void> => {
    while (!isDone) {
      await speak((rounds += 1));
      await pause(700);
    }
  };
  const speakers = [speaker(), speaker()];
  return {
    rounds: () => rounds,
    stop: async () => {
      isDone = true;
      await Promise.all(speakers);
    },
  };
}

async function verified(
  surroundings: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; said: unknown }> {
  const { code, output, errors } = await system.latch(['projections', 'verify', '--json'], surroundings);
  if (output === '') throw new Error(errors);
  return { code, said: JSON.parse(output) };
}

describe('a system in which people speak', () => {
  it('never has a row that is not what the events say, whenever one looks', async () => {
    const people = startSpeaking();
    const seen: unknown[] = [];
    const isEnough = (): boolean => seen.length >= 4 && people.rounds() > sorts.length;
    while (!isEnough() && seen.length < 30) seen.push(await verified());
    await people.stop();
    expect(people.rounds()).toBeGreaterThan(sorts.length);
    seen.push(await verified());
    expect(seen).toEqual(
      seen.map(() => ({ code: 0, said: expect.objectContaining({ outcome: 'equal', differences: 0, places: [] }) })),
    );
    expect(seen.at(-1)).toMatchObject({ said: { erased: 0, rebuilt: 0, letGo: 0 } });
  });

  it('is made again from the events while people speak, and changes nothing that was right', async () => {
    const people = startSpeaking();
    for (let time = 0; time < 2; time += 1) {
      const { code, output } = await system.latch(['projections', 'rebuild', '--json']);
      expect([code, JSON.parse(output)]).toMatchObject([0, { changed: 0, left: 0 }]);
    }
    await people.stop();
    expect(await verified()).toMatchObject({ code: 0 });
  });
});

describe('latch projections verify', () => {
  it('ends with 1 and names the first place of what the owner of the database changed', async () => {
    const { rows } = await asOwner(
      `UPDATE transactions SET outcome = 'PARTIAL_SUCCESS' WHERE transaction_id = (SELECT min(transaction_id) FROM transactions WHERE outcome = 'SUCCESS') RETURNING transaction_id`,
    );
    const { code, output } = await system.latch(['projections', 'verify']);
    expect(code).toBe(1);
    expect(output).toContain(`transactions.outcome differs: ${String(rows[0].transaction_id)} of default:`);
    expect(output).toContain('stored     "PARTIAL_SUCCESS"\n  the events "SUCCESS"');
    expect(await system.latch(['projections', 'rebuild'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 rows were changed'),
    });
    expect(await verified()).toMatchObject({ code: 0 });
  });

  it('shows nothing of what people said', async () => {
    await asOwner(
      `UPDATE turns SET sealed_response = NULL, response = '{"said":"Maria"}' WHERE turn_id = (SELECT min(turn_id) FROM turns WHERE status = 'done')`,
    );
    const [lines, json] = await Promise.all([system.latch(['projections', 'verify']), verified()]);
    expect([lines.code, json.code]).toEqual([1, 1]);
    expect(lines.output).toMatch(/turns\.response differs: \S+ of \S+ at \$\./);
    expect(lines.output + JSON.stringify(json.said)).not.toMatch(/Maria|PED-1001/);
  });

  it('tells of a conversation whose event was altered that its rows are not proven, and nothing is made of it', async () => {
    await asOwner(
      `SET session_replication_role = replica;
       UPDATE events SET record = set_byte(record, length(record) - 1, get_byte(record, length(record) - 1) # 1)
       WHERE stream_version = 2 AND stream_id = (SELECT stream_id FROM streams ORDER BY stream_id LIMIT 1)`,
    );
    const lines = await system.latch(['projections', 'verify']);
    expect(lines.code).toBe(1);
    expect(lines.output).toContain(
      'events does not prove the rows of a conversation: an event is not the one that was',
    );
    const rebuilt = await system.latch(['projections', 'rebuild', '--json']);
    expect([rebuilt.code, JSON.parse(rebuilt.output)]).toMatchObject([
      1,
      { outcome: 'unprovable', skipped: 1, unprovable: 1, changed: 0 },
    ]);
    expect(await system.latch(['projections', 'rebuild'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('1 of them because their events do not prove their rows'),
    });
  });

  it('ends with 2 without a database, and with another data key', async () => {
    const nowhere = { DATABASE_URL: 'postgres://latch@127.0.0.1:1/latch' };
    const all = await Promise.all([nowhere, { LATCH_DATA_KEY: Buffer.alloc(32, 7).toString('base64') }].map(verified));
    expect(all).toMatchObject(all.map(() => ({ code: 2, said: { outcome: 'could_not_run' } })));
  });
});
