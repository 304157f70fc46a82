import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@latch/contracts';
import { evolve, initialState, redecide, restoreState, type TransactionEvent } from '@latch/transaction';
import { callsIn, conversationWith, startTestEngine, type TestEngine } from './engine-on-postgres.features.ts';
import { sampleAgent } from './sample-platform.features.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.end());

/** A whole life: collected, validated, corrected, confirmed, executed, and a message after the end. */
async function liveThrough(conversation: ReturnType<typeof conversationWith>): Promise<void> {
  await engine.handle([conversation.says('quero cancelar pedido')]);
  await engine.handle([conversation.says('o pedido é o PED-1001')]);
  const [validation] = callsIn(engine.published.splice(0));
  if (!validation) throw new Error('nothing was validated');
  await engine.handle([conversation.resultOf(validation, { ok: true, data: { eligible: true }, outcome: 'SUCCESS' })]);
  await engine.handle([conversation.says('sim')]);
  const [execution] = callsIn(engine.published.splice(0));
  if (!execution) throw new Error('nothing was executed');
  const done = { ok: true, data: { order_id: 'PED-1001', status: 'CANCELADO' }, outcome: 'SUCCESS' } as const;
  await engine.handle([conversation.resultOf(execution, done), conversation.says('obrigado')]);
}

async function factsOf(key: string): Promise<readonly TransactionEvent[]> {
  const stored = await engine.store.readEvents({ tenantId: 'default', key, after: 0, limit: 1_000 });
  return stored.map(({ payload }) => JSON.parse(JSON.stringify(payload)));
}

describe('a conversation that was lived through', () => {
  const conversation = conversationWith('retail_orders');
  beforeAll(() => liveThrough(conversation));

  it('has a stored state that equals the fold of its events, byte for byte (invariant I6)', async () => {
    const stored = await engine.store.readConversation('default', conversation.key);
    if (!stored) throw new Error('the conversation was not stored');
    const facts = await factsOf(conversation.key);
    const start = initialState(restoreState(stored, stored.state));
    expect(canonicalJson(facts.reduce(evolve, start))).toBe(canonicalJson(stored.state));
    expect(stored.version).toBe(facts.length);
  });

  it('folds to the same state from any snapshot in between', async () => {
    const facts = await factsOf(conversation.key);
    const stored = await engine.store.readConversation('default', conversation.key);
    let snapshot = initialState(restoreState(stored ?? never(), stored?.state));
    for (const [index, fact] of facts.entries()) {
      snapshot = evolve(JSON.parse(JSON.stringify(snapshot)), fact);
      const end = facts.slice(index + 1).reduce(evolve, snapshot);
      expect(canonicalJson(end)).toBe(canonicalJson(stored?.state));
    }
  });

  it('is decided the same way again from what was recorded, byte for byte (invariant I21)', async () => {
    const agent = await sampleAgent('retail_orders');
    const stored = await engine.store.readConversation('default', conversation.key);
    const start = initialState(restoreState(stored ?? never(), stored?.state));
    expect(redecide(start, await factsOf(conversation.key), () => agent)).toBeNull();
  });
});

function never(): never {
  throw new Error('the conversation was not stored');
}
