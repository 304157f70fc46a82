import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { type EventStore, migrate, openEventStore, readSigningKey, type SigningKey } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { eventually, freshDatabase, type FreshDatabase, recordedConversation, testKeyRing } from '@latch/testing';
import pg from 'pg';
import { openTestConsole, type TestConsole } from './test-console.features.ts';

/** Invariants I6, I15 and I21 of one conversation, over HTTP: what each word finds, and what is another word's. */
const { append, agents } = recordedConversation('default');
const { conversationKey, tenantId } = append;
const events = append.events.length;
/** One of another tenant, its personal data sealed. */
const sealed = recordedConversation('acme');
const sealedOnly = `stream_id = (SELECT stream_id FROM streams WHERE tenant_id = 'acme')`;
const own = `stream_id = (SELECT stream_id FROM streams WHERE tenant_id = 'default')`;
const asked = { conversation_key: conversationKey, tenant_id: tenantId, events };
const key = keyOf();

let database: FreshDatabase;
let engine: EventStore;
let console: TestConsole;
let owner: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  engine = await openStore('latch_orchestrator', 'clear');
  await engine.saveConfigVersions(agents);
  await keep(engine, append);
  const sealing = await openStore('latch_orchestrator', testKeyRing);
  await keep(sealing, sealed.append);
  await sealing.close();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`SELECT set_config('app.tenants', '{*}', false)`);
  await owner.query('ALTER TABLE events DISABLE TRIGGER USER');
  console = await openTestConsole({ openStore: () => openStore('latch_console', testKeyRing) });
}, 60_000);
afterAll(async () => {
  await Promise.all([console?.close(), engine?.close(), owner?.end()]);
  await database?.drop();
});

function keyOf(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const read = readSigningKey(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

async function keep(store: EventStore, of: typeof append): Promise<void> {
  await store.inTransaction(async (tx) => {
    const { conversationKey: key, tenantId: tenant } = of;
    const claim = { eventId: `claim ${key}`, consumer: 'spec', bodyDigest: '', receivedAt: tx.now };
    await tx.claim([{ ...claim, conversationKey: key, tenantId: tenant }]);
    await tx.load([key]);
    await tx.append([of]);
  });
}

function openStore(
  role: 'latch_orchestrator' | 'latch_console',
  personalData: 'clear' | typeof testKeyRing,
): Promise<EventStore> {
  const logger = createLogger({ service: 'spec', level: 'silent' });
  return openEventStore({ databaseUrl: database.url, producer: 'spec', logger, role, personalData });
}

async function answers(
  of: string = conversationKey,
): Promise<Readonly<Record<'verify' | 'rebuild' | 'redecide', unknown>>> {
  const ask = async (word: string): Promise<unknown> =>
    (await console.get(`/v1/conversations/${encodeURIComponent(of)}/${word}`)).json();
  return { verify: await ask('verify'), rebuild: await ask('rebuild'), redecide: await ask('redecide') };
}

/** What is answered while something is altered behind the store's back. */
async function altered(alter: string, putBack: string): ReturnType<typeof answers> {
  await owner.query(alter);
  try {
    return await answers();
  } finally {
    await owner.query(putBack);
  }
}

const proven = {
  verify: { ...asked, verdict: 'equal', sealed_events: 0, problem: null },
  rebuild: { ...asked, verdict: 'equal', path: null },
  redecide: { ...asked, verdict: 'equal', divergence: null },
};

describe('a conversation as it was written', () => {
  it('is proven by each word', async () => {
    expect(await answers()).toEqual(proven);
  });

  it('says up to where a seal has signed for it', async () => {
    const signed = await eventually(() =>
      engine.sealEvidence({
        key,
        maxEvents: 5_000,
        announce: () => ({ topic: 'latch.signals.v1', key: 'platform', eventId: 'e', value: '{}', headers: {} }),
      }),
    );
    expect(signed).toMatchObject({ kind: 'sealed' });
    expect(await answers()).toEqual({ ...proven, verify: { ...proven.verify, sealed_events: events } });
  });
});

describe('a conversation of which', () => {
  it('an event was edited is not what was written from that event on', async () => {
    const edited = `UPDATE events SET type = 'TurnAnswered' WHERE ${own} AND stream_version = 3`;
    const [row] = (await owner.query<{ type: string }>(`SELECT type FROM events WHERE ${own} AND stream_version = 3`))
      .rows;
    const found = await altered(edited, `UPDATE events SET type = '${row?.type}' WHERE ${own} AND stream_version = 3`);
    expect(found.verify).toMatchObject({ verdict: 'differs', problem: { kind: 'event_altered', version: 3 } });
  });

  it('the last events are gone is cut off there, and they are missed in the state', async () => {
    await owner.query(`CREATE TABLE kept AS SELECT * FROM events WHERE ${own} AND stream_version > ${events - 6}`);
    const found = await altered(
      `DELETE FROM events WHERE ${own} AND stream_version > ${events - 6}`,
      'INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM kept',
    );
    expect(found).toMatchObject({
      verify: { verdict: 'differs', events: events - 6, problem: { kind: 'stream_truncated', version: events - 5 } },
      rebuild: { verdict: 'differs' },
    });
  });

  it('the state was changed is whole, but that is not the fold of its events: the path says where', async () => {
    await owner.query(`CREATE TABLE state_kept AS SELECT state FROM conversations WHERE ${own}`);
    const found = await altered(
      `UPDATE conversations SET state = jsonb_set(state::jsonb, '{status}', '"EXECUTING"') WHERE ${own}`,
      `UPDATE conversations SET state = (SELECT state FROM state_kept) WHERE ${own}`,
    );
    expect(found).toEqual({
      ...proven,
      verify: expect.objectContaining({ verdict: 'equal' }),
      rebuild: { ...asked, verdict: 'differs', path: '$.status' },
    });
  });

  it('the configuration is gone cannot be decided again, and says so', async () => {
    await owner.query('CREATE TABLE configs_kept AS SELECT * FROM config_versions');
    const found = await altered(
      'DELETE FROM config_versions',
      'INSERT INTO config_versions SELECT * FROM configs_kept',
    );
    expect(found.redecide).toMatchObject({ verdict: 'differs', divergence: { version: 1, reason: 'config_unknown' } });
  });
});

describe('a sealed conversation', () => {
  const { conversationKey: key } = sealed.append;

  it('is proven as one in the clear is', async () => {
    expect(await answers(key)).toMatchObject({ verify: { verdict: 'equal' }, rebuild: { verdict: 'equal' } });
  });

  it('whose state was altered so that it does not open is told apart: its events are whole, the state is not their fold', async () => {
    const flip = `UPDATE conversations SET sealed_state = set_byte(sealed_state, 40, get_byte(sealed_state, 40) # 1) WHERE ${sealedOnly}`;
    const before = await answers(key);
    await owner.query(flip);
    expect(await answers(key)).toEqual({
      ...before,
      rebuild: { ...Object(before.rebuild), verdict: 'differs', path: '$' },
    });
    await owner.query(flip);
    expect(await answers(key)).toEqual(before);
  });

  it('of which an event was altered so that it does not open can be neither folded nor decided', async () => {
    const flip = `UPDATE events SET record = set_byte(record, length(record) - 2, get_byte(record, length(record) - 2) # 1) WHERE ${sealedOnly} AND stream_version = 5`;
    await owner.query(flip);
    expect(await answers(key)).toMatchObject({
      verify: { verdict: 'differs', problem: { kind: 'event_altered', version: 5 } },
      rebuild: { verdict: 'unreadable', path: null },
      redecide: { verdict: 'unreadable', divergence: null },
    });
    await owner.query(flip);
  });
});

describe('a conversation that is not there', () => {
  it('is unknown to each word', async () => {
    const unknown = { status: 404, code: 'conversation.unknown' };
    expect(await answers('default:retail_orders:never')).toMatchObject({
      verify: unknown,
      rebuild: unknown,
      redecide: unknown,
    });
  });
});
