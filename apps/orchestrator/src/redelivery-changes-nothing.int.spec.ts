import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventEnvelope, topics, TurnConflict } from '@latch/contracts';
import {
  answersIn,
  callsIn,
  conversationWith,
  startTestEngine,
  type TestEngine,
} from './engine-on-postgres.features.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.end());

async function eventsOf(key: string): Promise<readonly string[]> {
  const events = await engine.store.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
  return events.map(({ type }) => type);
}

type Talk = ReturnType<typeof conversationWith>;

/** The tool that was called last answers. */
async function answered(conversation: Talk, result: Parameters<Talk['resultOf']>[1]): Promise<void> {
  const call = callsIn(engine.published.splice(0)).at(-1);
  if (!call) throw new Error('nothing was called');
  await engine.handle([conversation.resultOf(call, result)]);
}

/** Asks for a cancellation that the validator allows: the question whether it shall be done is open then. */
async function askedToConfirm(conversation: Talk, order: string): Promise<void> {
  await engine.handle([conversation.says(`quero cancelar o pedido ${order}`)]);
  await answered(conversation, { ok: true, data: { eligible: true }, outcome: 'SUCCESS' });
  expect(await eventsOf(conversation.key)).toContain('ConfirmationRequested');
  engine.published.splice(0);
}

describe('a message that comes again', () => {
  it('gets the same answer, byte for byte, and is no second fact', async () => {
    const conversation = conversationWith('retail_orders');
    const turn = conversation.says('quero cancelar pedido');
    await engine.handle([turn]);
    const first = engine.published.splice(0).filter(({ topic }) => topic === topics.responses);
    const facts = await eventsOf(conversation.key);
    await engine.handle([turn]);
    const second = engine.published.splice(0);
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
    expect(await eventsOf(conversation.key)).toEqual(facts);
  });

  it('gets the same answer within one batch', async () => {
    const turn = conversationWith('retail_orders').says('quero cancelar pedido');
    await engine.handle([turn, turn]);
    const answers = engine.published.splice(0).filter(({ topic }) => topic === topics.responses);
    expect(answers).toHaveLength(2);
    expect(answers[1]?.value).toBe(answers[0]?.value);
  });

  it('is refused when its body is another one, and the first answer stays', async () => {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('quero cancelar pedido', 'm-1')]);
    engine.published.splice(0);
    const other = conversation.says('quero rastrear pedido', 'm-1');
    await engine.handle([other]);
    const [refusal] = engine.published.splice(0);
    const envelope = EventEnvelope.parse(JSON.parse(refusal?.value ?? ''));
    expect(envelope.event_type).toBe('IC.TURN_CONFLICT');
    expect(TurnConflict.parse(envelope.payload)).toMatchObject({
      turn_id: other.turnId,
      body_digest: other.bodyDigest,
    });
    const turn = await engine.store.readTurn('default', other.turnId);
    expect(turn).toMatchObject({ status: 'done', messageId: 'm-1' });
    expect(turn?.bodyDigest).not.toBe(other.bodyDigest);
  });

  it('is known for as long as its conversation is, also when the inbox has forgotten it: an old yes confirms nothing new', async () => {
    const conversation = conversationWith('retail_orders');
    await askedToConfirm(conversation, 'PED-1001');
    const yes = conversation.says('sim');
    await engine.handle([yes]);
    await answered(conversation, { ok: true, data: { success: true }, outcome: 'SUCCESS' });
    const first = engine.published.splice(0).filter(({ topic }) => topic === topics.responses);
    await askedToConfirm(conversation, 'PED-1003');
    const facts = await eventsOf(conversation.key);
    await engine.forgetEveryClaim();
    await engine.handle([yes]);
    expect(engine.published.splice(0)).toEqual(first);
    await engine.handle([conversation.says('não', yes.request.payload.message_id)]);
    expect(engine.published.splice(0).map(({ value }) => EventEnvelope.parse(JSON.parse(value)).event_type)).toEqual([
      'IC.TURN_CONFLICT',
    ]);
    expect(await eventsOf(conversation.key)).toEqual(facts);
  });

  it('starts nothing and says nothing while its tool is running', async () => {
    const conversation = conversationWith('retail_orders');
    const turn = conversation.says('onde está o pedido PED-1001');
    await engine.handle([turn]);
    const [call] = callsIn(engine.published.splice(0));
    expect(call?.tool_name).toBe('rastrear_pedido');
    await engine.handle([turn]);
    expect(engine.published.splice(0)).toEqual([]);
  });
});

describe('a tool result that comes again', () => {
  it('answers the turn once', async () => {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('onde está o pedido PED-1001')]);
    const [call] = callsIn(engine.published.splice(0));
    if (!call) throw new Error('nothing was called');
    const result = conversation.resultOf(call, {
      ok: true,
      data: { order_id: 'PED-1001', status: 'EM_TRANSITO' },
      outcome: 'SUCCESS',
    });
    await engine.handle([result]);
    expect(answersIn(engine.published.splice(0))).toHaveLength(1);
    const facts = await eventsOf(conversation.key);
    await engine.handle([result]);
    await engine.handle([{ ...result, eventId: 'another-event-id' }]);
    expect(answersIn(engine.published.splice(0))).toEqual([]);
    expect((await eventsOf(conversation.key)).slice(facts.length)).toEqual(['InputIgnored']);
  });
});

describe('a process that dies between its commit and its publish', () => {
  it('loses nothing: the redelivered message finds its claim taken and its messages are published', async () => {
    const conversation = conversationWith('retail_orders');
    const turn = conversation.says('quero cancelar pedido');
    engine.failPublishing(1);
    await expect(engine.handle([turn])).rejects.toThrow('The bus is away');
    const successor = await engine.restart();
    await successor.handle([turn]);
    const answers = engine.published.splice(0).filter(({ topic }) => topic === topics.responses);
    expect(new Set(answers.map(({ value }) => value)).size).toBe(1);
  });

  it("keeps a conversation's order: what was left goes out before the next turn's messages", async () => {
    const conversation = conversationWith('retail_orders');
    engine.failPublishing(1);
    await expect(engine.handle([conversation.says('quero cancelar pedido', 'm-1')])).rejects.toThrow();
    const successor = await engine.restart();
    await successor.handle([conversation.says('o pedido é o PED-1001', 'm-2')]);
    const published = engine.published.splice(0);
    expect(answersIn(published).map(({ metadata }) => metadata.message_id)).toEqual(['m-1']);
    expect(callsIn(published)).toHaveLength(1);
    expect(published.findIndex(({ topic }) => topic === topics.responses)).toBeLessThan(
      published.findIndex(({ topic }) => topic === topics.toolInvocations),
    );
  });

  it('is relayed when nobody speaks any more', async () => {
    const conversation = conversationWith('retail_orders');
    engine.failPublishing(1);
    await expect(engine.handle([conversation.says('quero cancelar pedido')])).rejects.toThrow();
    const pending = await engine.store.outbox.readPending({ olderThanMs: 0, limit: 500 });
    expect(answersIn(pending.filter(({ key }) => key === conversation.key))).toHaveLength(1);
  });
});
