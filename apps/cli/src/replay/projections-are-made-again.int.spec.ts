import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { erasePerson, openMaintenance, type EventStore, type ProjectionsReport } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import { testKeyRing } from '@latch/testing';
import pg from 'pg';
import { historyAgents } from '../histories/history-agents.ts';
import { historyScripts } from '../histories/history-scripts.ts';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { projectStream } from './project-stream.ts';

const tables = ['transactions', 'transaction_items', 'turns', 'approved_invocations', 'tool_ledger', 'tool_attempts'];

let played: PlayedStore;
let owner: pg.Client;

beforeAll(async () => {
  played = await openPlayedStore();
  const agentOf = await historyAgents();
  for (const script of historyScripts) await played.keep(script.play(agentOf));
  await played.keep(await playedConversation('whole'));
  await played.keep(await playedConversation('other-tenant', 'acme'));
  owner = new pg.Client({ connectionString: played.url });
  await owner.connect();
  await owner.query(`SET app.tenants = '{*}'`);
  // What the scripts say of calls was never made: their ledger is the one that the events prove.
  await owner.query(`DELETE FROM tool_attempts`);
  await owner.query(`DELETE FROM tool_ledger`);
}, 120_000);
afterAll(async () => {
  await owner.end();
  await played.end();
});

async function verify(tenantId?: string, keptSince: string | null = null): Promise<ProjectionsReport> {
  const configs = pinnedConfigs(played.auditor);
  const project = (stream: Parameters<typeof projectStream>[0]): ReturnType<typeof projectStream> =>
    projectStream(stream, configs);
  const filter = tenantId === undefined ? {} : { tenantId };
  return played.auditor.verifyProjections({ ...filter, read: readToolResult, project, keptSince: () => keptSince });
}

async function rebuild(keptSince: string | null = null): ReturnType<EventStore['rebuildProjections']> {
  const configs = pinnedConfigs(played.maintenance);
  return played.maintenance.rebuildProjections({
    read: readToolResult,
    keptSince: () => keptSince,
    project: (stream) => projectStream(stream, configs),
  });
}

async function countRows(): Promise<number> {
  const counts = await Promise.all(tables.map((table) => owner.query(`SELECT count(*)::int AS n FROM ${table}`)));
  return counts.reduce((sum, { rows }) => sum + Number(rows[0].n), 0);
}

describe('the projections of every kind of conversation', () => {
  it('are what the events say; of the ledger, once it is restored', async () => {
    const before = await verify();
    expect(before.places.map(({ place }) => place)).toEqual(['tool_ledger']);
    const done = await rebuild();
    expect(done).toMatchObject({ changed: before.differences, left: 0 });
    expect(await verify()).toMatchObject({ differences: 0, erased: 0, rebuilt: before.differences });
    expect(await rebuild()).toMatchObject({ changed: 0, left: 0 });
  }, 60_000);

  it('are made again from nothing but the events, row by row', async () => {
    const rows = await countRows();
    for (const table of tables) await owner.query(`DELETE FROM ${table}`);
    expect((await verify()).places.map(({ place }) => place).sort()).toEqual([
      'approved_invocations',
      'tool_ledger',
      'transactions',
      'turns',
    ]);
    const done = await rebuild();
    expect(await countRows()).toBe(rows);
    expect(done).toMatchObject({ left: 0 });
    expect(await verify()).toMatchObject({ differences: 0 });
  }, 60_000);

  it('are not missed, nor brought back, where retention has let rows go', async () => {
    const [kept, letGo] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];
    const rows = await countRows();
    for (const table of tables.slice(2)) await owner.query(`DELETE FROM ${table}`);
    expect(await verify(undefined, letGo)).toMatchObject({ differences: 0 });
    expect((await verify(undefined, letGo)).letGo).toBeGreaterThan(0);
    expect(await rebuild(letGo)).toMatchObject({ changed: 0, left: 0 });
    expect((await verify(undefined, kept)).differences).toBeGreaterThan(0);
    await rebuild(kept);
    expect(await countRows()).toBe(rows);
  }, 60_000);

  it('are put right where they were made from the events, and an answer or approval that differs is left and counted', async () => {
    await owner.query(
      `UPDATE transactions SET outcome = 'SUCCESS', tenant_id = 'acme' WHERE outcome = 'PARTIAL_SUCCESS' AND tenant_id = 'default'`,
    );
    await owner.query(
      `UPDATE turns SET response = '{"x":1}', sealed_response = NULL WHERE turn_id = (SELECT min(turn_id) FROM turns WHERE status = 'done')`,
    );
    await owner.query(
      `UPDATE approved_invocations SET tool = 'x' WHERE invocation_id = (SELECT min(invocation_id) FROM approved_invocations)`,
    );
    const done = await rebuild();
    expect(done.changed).toBeGreaterThan(0);
    expect(done.left).toBe(2);
    const { places } = await verify();
    expect(places.map(({ place }) => place).sort()).toEqual(['approved_invocations.tool', 'turns.response']);
  }, 60_000);

  it('are compared of one tenant alone, and a row that was given to another is missed there', async () => {
    expect(await verify('acme')).toMatchObject({ streams: 1, differences: 0 });
    await owner.query(
      `UPDATE turns SET tenant_id = 'default' WHERE turn_id = (SELECT min(turn_id) FROM turns WHERE tenant_id = 'acme')`,
    );
    expect((await verify('acme')).first).toMatchObject({ kind: 'missing', table: 'turns', tenantId: 'acme' });
  }, 60_000);
});

describe('a conversation whose events do not tell', () => {
  it('is counted apart when its person was erased', async () => {
    const logger = createLogger({ service: 'spec', level: 'silent' });
    const maintenance = openMaintenance({ databaseUrl: played.url, personalData: testKeyRing, logger });
    await erasePerson(maintenance, { tenantId: 'acme', who: { userId: 'ana' }, evenIfUnderWay: true });
    await maintenance.close();
    expect(await verify('acme')).toMatchObject({ streams: 1, erased: 1, rows: 0, differences: 0 });
  }, 60_000);

  it('keeps its rows when one byte of an event was altered, and those of the others are made again', async () => {
    const stream = `(SELECT stream_id FROM streams WHERE conversation_key = 'default:telecom_contas:whole')`;
    const rows = async (): Promise<readonly unknown[]> =>
      (await owner.query(`SELECT * FROM transactions WHERE stream_id = ${stream} ORDER BY 1`)).rows;
    const { rows: altered } = await owner.query(
      `SELECT record FROM events WHERE stream_id = ${stream} AND stream_version = 3`,
    );
    // The owner of the database can do what the trigger on events refuses.
    const alter = async (record: Buffer): Promise<void> => {
      await owner.query(`SET session_replication_role = replica`);
      const text = `UPDATE events SET record = $1 WHERE stream_id = ${stream} AND stream_version = 3`;
      expect((await owner.query(text, [record])).rowCount).toBe(1);
      await owner.query(`RESET session_replication_role`);
    };
    await owner.query(`UPDATE transactions SET rev = rev + 7`);
    const before = await rows();
    expect(before.length).toBeGreaterThan(0);
    const bytes = Buffer.from(altered[0].record);
    for (const at of [5, bytes.length >> 1, bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await alter(flipped);
      expect(await rebuild()).toMatchObject({ skipped: 2, unprovable: 1 });
      expect(await rows()).toEqual(before);
      const { places } = await verify();
      const unprovable = { kind: 'unprovable', reason: 'event_altered', table: 'events', column: null };
      expect(places.map(({ kind, first }) => ({ kind, reason: first.reason }))).toContainEqual({
        ...{ kind: 'unprovable', reason: 'event_altered' },
      });
      expect(places.find(({ kind }) => kind === 'unprovable')?.first).toMatchObject(unprovable);
      expect(places.filter(({ place }) => place.startsWith('transactions'))).toEqual([]);
    }
    await alter(bytes);
    await rebuild();
    expect((await verify()).places.filter(({ place }) => place.startsWith('transactions'))).toEqual([]);
  }, 60_000);

  it('is told by the name of the error when making its rows fails, and ends nothing', async () => {
    const project = (): never => {
      throw new RangeError('a fault of ours');
    };
    const done = await played.maintenance.rebuildProjections({ read: readToolResult, project });
    expect(done).toMatchObject({ changed: 0, skipped: done.streams, unprovable: done.streams - 1 });
    const { places } = await played.auditor.verifyProjections({ read: readToolResult, project });
    expect(places.map(({ kind, first }) => [kind, first.reason])).toEqual([['unprovable', 'RangeError']]);
  }, 60_000);

  it('is no proof of its rows when its configuration is gone', async () => {
    const { rows } = await owner.query(`DELETE FROM config_versions RETURNING *`);
    expect(rows.length).toBeGreaterThan(0);
    const { places, differ } = await verify();
    expect(differ).toBeGreaterThan(10);
    expect(places.find(({ place }) => place === 'config_versions')?.first).toMatchObject({ kind: 'unprovable' });
  }, 60_000);
});
