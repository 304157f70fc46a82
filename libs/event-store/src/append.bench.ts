import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type BusMessage, ConversationKey } from '@latch/contracts';
import { createLogger } from '@latch/observability';
import { v7 as newUuid } from 'uuid';
import { type ConversationAppend } from './conversation-append.ts';
import { type EventStore } from './event-store.ts';
import { openEventStore } from './open-event-store.ts';
import { migrate } from './migrate.ts';

/**
 * Measures whole batches against a real Postgres, as the orchestrator makes them: claim, forget, load, append (3 events, 1 turn, 1 transaction, 2 messages and a
 * snapshot of 2 KB per conversation). Run by hand, with an empty database: `node libs/event-store/dist/append.bench.js postgres://... [seconds per size] [clear]`: personal data sealed, or in the clear.
 */
const [databaseUrl = '', seconds = '4', personal = 'sealed'] = process.argv.slice(2);
const eventsPerTurn = 3;

await migrate(databaseUrl);
const logger = createLogger({ service: 'append-bench' });
const personalData =
  personal === 'clear' ? personal : { current: 'bench', keys: new Map([['bench', randomBytes(32)]]) };
const store = await openEventStore({
  databaseUrl,
  producer: 'bench',
  logger,
  role: 'latch_orchestrator',
  personalData,
});
for (const size of [1, 16, 64]) await measure(store, size);
await store.close();

async function measure(target: EventStore, size: number): Promise<void> {
  const keys = Array.from({ length: 256 }, () => ConversationKey.parse(`bench:agent:${newUuid()}`));
  let published: readonly string[] = [];
  const batchAt = async (index: number): Promise<void> => {
    const batch = Array.from({ length: size }, (_, offset) => keys[(index * size + offset) % keys.length]);
    published = await appendBatch(
      target,
      batch.flatMap((key) => key ?? []),
      published,
    );
  };
  for (let index = 0; index < 256 / size + 8; index += 1) await batchAt(index);
  const times: number[] = [];
  const begin = performance.now();
  const cpu = process.cpuUsage();
  for (let index = 0; performance.now() - begin < Number(seconds) * 1000; index += 1) {
    const from = performance.now();
    await batchAt(index);
    times.push(performance.now() - from);
  }
  report({ size, times, elapsedMs: performance.now() - begin, cpuMicros: process.cpuUsage(cpu) });
}

async function appendBatch(
  target: EventStore,
  keys: readonly ConversationKey[],
  published: readonly string[],
): Promise<readonly string[]> {
  const messages = keys.map((conversationKey) => ({
    eventId: newUuid(),
    consumer: 'bench',
    conversationKey,
    tenantId: 'bench',
    bodyDigest: 'd'.repeat(64),
    receivedAt: new Date().toISOString(),
  }));
  return target.inTransaction(async (tx) => {
    await tx.claim(messages);
    await tx.forgetPublished(published);
    const loaded = await tx.load(keys);
    const decided = keys.map((key) => decide(key, loaded.get(key)?.version ?? 0, tx.now));
    await tx.append(decided);
    return decided.flatMap(({ outgoing }) => outgoing.map(({ eventId }) => eventId));
  });
}

function decide(key: ConversationKey, expectedVersion: number, now: string): ConversationAppend {
  const turnId = newUuid();
  const outgoing = [messageOf(key), messageOf(key)];
  return {
    conversationKey: key,
    tenantId: 'bench',
    agentId: 'agent',
    sessionId: 'session',
    expectedVersion,
    configDigest: 'c'.repeat(64),
    state: { text: 'x'.repeat(2000) },
    events: Array.from({ length: eventsPerTurn }, () => ({
      eventId: newUuid(),
      type: 'TurnReceived',
      payload: { text: 'quero cancelar pedido', values: { order_id: 'PED-1001' }, filler: 'y'.repeat(300) },
      occurredAt: now,
      causationId: turnId,
      messageId: 'message',
      transactionId: key,
      traceId: turnId,
    })),
    turns: [{ turnId, messageId: 'm', bodyDigest: 'd'.repeat(64), status: 'done', response: outgoing[0]?.value ?? '' }],
    transactions: [transactionOf(key, now)],
    invocations: [],
    deadline: { transactionId: key, rev: 1, at: now },
    outgoing,
  };
}

function transactionOf(key: string, now: string): ConversationAppend['transactions'][number] {
  return {
    id: key,
    tool: 'tool',
    status: 'COLLECTING_PARAMETERS',
    rev: 1,
    arguments: { order_id: 'PED-1001' },
    items: [{ id: 'PED-1001', label: 'PED-1001', outcome: null }],
    outcome: null,
    startedAt: now,
    endedAt: null,
  };
}

function messageOf(key: string): BusMessage {
  const eventId = newUuid();
  const value = JSON.stringify({ event_id: eventId, payload: { text: 'z'.repeat(700) } });
  return { topic: 'latch.responses.v1', key, eventId, value, headers: { ce_id: eventId, ce_specversion: '1.0' } };
}

function report(of: {
  readonly size: number;
  readonly times: readonly number[];
  readonly elapsedMs: number;
  readonly cpuMicros: { readonly user: number; readonly system: number };
}): void {
  const sorted = of.times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  const turns = of.times.length * of.size;
  const perSecond = (turns / of.elapsedMs) * 1000;
  logger.info('bench.measured', {
    conversations_per_batch: of.size,
    turns_per_second: Math.round(perSecond),
    events_per_second: Math.round(perSecond * eventsPerTurn),
    batch_p50_ms: at(0.5),
    batch_p99_ms: at(0.99),
    app_cpu_ms_per_turn: ((of.cpuMicros.user + of.cpuMicros.system) / 1000 / turns).toFixed(3),
  });
}
