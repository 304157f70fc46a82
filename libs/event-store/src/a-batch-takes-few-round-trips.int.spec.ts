import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import {
  appendOf,
  approved,
  createStoreFixture,
  event,
  messageOf,
  newKey,
  outgoing,
  silentLogger,
  type StoreFixture,
} from './store-fixture.features.ts';

let fixture: StoreFixture;
let proxy: Server;
let store: EventStore;
let roundTrips = 0;
const sockets = new Set<Socket>();

/**
 * A wire between the store and Postgres that counts round trips: the client speaks again after the server has answered. Personal data is in the clear here, so
 * that only the store's own statements are counted.
 */
beforeAll(async () => {
  fixture = await createStoreFixture();
  const target = new URL(fixture.url);
  const [port, host] = [Number(target.port), target.hostname];
  proxy = createServer((client) => {
    const server = connect(port, host);
    let hasAnswered = true;
    client.on('data', (bytes) => {
      if (hasAnswered) roundTrips += 1;
      hasAnswered = false;
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      hasAnswered = true;
      client.write(bytes);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [client, server].forEach((one) => one.destroy()));
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  target.port = String(address.port);
  store = await openEventStore({
    databaseUrl: target.toString(),
    producer: 'orchestrator',
    logger: silentLogger,
    role: 'latch_orchestrator',
    poolSize: 1,
  });
}, 60_000);
afterAll(async () => {
  await store.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
  await fixture.close();
});

/** Round trips of some work, as the connection has it: answers that come in several packets may count a pipelined flush twice. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const before = roundTrips;
  await work();
  return roundTrips - before;
}

async function batchOf(
  size: number,
): Promise<Readonly<Record<'begin' | 'claim' | 'load' | 'append' | 'commit', number>>> {
  const keys = Array.from({ length: size }, (_, index) => newKey(index % 2 === 0 ? 'a' : 'b'));
  const messages = keys.map((key) => messageOf(key));
  const appends = keys.map((key) =>
    appendOf(key, {
      events: [event(1), event(2), event(3)],
      turns: [{ turnId: `turn-${key}`, messageId: 'm', bodyDigest: 'd', status: 'done', response: '{}' }],
      invocations: [approved(key)],
      outgoing: [outgoing(key, 'one'), outgoing(key, 'two')],
    }),
  );
  let [begin, claim, load, append] = [0, 0, 0, 0];
  const start = roundTrips;
  await store.inTransaction(async (tx) => {
    begin = roundTrips - start;
    claim = await tripsOf(() => tx.claim(messages));
    load = await tripsOf(() => tx.load(keys));
    append = await tripsOf(() => tx.append(appends));
  });
  return { begin, claim, load, append, commit: roundTrips - start - begin - claim - load - append };
}

describe('the append of a whole batch', () => {
  it('takes one round trip for events, snapshots, turns, projections, calls and outbox, however many conversations there are', async () => {
    await batchOf(2); // statements are prepared once per connection
    const [small, large] = [await batchOf(2), await batchOf(64)];
    expect(small).toMatchObject({ begin: 1, load: 1, append: 1, commit: 1 });
    // A large flush leaves in several packets, and an answer may come between two of them.
    expect(large.append).toBeLessThanOrEqual(4);
    expect(large).toMatchObject({ begin: 1, commit: 1 });
    expect(large.claim).toBeLessThanOrEqual(small.claim + 3);
  });

  it('of one tenant is read in one round trip, with its scope opened', async () => {
    const key = newKey('a');
    await store.readConversation('a', key);
    expect(await tripsOf(() => store.readConversation('a', key))).toBe(1);
  });
});
