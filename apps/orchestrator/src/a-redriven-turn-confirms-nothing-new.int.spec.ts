import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topics } from '@latch/contracts';
import {
  answersIn,
  callsIn,
  conversationWith,
  startTestEngine,
  type TestEngine,
} from './engine-on-postgres.features.ts';
import { type TurnWork } from './work.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.end());

type Talk = ReturnType<typeof conversationWith>;

/** A turn that died and that an operator sends again, so many seconds before or after this moment was it said. */
function redriven(turn: TurnWork, seconds: number): TurnWork {
  return { ...turn, redriven: { acceptedAt: new Date(Date.now() + seconds * 1_000).toISOString() } };
}

async function eventsOf({ key }: Talk): Promise<readonly string[]> {
  const events = await engine.store.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
  return events.map(({ type }) => type);
}

/** The question whether an order shall be canceled is open. */
async function askedToConfirm(conversation: Talk): Promise<void> {
  await engine.handle([conversation.says('quero cancelar o pedido PED-1001')]);
  const call = callsIn(engine.published.splice(0)).at(-1);
  if (!call) throw new Error('nothing was called');
  await engine.handle([conversation.resultOf(call, { ok: true, data: { eligible: true }, outcome: 'SUCCESS' })]);
  expect(await eventsOf(conversation)).toContain('ConfirmationRequested');
  engine.published.splice(0);
}

describe('a turn that died and is sent again', () => {
  it('is handled when nothing has happened since, and once, however often it is sent', async () => {
    const conversation = conversationWith('retail_orders');
    const turn = redriven(conversation.says('quero cancelar pedido'), -86_400);
    await engine.handle([turn]);
    const first = engine.published.splice(0).filter(({ topic }) => topic === topics.responses);
    const facts = await eventsOf(conversation);
    expect(facts).toContain('TransactionStarted');
    await engine.handle([turn]);
    await engine.forgetEveryClaim();
    await engine.handle([turn]);
    expect(engine.published.splice(0)).toEqual([...first, ...first]);
    expect(await eventsOf(conversation)).toEqual(facts);
  });

  it('confirms the question that it was said to', async () => {
    const conversation = conversationWith('retail_orders');
    await askedToConfirm(conversation);
    await engine.handle([redriven(conversation.says('sim'), 5)]);
    expect(callsIn(engine.published.splice(0))).toMatchObject([{ purpose: 'execution' }]);
  });

  it('confirms no question that was asked after it was said; it is answered once, and the question stays open', async () => {
    const conversation = conversationWith('retail_orders');
    await askedToConfirm(conversation);
    const facts = await eventsOf(conversation);
    const yes = redriven(conversation.says('sim'), -60);
    await engine.handle([yes]);
    const said = engine.published.splice(0);
    expect(callsIn(said)).toEqual([]);
    expect(answersIn(said)).toMatchObject([{ metadata: { turn_id: yes.turnId, error: { code: 'turn.overtaken' } } }]);
    expect(await eventsOf(conversation)).toEqual(facts);
    await engine.handle([yes]);
    expect(engine.published.splice(0)).toEqual(said);
    await engine.handle([conversation.says('sim')]);
    expect(callsIn(engine.published.splice(0))).toHaveLength(1);
  });

  it('is behind what stands before it in the same batch', async () => {
    const conversation = conversationWith('retail_orders');
    const [first, old] = [
      conversation.says('quero rastrear pedido'),
      redriven(conversation.says('quero cancelar'), -60),
    ];
    await engine.handle([first, old, conversation.says('PED-1001')]);
    const answers = answersIn(engine.published.splice(0));
    expect(answers.find(({ metadata }) => metadata.turn_id === old.turnId)).toMatchObject({
      metadata: { error: { code: 'turn.overtaken' } },
    });
    expect((await eventsOf(conversation)).filter((type) => type === 'TurnReceived')).toHaveLength(2);
  });

  it('gets the answer that it has when it was answered meanwhile: whoever was told that it failed is not told otherwise', async () => {
    const conversation = conversationWith('retail_orders');
    const turn = conversation.says('quero cancelar pedido');
    await engine.handle([turn]);
    const told = engine.published.splice(0).filter(({ topic }) => topic === topics.responses);
    await engine.handle([redriven(turn, -60)]);
    expect(engine.published.splice(0)).toEqual(told);
  });
});
