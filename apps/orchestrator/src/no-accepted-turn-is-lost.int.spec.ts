import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PlatformConfig, TerminalError, topics } from '@latch/contracts';
import { createLogger } from '@latch/observability';
import { eventually } from '@latch/testing';
import { startDeadlines } from './deadlines.ts';
import {
  answersIn,
  callsIn,
  conversationWith,
  startTestEngine,
  type TestEngine,
} from './engine-on-postgres.features.ts';
import { platformIn } from './sample-platform.features.ts';
import { postponeDeadline, refuseTurn } from './set-aside.ts';
import { type DeadlineWork, type Work } from './work.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.end());

const logger = createLogger({ service: 'orchestrator', level: 'silent' });
const unknownAgent = { code: 'agent.unknown', locale: 'en' } as const;

describe('a turn that cannot be handled', () => {
  it('is answered once although no agent is configured for it, and the same again when it is repeated', async () => {
    const turn = conversationWith('nobody_configured_me').says('oi');
    await expect(engine.handle([turn])).rejects.toThrow(TerminalError);
    await refuseTurn(engine, turn, unknownAgent);
    const [first, ...more] = engine.published.splice(0);
    expect(more).toEqual([]);
    expect(answersIn([first].flatMap((message) => message ?? []))[0]?.metadata).toMatchObject({
      turn_id: turn.turnId,
      error: { code: 'agent.unknown', isRetryable: false },
    });
    await engine.handle([turn]);
    expect(engine.published.splice(0)).toEqual([first]);
    expect(await engine.store.readTurn('default', turn.turnId)).toMatchObject({ status: 'done' });
  });

  it('is left alone when it was handled after all', async () => {
    const turn = conversationWith('retail_orders').says('quero cancelar pedido');
    await engine.handle([turn]);
    const [answer] = answersIn(engine.published.splice(0));
    await refuseTurn(engine, turn, unknownAgent);
    expect(answersIn(engine.published.splice(0)).filter(({ metadata }) => metadata.error)).toEqual([]);
    const stored = await engine.store.readTurn('default', turn.turnId);
    expect(stored?.response).toContain(JSON.stringify(answer?.text));
  });

  it('leaves the conversation as it was: its open question and its deadline stay', async () => {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('quero cancelar pedido')]);
    const before = await engine.store.readConversation('default', conversation.key);
    await refuseTurn(engine, conversation.says('PED-1001'), { code: 'message.unhandled', locale: 'pt-BR' });
    const after = await engine.store.readConversation('default', conversation.key);
    expect({ ...after, updatedAt: before?.updatedAt }).toEqual(before);
    engine.published.splice(0);
  });
});

describe('an answer that is too large for the bus', () => {
  it('still reaches the user, shortened, with the verdict over every item', async () => {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('onde está o pedido PED-1001')]);
    const [call] = callsIn(engine.published.splice(0));
    if (!call) throw new Error('nothing was called');
    const items = Array.from({ length: 5_000 }, (_, index) => ({
      id: `PED-${index}`,
      label: `Pedido número ${index} com um nome bastante comprido para um item de uma lista`,
      outcome: 'succeeded' as const,
      data: { success: true, note: 'x'.repeat(200) },
    }));
    await engine.handle([conversation.resultOf(call, { ok: true, data: {}, outcome: 'SUCCESS', items })]);
    const messages = engine.published.splice(0).filter(({ topic }) => topic === topics.responses);
    expect(messages).toHaveLength(1);
    expect(Buffer.byteLength(messages[0]?.value ?? '')).toBeLessThan(1_048_576);
    expect(answersIn(messages)[0]?.metadata.outcome).toBe('SUCCESS');
  });
});

describe('a deadline that cannot be handled', () => {
  it('is postponed alone, and the others of the same sweep are handled', async () => {
    const handled: string[] = [];
    const [poison, good] = await Promise.all([dueIn('poison'), dueIn('good')]);
    const postponed: DeadlineWork[] = [];
    let looks = 0;
    const stop = startDeadlines({
      store: { dueDeadlines: () => Promise.resolve((looks += 1) === 1 ? [poison, good] : []) },
      handle: (work: readonly Work[]) => {
        if (work.some(({ identity }) => identity.conversationKey === poison.conversationKey)) {
          return Promise.reject(new TerminalError('no such agent', { code: 'agent.unknown' }));
        }
        handled.push(...work.map(({ identity }) => identity.conversationKey));
        return Promise.resolve();
      },
      postpone: async (work) => {
        postponed.push(work);
        await postponeDeadline(engine.store, work);
      },
      logger,
      pollMs: 5,
      maxBatch: 64,
    });
    await eventually(() => expect(postponed).toHaveLength(1));
    await stop();
    expect(handled).toEqual([good.conversationKey]);
    const stored = await engine.store.readConversation('default', poison.conversationKey);
    expect(Date.parse(stored?.deadline?.at ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
  });

  async function dueIn(name: string) {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('quero cancelar pedido', name)]);
    const stored = await engine.store.readConversation('default', conversation.key);
    if (!stored?.deadline) throw new Error('the conversation has no deadline');
    return { ...stored, ...stored.deadline };
  }
});

describe('messages that were published', () => {
  it('are let go of when no batch follows, so that the relay does not send them a second time', async () => {
    await engine.handle([conversationWith('retail_orders').says('quero cancelar pedido')]);
    await eventually(async () => {
      expect(await engine.store.outbox.measure()).toMatchObject({ pending: 0 });
    });
  });
});

describe('a transaction that was parked before a rollout', () => {
  it('is taken up with the configuration that it started with, in another process', async () => {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('quero cancelar pedido')]);
    const stored = await engine.store.readConversation('default', conversation.key);
    const successor = await engine.restart(renamed(await platformIn(), 'Qual pedido, depois da mudança?'));
    await successor.handle([conversation.says('quero rastrear o pedido PED-1003')]);
    const [call] = callsIn(engine.published.splice(0));
    if (!call) throw new Error('nothing was called');
    await successor.handle([
      conversation.resultOf(call, { ok: true, data: { status: 'ENTREGUE' }, outcome: 'SUCCESS' }),
    ]);
    engine.published.splice(0);
    const third = await engine.restart(renamed(await platformIn(), 'Qual pedido, depois da mudança?'));
    await third.handle([conversation.says('sim')]);
    // The process before may have left its last answer for this one to publish first.
    const answer = answersIn(engine.published.splice(0)).at(-1);
    expect(answer?.metadata.transaction_status).toBe('COLLECTING_PARAMETERS');
    expect(answer?.text).not.toContain('depois da mudança');
    const resumed = await engine.store.readConversation('default', conversation.key);
    expect(resumed?.configDigest).toBe(stored?.configDigest);
  });

  function renamed(platform: PlatformConfig, userPrompt: string): PlatformConfig {
    const agent = platform.agents['retail_orders'];
    const tool = agent?.tools['retail_order_cancel'];
    const parameter = tool?.parameters['order_id'];
    if (!agent || !tool || !parameter) throw new Error('the sample configuration has changed');
    const changed = { ...tool, parameters: { ...tool.parameters, order_id: { ...parameter, userPrompt } } };
    const tools = { ...agent.tools, retail_order_cancel: changed };
    const next = { ...agent, tools, digest: 'another-configuration' };
    return { ...platform, agents: { ...platform.agents, retail_orders: next } };
  }
});
