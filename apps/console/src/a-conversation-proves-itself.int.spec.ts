import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { type EventStore, migrate, openEventStore, readSigningKey, type SigningKey } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { eventually, freshDatabase, type FreshDatabase, recordedConversation } from '@latch/testing';
import pg from 'pg';
import { openTestConsole, type TestConsole } from './test-console.features.ts';

/** Invariants I6, I15 and I21 of one conversation, over HTTP: what each word finds, and what is another word's. */
const { append, agents } = recordedConversation('default');
const { conversationKey, tenantId } = append;
const events = append.events.length;
const asked = { conversation_key: conversationKey, tenant_id: tenantId, events };
const key = keyOf();

let database: FreshDatabase;
let engine: EventStore;
let console: TestConsole;
let owner: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  engine = await openStore('latch_orchestrator');
  await engine.saveConfigVersions(agents);
  await engine.inTransaction(async (tx) => {
    const claim = { eventId: 'claim', consumer: 'spec', bodyDigest: '', receivedAt: tx.now };
    await tx.claim([{ ...claim, conversationKey, tenantId }]);
    await tx.load([conversationKey]);
    await tx.append([append]);
  });
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`SELECT set_config('app.tenants', '{*}', false)`);
  await owner.query('ALTER TABLE events DISABLE TRIGGER USER');
  console = await openTestConsole({ openStore: () => openStore('latch_console') });
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

function openStore(role: 'latch_orchestrator' | 'latch_console'): Promise<EventStore> {
  const logger = createLogger({ service: 'spec', level: 'silent' });
  return openEventStore({ databaseUrl: database.url, producer: 'spec', logger, role, personalData: 'clear' });
}

async function answers(): Promise<Readonly<Record<'verify' | 'rebuild' | 'redecide', unknown>>> {
  const ask = async (word: string): Promise<unknown> =>
    (await console.get(`/v1/conversations/${encodeURIComponent(conversationKey)}/${word}`)).json();
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
    const sealed = await eventually(() =>
      engine.sealEvidence({
        key,
        maxEvents: 5_000,
        announce: () => ({ topic: 'latch.signals.v1', key: 'platform', eventId: 'e', value: '{}', headers: {} }),
      }),
    );
    expect(sealed).toMatchObject({ kind: 'sealed' });
    expect(await answers()).toEqual({ ...proven, verify: { ...proven.verify, sealed_events: events } });
  });
});

describe('a conversation of which', () => {
  it('an event was edited is not what was written from that event on', async () => {
    const edited = `UPDATE events SET type = 'TurnAnswered' WHERE stream_version = 3`;
    const [row] = (await owner.query<{ type: string }>('SELECT type FROM events WHERE stream_version = 3')).rows;
    const found = await altered(edited, `UPDATE events SET type = '${row?.type}' WHERE stream_version = 3`);
    expect(found.verify).toMatchObject({ verdict: 'differs', problem: { kind: 'event_altered', version: 3 } });
  });

  it('the last events are gone is cut off there, and they are missed in the state', async () => {
    await owner.query(`CREATE TABLE kept AS SELECT * FROM events WHERE stream_version > ${events - 6}`);
    const found = await altered(
      `DELETE FROM events WHERE stream_version > ${events - 6}`,
      'INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM kept',
    );
    expect(found).toMatchObject({
      verify: { verdict: 'differs', events: events - 6, problem: { kind: 'stream_truncated', version: events - 5 } },
      rebuild: { verdict: 'differs' },
    });
  });

  it('the state was changed is whole, but that is not the fold of its events: the path says where', async () => {
    await owner.query('CREATE TABLE state_kept AS SELECT state FROM conversations');
    const found = await altered(
      `UPDATE conversations SET state = jsonb_set(state::jsonb, '{status}', '"EXECUTING"')`,
      'UPDATE conversations SET state = (SELECT state FROM state_kept)',
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
