import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PlatformConfig } from '@latch/contracts';
import { createLogger } from '@latch/observability';
import { eventually } from '@latch/testing';
import { startDeadlines } from './deadlines.ts';
import { conversationWith, startTestEngine, type TestEngine } from './engine-on-postgres.features.ts';
import { platformIn } from './sample-platform.features.ts';
import { type Work, workOfDeadline } from './work.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.end());

const logger = createLogger({ service: 'orchestrator', level: 'silent' });

/** A deadline of the conversation as the sweeper would find it, whether or not it is due. */
async function deadlineOf(conversation: ReturnType<typeof conversationWith>) {
  const stored = await engine.store.readConversation('default', conversation.key);
  if (!stored?.deadline) throw new Error('the conversation has no deadline');
  return workOfDeadline({ ...stored, ...stored.deadline });
}

async function typesOf(key: string): Promise<readonly string[]> {
  const events = await engine.store.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
  return events.map(({ type }) => type);
}

describe('a question that waits for its answer', () => {
  it('has a deadline, and a wake-up before it changes nothing but the evidence', async () => {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('quero cancelar pedido')]);
    await engine.handle([await deadlineOf(conversation)]);
    expect((await typesOf(conversation.key)).at(-1)).toBe('InputIgnored');
    const stored = await engine.store.readConversation('default', conversation.key);
    expect(stored?.deadline).not.toBeNull();
  });

  it('is woken once by two replicas that sweep at the same time', async () => {
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('quero cancelar pedido')]);
    const deadline = await deadlineOf(conversation);
    const replica = await engine.restart();
    await Promise.all([engine.handle([deadline]), replica.handle([deadline]), engine.handle([deadline])]);
    const types = await typesOf(conversation.key);
    expect(types.filter((type) => type === 'InputIgnored' || type === 'DeadlineReached')).toHaveLength(1);
  });
});

describe('the sweeper', () => {
  it('hands due deadlines to the handler, survives a database that is away, and stops', async () => {
    const handled: (readonly Work[])[] = [];
    const conversation = conversationWith('retail_orders');
    await engine.handle([conversation.says('quero cancelar pedido')]);
    const stored = await engine.store.readConversation('default', conversation.key);
    if (!stored?.deadline) throw new Error('the conversation has no deadline');
    const due = { ...stored, ...stored.deadline };
    let looks = 0;
    const stop = startDeadlines({
      store: {
        dueDeadlines: () => {
          looks += 1;
          return looks === 1 ? Promise.reject(new Error('away')) : Promise.resolve(looks === 2 ? [due] : []);
        },
      },
      handle: (work) => Promise.resolve(void handled.push(work)),
      postpone: () => Promise.reject(new Error('nothing is to be postponed')),
      logger,
      pollMs: 5,
      maxBatch: 64,
    });
    await eventually(() => expect(handled).toHaveLength(1));
    await stop();
    const seen = looks;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(looks).toBe(seen);
    expect(handled[0]?.[0]).toMatchObject({ kind: 'deadline', transactionId: stored.deadline.transactionId });
  });
});

describe('several replicas that sweep the same store', () => {
  it('end each conversation whose time is up exactly once, each with one event of its end', async () => {
    const platform = await impatientPlatform();
    const replicas = await Promise.all([platform, platform, platform].map((each) => engine.restart(each)));
    const talks = Array.from({ length: 12 }, () => conversationWith('retail_orders'));
    await replicas[0]?.handle(talks.map((talk) => talk.says('quero cancelar pedido')));
    const stops = replicas.map((replica) =>
      startDeadlines({
        store: engine.store,
        handle: (work) => replica.handle(work),
        postpone: () => Promise.reject(new Error('nothing is to be postponed')),
        logger,
        pollMs: 5,
        maxBatch: 5,
      }),
    );
    await eventually(async () => {
      const states = await Promise.all(talks.map(({ key }) => engine.store.readConversation('default', key)));
      expect(states.filter((stored) => stored?.deadline !== null)).toEqual([]);
    });
    await Promise.all(stops.map((stop) => stop()));
    for (const { key } of talks) {
      const types = await typesOf(key);
      expect(types.filter((type) => type === 'DeadlineReached')).toHaveLength(1);
      expect(types.filter((type) => type === 'TransactionEnded')).toHaveLength(1);
    }
  });
});

/** Every question waits for one second only. */
async function impatientPlatform(): Promise<PlatformConfig> {
  const platform = await platformIn();
  const agents = Object.entries(platform.agents).map(([id, agent]) => {
    return [id, { ...agent, collectionTtlSeconds: 1, digest: `${id} impatient` }] as const;
  });
  return { ...platform, agents: Object.fromEntries(agents) };
}
