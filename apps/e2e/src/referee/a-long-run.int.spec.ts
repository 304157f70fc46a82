import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@latch/testing';
import fc from 'fast-check';
import { type Order, orderOnce, type Ordered } from './order-once.ts';
import { type Effect, type RefereeCall, refereeServices, RefereeSystem } from './referee-system.ts';

/** A quarter of a minute; LATCH_TEST_LONG asks for any other length (jest.config.mjs). */
const minutes = Number(Reflect.get(globalThis, 'longMinutes') ?? 0.25);
const users = 6;
const seed = fc.readConfigureGlobal().seed ?? Date.now() % 1_000_000;

jest.setTimeout((minutes + 5) * 60_000);

const steps = [
  ...['fine', 'slow', 'hang', 'effect_then_slow', 'effect_then_hang', 'answer_late', 'drip', 'drop', 'wrong_id'],
  ...['http_500', 'http_502', 'http_429', 'error_text', 'rpc_internal', 'not_json', 'not_json_no_effect'],
];
const anyOrder = fc.oneof(
  fc.record({ tool: fc.constant('cancelar_uma_vez'), steps: fc.tuple(fc.constantFrom(...steps)) }),
  fc.record({
    tool: fc.constant('cancelar'),
    steps: fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 3 }),
  }),
);
const anyKill = fc.record({
  service: fc.constantFrom(...refereeServices),
  afterMs: fc.integer({ min: 1_000, max: 12_000 }),
  downMs: fc.integer({ min: 0, max: 2_000 }),
});

let system: RefereeSystem;
const ordered: Ordered[] = [];
let kills = 0;

beforeAll(async () => {
  system = await RefereeSystem.start();
  const endsAt = Date.now() + minutes * 60_000;
  await Promise.all([killUntil(endsAt), ...Array.from({ length: users }, (_, user) => orderUntil(endsAt, user))]);
});
afterAll(() => system.stop());

/** One order after the other, each in a conversation of its own. */
async function orderUntil(endsAt: number, user: number): Promise<void> {
  const orders = fc.sample(anyOrder, { seed: seed + user, numRuns: 10_000 });
  for (const [at, { tool, steps: planned }] of orders.entries()) {
    if (Date.now() >= endsAt) return;
    const order: Order = { order: `u${user}-${at}`, tool, steps: tool === 'cancelar' ? [...planned, 'fine'] : planned };
    ordered.push(await orderOnce(system, order));
  }
}

async function killUntil(endsAt: number): Promise<void> {
  for (const { service, afterMs, downMs } of fc.sample(anyKill, { seed, numRuns: 10_000 })) {
    await sleep(Math.min(afterMs, Math.max(0, endsAt - Date.now())));
    if (Date.now() >= endsAt) return;
    await system.kill(service);
    kills += 1;
    await sleep(downMs);
    await system.startService(service);
  }
}

/** What became of an order: on the disk of the referee, on its wire, and in the store once nothing runs any more. */
type Ending = Ordered & {
  readonly status: string;
  readonly effects: readonly Effect[];
  readonly calls: readonly RefereeCall[];
};

async function endings(): Promise<readonly Ending[]> {
  const statuses = await Promise.all(ordered.map(statusOf));
  const [effects, calls] = [system.effects(), (await system.calls()).filter(({ tool }) => tool !== 'consultar')];
  return ordered.map((one, at) => ({
    ...one,
    status: statuses[at] ?? '',
    effects: effects.filter(({ order }) => order === one.order),
    calls: calls.filter(({ order }) => order === one.order),
  }));
}

function statusOf({ transactionId }: Ordered): Promise<string> {
  const found = async (): Promise<string> => {
    const transaction = await system.store.readTransaction('default', transactionId);
    if (transaction === undefined || transaction.status === 'EXECUTING') throw new Error(`${transactionId} still runs`);
    return transaction.status;
  };
  return eventually(found, { timeoutMs: 90_000, everyMs: 200 });
}

describe('users of a server with random faults, with services that are killed at random', () => {
  it('have one effect at most per order, under one key, and are told the truth', async () => {
    const ends = await endings();
    process.stderr.write(`${reportOf(ends)}\n`);
    expect(ends.filter(({ effects }) => effects.length > 1)).toEqual([]);
    expect(ends.filter(({ calls }) => new Set(calls.map(({ key }) => key)).size > 1)).toEqual([]);
    expect(ends.filter(({ tool, calls }) => tool === 'cancelar_uma_vez' && calls.length > 1)).toEqual([]);
    expect(
      ends.filter(({ effects, status, told }) => effects.length === 1 && [status, told].includes('FAILED')),
    ).toEqual([]);
    expect(
      ends.filter(
        ({ effects, status, told }) => effects.length === 0 && (status === 'COMPLETED' || told === 'SUCCESS'),
      ),
    ).toEqual([]);
    expect([ends.length > users, kills > 0]).toEqual([true, true]);
  });
});

function reportOf(ends: readonly Ending[]): string {
  const count = (status: string): number => ends.filter((one) => one.status === status).length;
  const statuses = [...new Set(ends.map(({ status }) => status))].map((status) => `${status} ${count(status)}`);
  const sum = (of: (one: Ending) => number): number => ends.reduce((all, one) => all + of(one), 0);
  return [
    `referee: ${minutes} min with seed ${seed}: ${ends.length} orders (${statuses.join(', ')})`,
    `${sum(({ calls }) => calls.length)} calls, ${sum(({ effects }) => effects.length)} effects`,
    `${kills} kills, ${ends.filter(({ effects }) => effects.length > 1).length} doubles`,
  ].join('; ');
}
