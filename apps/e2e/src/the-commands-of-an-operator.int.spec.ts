import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Talk } from '@latch/cli';
import { type ChannelResponse, type GatewayRequest, topics } from '@latch/contracts';
import { eventually } from '@latch/testing';
import pg from 'pg';
import { type OperatorSystem, startOperatorSystem } from './operator-system.ts';
import { countRecords, type RawRecord, readUntil } from './raw-kafka.ts';

jest.setTimeout(180_000);

let system: OperatorSystem;
const began = new Date().toISOString();
const talks = new Map<string, Talk>();
/** The first message of ana, to be sent again. */
let asked: GatewayRequest | undefined;
/** The transaction of ana. */
let cancelled: string | null | undefined;

/** Surroundings without an event store. */
const nowhere = { DATABASE_URL: 'postgres://latch@127.0.0.1:1/latch' };

const inFolder = (name: string): string => path.join(system.folder, name);

/** Someone speaks, on a channel that tells who it is in `context.phone`. */
async function say(userId: string, message: string): Promise<ChannelResponse> {
  const talk = talks.get(userId) ?? new Talk(system.ingress, { agentId: 'retail_orders' });
  talks.set(userId, talk);
  const request = talk.requestFor(message);
  const spoken = { ...request, payload: { ...request.payload, user_id: userId, context: { phone: '11987654321' } } };
  asked ??= spoken;
  return answerTo(spoken);
}

async function answerTo(request: GatewayRequest | undefined): Promise<ChannelResponse> {
  if (request === undefined) throw new Error('nothing was asked yet');
  const outcome = await system.ingress.send(request);
  if (!outcome.ok) throw new Error(outcome.body);
  return outcome.response;
}

function keyOf(userId: string): string {
  return talks.get(userId)?.conversationKey ?? '';
}

/** Runs a command that reports for machines. */
async function report(...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: unknown }> {
  const { code, output, errors } = await system.latch([...args, '--json']);
  try {
    return { code, said: JSON.parse(output) };
  } catch {
    throw new Error(`latch ${args.join(' ')} ended with ${code} and no report: ${output}${errors}`);
  }
}

async function asOwner(statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica`);
    await client.query(`SELECT set_config('app.tenants', '{*}', false)`);
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}

async function effects(): Promise<number> {
  return (await system.retail.calls()).totalEffects;
}

beforeAll(async () => {
  system = await startOperatorSystem();
  await say('ana', 'quero cancelar o pedido PED-1001');
  const done = await say('ana', 'sim');
  expect(done).toMatchObject({ metadata: { transaction_status: 'COMPLETED' } });
  cancelled = done.metadata.transaction_id;
  await say('bruno', 'quero cancelar o pedido PED-1003');
  expect(await say('bruno', 'não')).toMatchObject({ metadata: { transaction_status: 'CANCELLED' } });
});
afterAll(() => system?.stop());

describe('latch replay rebuild', () => {
  it('ends with 0 when the fold of the events is the stored state, of all and of one', async () => {
    const [all, one] = await Promise.all([
      report('replay', 'rebuild'),
      report('replay', 'rebuild', '--conversation', keyOf('ana')),
    ]);
    const counts = { conversations: 2, equal: 2, differ: 0, erased: 0 };
    expect(all).toMatchObject({ code: 0, said: { word: 'rebuild', outcome: 'equal', ...counts } });
    expect(one).toMatchObject({ code: 0, said: { outcome: 'equal', conversations: 1 } });
  });

  it('shows the state of a conversation as it was', async () => {
    const of = ['--conversation', keyOf('ana'), '--at', '1'];
    expect(await report('replay', 'rebuild', ...of)).toMatchObject({
      code: 0,
      said: { conversation_key: keyOf('ana'), version: 1, state: { transaction: null } },
    });
  });

  it('ends with 2 when it cannot run, and says why', async () => {
    const cases: (readonly [reason: string, ...args: string[]])[] = [
      ['there is no conversation', '--conversation', 'default:retail_orders:nobody'],
      ['--at needs --conversation', '--at', '3'],
      ['--at must be a whole number', '--at', 'x'],
    ];
    const reports = await Promise.all(cases.map(([, ...args]) => report('replay', 'rebuild', ...args)));
    expect(reports).toMatchObject(
      cases.map(([reason]) => ({
        code: 2,
        said: { outcome: 'could_not_run', reason: expect.stringContaining(reason) },
      })),
    );
  });

  it('ends with 2 when there is no database, or it is sealed with another key', async () => {
    const surroundings = [nowhere, { LATCH_DATA_KEY: Buffer.alloc(32, 7).toString('base64') }];
    const all = await Promise.all(surroundings.map((each) => system.latch(['replay', 'rebuild'], each)));
    for (const ended of all) expect(ended).toMatchObject({ code: 2, errors: expect.stringContaining('could not run') });
  });

  it('ends with 2, as every command does, when its settings are wrong: that is no finding', async () => {
    const ended = await system.latch(['verify'], { DATABASE_URL: 'nonsense' });
    expect(ended).toMatchObject({ code: 2, errors: expect.stringContaining('must start with postgres://') });
  });
});

describe('latch verify', () => {
  it('ends with 0 for a whole store, with every event sealed and signed', async () => {
    const { code, said } = await eventually(async () => {
      const verified = await report('verify', '--public-key', inFolder('seal.pem'));
      expect(verified).toMatchObject({ said: { unsealedEvents: 0, signatures: 'checked' } });
      return verified;
    });
    expect({ code, said }).toMatchObject({ code: 0, said: { outcome: 'equal', streams: 2, problems: [] } });
    writeFileSync(inFolder('last.json'), JSON.stringify(said));
  });

  it('notices by the seal that was kept whether one is gone since', async () => {
    const kept = [inFolder('last.json'), 'f'.repeat(64), inFolder('no-such-file')];
    const reports = await Promise.all(kept.map((seal) => report('verify', '--last-seal', seal)));
    expect(reports).toMatchObject([
      { code: 0, said: { outcome: 'equal' } },
      { code: 1, said: { outcome: 'differs', problems: [{ kind: 'seal_missing' }] } },
      { code: 2, said: { outcome: 'could_not_run' } },
    ]);
  });
});

describe('latch replay redecide', () => {
  it('ends with 0 when every decision comes out as recorded', async () => {
    expect(await report('replay', 'redecide')).toMatchObject({ code: 0, said: { outcome: 'equal', equal: 2 } });
  });

  it('ends with 0 against the same configuration, and with 1 against one that would have decided otherwise', async () => {
    const policies = readFileSync(inFolder('config/tool_policies.yaml'), 'utf8');
    const unasked = policies.replace(/(\n {2}retail_order_cancel:[\s\S]*?require_confirmation: )true/, '$1false');
    expect(unasked).not.toBe(policies);
    cpSync(inFolder('config'), inFolder('other'), { recursive: true });
    writeFileSync(inFolder('other/tool_policies.yaml'), unasked);
    const [same, other] = await Promise.all(
      ['config', 'other'].map((folder) => report('replay', 'redecide', '--against', inFolder(folder))),
    );
    expect(same).toMatchObject({ code: 0, said: { outcome: 'equal' } });
    const findings = [{ conversationKey: expect.any(String) }, { conversationKey: expect.any(String) }];
    const said = { word: 'redecide_against', outcome: 'differs', conversations: 2, differ: 2, findings };
    expect(other).toMatchObject({ code: 1, said });
  });

  it('ends with 2 against a folder that is no configuration', async () => {
    expect(await report('replay', 'redecide', '--against', inFolder('state'))).toMatchObject({ code: 2 });
  });
});

describe('latch evidence export', () => {
  it('writes a file that proves itself without any database, and no longer when a word of it is changed', async () => {
    const file = inFolder('evidence.json');
    const id = cancelled ?? '';
    expect(await system.latch(['evidence', 'export', id, '--out', file])).toMatchObject({ code: 0 });
    expect(await system.latch(['verify', file], nowhere)).toMatchObject({ code: 0 });
    const signed = await eventually(async () => {
      // One that is too young to be sealed is exported again.
      await system.latch(['evidence', 'export', id, '--out', file]);
      const verified = await report('verify', file, '--public-key', inFolder('seal.pem'));
      return verified.code === 0 ? verified : undefined;
    });
    expect(signed).toMatchObject({ said: { isGood: true, transactionId: id, signatures: 'trusted' } });
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('PED-1001', 'PED-1009'));
    expect(await report('verify', file)).toMatchObject({ code: 1, said: { outcome: 'differs', isGood: false } });
  });

  it('ends with 2 for a transaction, or a file, that is not there', async () => {
    const commands = [
      ['evidence', 'export', 'nobody'],
      ['verify', inFolder('no-such-file')],
    ];
    expect(await Promise.all(commands.map((args) => system.latch(args)))).toMatchObject([{ code: 2 }, { code: 2 }]);
  });
});

describe('latch projections rebuild', () => {
  it('brings back what was lost, so that a repeat gets its answer and has no second effect', async () => {
    const first = await answerTo(asked);
    const before = await effects();
    for (const table of ['transaction_items', 'transactions', 'turns']) await asOwner(`DELETE FROM ${table}`);
    expect(await report('projections', 'rebuild')).toMatchObject({
      code: 0,
      said: { word: 'projections', outcome: 'done', streams: 2, transactions: 2, skipped: 0 },
    });
    const again = await answerTo(asked);
    expect([again.text, again.metadata]).toEqual([first.text, first.metadata]);
    expect(await effects()).toBe(before);
  });
});

describe('latch replay reemit', () => {
  const since = ['--from', began, '--to', '2100-01-01T00:00:00Z'];

  it.each([
    [topics.turns, topics.responses],
    [topics.toolInvocations, topics.toolExecutions],
  ])('publishes what went to %s again, marked, and nothing of ours acts on it', async (topic, answers) => {
    const before = { effects: await effects(), answers: await countRecords(system, answers) };
    const dry = await report('replay', 'reemit', '--topic', topic, ...since, '--dry-run');
    const { code, said } = await report('replay', 'reemit', '--topic', topic, ...since);
    const published = Number(Reflect.get(Object(said), 'published'));
    expect(published).toBeGreaterThan(0);
    expect({ code, said }).toMatchObject({ code: 0, said: { word: 'reemit', outcome: 'done' } });
    expect(dry).toMatchObject({ code: 0, said: { dry_run: true, published } });
    const marked = (records: readonly RawRecord[]): readonly RawRecord[] =>
      records.filter(({ headers }) => headers['latch-replay'] !== undefined);
    expect(marked(await readUntil(system, topic, (records) => marked(records).length >= published))).toHaveLength(
      published,
    );
    // What is said and called now is behind the replayed records: when it is answered, they were passed by.
    await say('ana', 'onde está o pedido PED-1001');
    expect(await countRecords(system, answers)).toBe(before.answers + 1);
    expect(await effects()).toBe(before.effects);
  });

  it('ends with 2 for a topic that the store cannot make again', async () => {
    expect(await report('replay', 'reemit', '--topic', 'nothing', ...since)).toMatchObject({ code: 2 });
  });
});

describe('latch erase', () => {
  it('forgets a person; what is left folds, verifies and is decided as recorded, and is counted apart', async () => {
    expect(await report('erase', '--subject', 'bruno')).toMatchObject({ code: 0, said: { outcome: 'erased' } });
    expect(await report('erase', '--subject', 'bruno')).toMatchObject({ code: 0, said: { outcome: 'already_erased' } });
    const apart = { code: 0, said: { outcome: 'equal', conversations: 2, equal: 1, erased: 1, differ: 0 } };
    const [rebuilt, redecided, verified] = await Promise.all([
      report('replay', 'rebuild'),
      report('replay', 'redecide'),
      report('verify', '--last-seal', inFolder('last.json')),
    ]);
    expect([rebuilt, redecided]).toMatchObject([apart, apart]);
    expect(verified).toMatchObject({ code: 0, said: { outcome: 'equal' } });
    expect(await report('projections', 'rebuild')).toMatchObject({ code: 0, said: { streams: 2, skipped: 1 } });
  });

  it('ends with 2 when nobody is named', async () => {
    expect(await system.latch(['erase'])).toMatchObject({ code: 2 });
  });
});

describe('latch retention apply', () => {
  it('ends with 0, and with 2 when the rules cannot be read', async () => {
    expect(await report('retention', 'apply')).toMatchObject({ code: 0, said: { keys: 0 } });
    writeFileSync(inFolder('other/privacy.yaml'), 'default_retention_days: soon\n');
    const surroundings = { LATCH_CONFIG_DIR: inFolder('other') };
    expect(await system.latch(['retention', 'apply'], surroundings)).toMatchObject({ code: 2 });
    writeFileSync(
      inFolder('other/privacy.yaml'),
      'default_retention_days: 1\ntenant: { bank: { retention_days: null } }\n',
    );
    const refused = await system.latch(['retention', 'apply'], surroundings);
    expect(refused).toMatchObject({ code: 2, errors: expect.stringMatching(/privacy.yaml:2:1.*Nothing was deleted/s) });
  });
});

describe('latch catalogue list', () => {
  it('ends with 0 when every schema is accepted, and with 1 when one waits', async () => {
    const { code, said } = await report('catalogue', 'list');
    expect(code).toBe(0);
    expect(said).toContainEqual(expect.objectContaining({ server: 'retail', tool: 'retail_order_cancel' }));
    const changed = `UPDATE tool_catalogue SET observed_hash = $1 WHERE tool = 'retail_order_cancel'`;
    // The executor, which runs, looks at the server again now and then, and sees what is true.
    const waits = async (): Promise<void> => {
      await asOwner(changed, ['f'.repeat(64)]);
      expect(await report('catalogue', 'list', '--pending')).toMatchObject({ code: 1 });
    };
    await eventually(waits, { timeoutMs: 60_000 });
  });
});

describe('a store whose owner has tampered with it', () => {
  it('is found by latch verify, which ends with 1', async () => {
    await asOwner(`UPDATE conversations SET head_hash = decode($1, 'hex')`, ['f'.repeat(64)]);
    expect(await report('verify')).toMatchObject({ code: 1, said: { outcome: 'differs' } });
  });
});
