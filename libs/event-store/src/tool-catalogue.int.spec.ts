import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabase, type FreshDatabase } from '@latch/testing';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import { migrate } from './migrate.ts';
import { silentLogger } from './store-fixture.features.ts';
import { type ObservedTool } from './tool-catalogue.ts';

let database: FreshDatabase;
let store: EventStore;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  store = await openEventStore({
    databaseUrl: database.url,
    producer: 'tool-executor',
    role: 'latch_tool_executor',
    logger: silentLogger,
  });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

let servers = 0;
const newServer = (): string => `server-${(servers += 1)}`;

function listed(tool: string, hash: string, isRead = false): ObservedTool {
  return { tool, hash, inputSchema: { title: hash }, outputSchema: null, isAcceptedOnChange: isRead };
}

describe('a tool that is seen for the first time', () => {
  it('is trusted, once, whoever of several executors sees it first', async () => {
    const server = newServer();
    const seen = await Promise.all(
      Array.from({ length: 4 }, () => store.catalogue.observe(server, [listed('a', 'h1'), listed('b', 'h1')])),
    );
    expect(
      seen
        .flat()
        .map(({ tool, kind }) => [tool, kind])
        .sort(),
    ).toEqual([
      ['a', 'first_sight'],
      ['b', 'first_sight'],
    ]);
    expect(await store.catalogue.read(server)).toMatchObject([
      { tool: 'a', observedHash: 'h1', acceptedHash: 'h1', acceptedBy: 'first_sight', outputSchema: null },
      { tool: 'b' },
    ]);
  });
});

describe('a tool whose schema changed', () => {
  it('is pending when it has an effect, and told to one executor only', async () => {
    const server = newServer();
    await store.catalogue.observe(server, [listed('cancel', 'h1')]);
    const seen = await Promise.all([
      store.catalogue.observe(server, [listed('cancel', 'h2')]),
      store.catalogue.observe(server, [listed('cancel', 'h2')]),
    ]);
    expect(seen.flat()).toEqual([{ tool: 'cancel', kind: 'pending', observedHash: 'h2', previousHash: 'h1' }]);
    expect(await store.catalogue.read(server)).toMatchObject([
      { observedHash: 'h2', acceptedHash: 'h1', inputSchema: { title: 'h2' }, acceptedInputSchema: { title: 'h1' } },
    ]);
  });

  it('is accepted at once when it is a read', async () => {
    const server = newServer();
    await store.catalogue.observe(server, [listed('look', 'h1', true)]);
    expect(await store.catalogue.observe(server, [listed('look', 'h2', true)])).toMatchObject([{ kind: 'accepted' }]);
    expect(await store.catalogue.read(server)).toMatchObject([{ acceptedHash: 'h2', acceptedBy: 'read' }]);
  });

  it('is as before when the server takes the change back', async () => {
    const server = newServer();
    for (const hash of ['h1', 'h2']) await store.catalogue.observe(server, [listed('cancel', hash)]);
    expect(await store.catalogue.observe(server, [listed('cancel', 'h1')])).toMatchObject([{ kind: 'accepted' }]);
    expect(await store.catalogue.observe(server, [listed('cancel', 'h1')])).toEqual([]);
  });

  it('is accepted by an operator, by the hash that was shown and no other', async () => {
    const server = newServer();
    for (const hash of ['h1', 'h2', 'h3']) await store.catalogue.observe(server, [listed('cancel', hash)]);
    const operator = await openEventStore({
      databaseUrl: database.url,
      producer: 'cli',
      role: 'latch_maintenance',
      logger: silentLogger,
    });
    const accept = (hash: string): Promise<boolean> =>
      operator.catalogue.accept({ server, tool: 'cancel', hash, by: 'ana' });
    expect([await accept('h2'), await accept('h3')]).toEqual([false, true]);
    expect(await operator.readAcceptedSchemas()).toContainEqual({ server, tool: 'cancel', hash: 'h3' });
    expect(await operator.catalogue.read(server)).toMatchObject([
      { acceptedBy: 'ana', acceptedInputSchema: { title: 'h3' } },
    ]);
    await operator.close();
  });
});

describe('an alarm', () => {
  const alarm = (subject: string): Parameters<EventStore['alarms']['open']>[0] => ({
    alarmId: `alarm-${subject}`,
    condition: 'NOC.MCP_SERVER_DOWN',
    subject,
    facts: { server: subject },
    raisedAt: '2026-11-30T12:00:00.000Z',
  });
  const ours = { owner: 'executor-1', leaseMs: 60_000 };

  it('is open once, whoever raises it', async () => {
    const server = newServer();
    const opened = await Promise.all([
      store.alarms.open(alarm(server), ours),
      store.alarms.open({ ...alarm(server), alarmId: 'another' }, { ...ours, owner: 'executor-2' }),
    ]);
    expect(opened.filter(Boolean)).toHaveLength(1);
  });

  it('is closed once, with what it was raised with', async () => {
    const server = newServer();
    await store.alarms.open(alarm(server), ours);
    expect(await store.alarms.close('NOC.MCP_SERVER_DOWN', server)).toEqual(alarm(server));
    expect(await store.alarms.close('NOC.MCP_SERVER_DOWN', server)).toBeUndefined();
  });

  it('stays with who raised it, and passes to a successor when that one is gone', async () => {
    const [kept, left] = [newServer(), newServer()];
    await store.alarms.open(alarm(kept), ours);
    await store.alarms.open(alarm(left), { owner: 'killed', leaseMs: 0 });
    const taken = await store.alarms.renew({ owner: 'executor-3', leaseMs: 60_000 });
    expect(taken).toContainEqual(alarm(left));
    expect(taken).not.toContainEqual(alarm(kept));
    expect(await store.alarms.renew({ owner: 'executor-3', leaseMs: 60_000 })).toEqual([]);
  });
});
