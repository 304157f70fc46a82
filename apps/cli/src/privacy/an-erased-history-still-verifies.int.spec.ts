import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EvidenceBundle } from '@latch/contracts';
import {
  applyRetention,
  type Erasure,
  erasePerson,
  type Maintenance,
  openMaintenance,
  type StoredStream,
} from '@latch/event-store';
import { makeBundle, readBundleSource, verifyBundle } from '@latch/evidence';
import { createLogger } from '@latch/observability';
import { pinnedConfigs, rebuildStream, redecideStream, replayStreams } from '@latch/replay';
import { testKeyRing } from '@latch/testing';
import pg from 'pg';
import { historyAgents } from '../histories/history-agents.ts';
import { historyScripts } from '../histories/history-scripts.ts';
import { type PlayedConversation } from '../histories/played-conversation.ts';
import { openPlayedStore, type PlayedStore } from '../replay/played-store.features.ts';
import { projectStream } from '../replay/project-stream.ts';

/** Invariants I15 and I16, for every kind of conversation that a release records: whoever is erased is gone, and what is left is evidence all the same. */
const ways: Readonly<Record<string, { readonly letGo: () => Promise<unknown>; readonly isKept: typeof isAtRest }>> = {
  'a person who was erased': { letGo: eraseEverybody, isKept: () => true },
  'personal data that was kept for as long as its tenant keeps it': {
    isKept: isAtRest,
    letGo: async () => {
      await asOwner(`UPDATE person_keys SET period = '2020-01'`);
      return applyRetention(maintenance, { defaultDays: 30, tenants: {} });
    },
  },
};

/** Retention waits for calls that are under way. */
function isAtRest(talk: PlayedConversation): boolean {
  const underWay = ['PRE_VALIDATION', 'EXECUTING', 'OUTCOME_UNKNOWN'];
  return talk.append().transactions.every(({ status }) => !underWay.includes(status));
}

let played: PlayedStore;
let maintenance: Maintenance;
let said: readonly string[];

/** Users of the histories. */
const people = ['ana', 'bruno'];

function eraseEverybody(): Promise<readonly Erasure[]> {
  const erase = (userId: string): Promise<Erasure> =>
    erasePerson(maintenance, { tenantId: 'default', who: { userId }, waitMs: 0, evenIfUnderWay: true });
  return Promise.all(people.map(erase));
}

/** What the owner of the database reads and does. */
async function asOwner<Row extends pg.QueryResultRow>(statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: played.url });
  await client.connect();
  try {
    await client.query(`SET app.tenants = '{*}'`);
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function allStreams(): Promise<readonly StoredStream[]> {
  const streams: StoredStream[] = [];
  for await (const stream of played.auditor.streams.read()) streams.push(stream);
  return streams;
}

async function bundleOf(transactionId: string): Promise<EvidenceBundle> {
  const publicKeys = [played.signingKey.publicKey];
  const source = await readBundleSource(played.auditor, { tenantId: 'default', transactionId, publicKeys });
  if (source === undefined) throw new Error(`no transaction ${transactionId}`);
  return makeBundle(source);
}

function transactionsIn(streams: readonly StoredStream[]): readonly string[] {
  const ids = streams.flatMap(({ events }) => events.flatMap(({ transactionId }) => transactionId ?? []));
  return [...new Set(ids)];
}

describe.each(Object.entries(ways))('every recorded kind of conversation, of %s', (_, { letGo, isKept }) => {
  let conversations: number;

  beforeAll(async () => {
    played = await openPlayedStore();
    maintenance = openMaintenance({
      ...{ databaseUrl: played.url, personalData: testKeyRing },
      logger: createLogger({ service: 'spec', level: 'silent' }),
    });
    const agentOf = await historyAgents();
    const talks = historyScripts.map((script) => script.play(agentOf)).filter(isKept);
    conversations = talks.length;
    expect(conversations).toBeGreaterThan(20);
    // What a configuration gives as an example of an intent is nobody's word.
    const examples = JSON.stringify(talks.flatMap((talk) => talk.configurations()));
    const sentences = talks.flatMap((talk) => talk.chat()).flatMap((line) => /^user: (.{12,})$/.exec(line)?.[1] ?? []);
    said = sentences.filter((sentence) => !examples.includes(sentence));
    for (const talk of talks) await played.keep(talk);
    await played.seal();
    await letGo();
    await played.seal();
  }, 120_000);
  afterAll(async () => {
    await maintenance.close();
    await played.end();
  });

  it('verifies: chains, heads and seals', async () => {
    const report = await played.auditor.verifyStore({ publicKeys: [played.signingKey.publicKey] });
    expect(report).toMatchObject({ isGood: true, streams: conversations, problems: [], signatures: 'checked' });
  });

  it('is folded and decided again as far as it can be, is counted as erased, and differs nowhere', async () => {
    const configs = pinnedConfigs(played.auditor);
    const streams = await allStreams();
    for (const stream of streams) await configs.load(stream);
    const rebuilt = await replayStreams(played.auditor.streams.read(), { check: rebuildStream });
    expect(rebuilt).toMatchObject({
      conversations,
      erased: conversations,
      findings: [],
    });
    const kinds = streams.map((stream) => redecideStream(stream, configs.agentOf).kind);
    expect(new Set(kinds)).toEqual(new Set(['erased']));
  });

  it('gives a bundle of each transaction that proves itself and says that it is erased', async () => {
    const ids = transactionsIn(await allStreams());
    expect(ids.length).toBeGreaterThan(20);
    for (const id of ids) {
      const text = JSON.stringify(EvidenceBundle.parse(await bundleOf(id)));
      const { findings, isGood, isErased } = verifyBundle(text, [played.signingKey.publicKey]);
      expect({ id, findings, isGood, isErased }).toEqual({ id, findings: [], isGood: true, isErased: true });
      expect(said.filter((sentence) => text.includes(sentence))).toEqual([]);
    }
  });

  it('has nothing left that a key could open: every sealed value names one that is destroyed', async () => {
    const keys = await asOwner<{ key_id: string; wrapped_key: string | null }>(
      'SELECT key_id, wrapped_key FROM person_keys',
    );
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter(({ wrapped_key }) => wrapped_key !== null)).toEqual([]);
    const destroyed = new Set(keys.map(({ key_id }) => Number(key_id)));
    const named = await keysOfSealedValues();
    expect(named.length).toBeGreaterThan(conversations);
    expect(named.filter((id) => !destroyed.has(id))).toEqual([]);
  });

  it('holds no sentence of a person in any table', async () => {
    expect(said.length).toBeGreaterThan(20);
    const dump = (await cellsOf(await tables())).map(textOf).join('\n');
    expect(said.filter((sentence) => dump.includes(sentence))).toEqual([]);
  });

  it('leaves its projections as they are when they are made anew', async () => {
    const configs = pinnedConfigs(played.auditor);
    const projections = await Promise.all((await allStreams()).map((stream) => projectStream(stream, configs)));
    expect(projections.filter((projection) => projection !== null)).toEqual([]);
  });
});

type Cell = string | Buffer;

async function tables(): Promise<readonly string[]> {
  const rows = await asOwner<{ name: string }>(
    `SELECT DISTINCT format('%I', table_name) AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name NOT IN ('config_versions', 'tool_catalogue')`,
  );
  return rows.map(({ name }) => name);
}

async function cellsOf(names: readonly string[]): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const name of names) {
    const rows = await asOwner<Record<string, unknown>>(`SELECT * FROM ${name}`);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      if (value !== null) cells.push(Buffer.isBuffer(value) ? value : JSON.stringify(value));
    }
  }
  return cells;
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.toString('utf8');
}

/** The key ids in sealed columns, in sealed text, and in the events: flags, and then six bytes of the id. */
async function keysOfSealedValues(): Promise<readonly number[]> {
  const columns = await asOwner<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name LIKE 'sealed\\_%' AND data_type = 'bytea'`,
  );
  const bytes: Buffer[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const rows = await asOwner<{ value: Buffer }>(
      `SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    bytes.push(...rows.map(({ value }) => value));
  }
  const texts = (await cellsOf(await tables())).flatMap((cell) => (typeof cell === 'string' ? sealedIn(cell) : []));
  const events = (await allStreams()).flatMap((stream) =>
    stream.events.flatMap(({ payloadText }) => sealedIn(payloadText)),
  );
  return [...bytes, ...texts, ...events].map((sealed) => sealed.readUIntBE(1, 6));
}

function sealedIn(text: string): readonly Buffer[] {
  return [...text.matchAll(/~1([\w-]{47,})/g)].map(([, sealed = '']) => Buffer.from(sealed, 'base64url'));
}
