import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BusMessage,
  ConversationKey,
  EvaluationResult,
  EventEnvelope,
  RetryableError,
  TerminalError,
  type ToolResult,
  topics,
} from '@latch/contracts';
import { type EventStore, migrate, openEventStore } from '@latch/event-store';
import { MemoryBus, type Received, toBusMessage } from '@latch/messaging';
import { createLogger, type RunningService } from '@latch/observability';
import { eventually, freshDatabase, type FreshDatabase, testDataKey, testKeyRing } from '@latch/testing';
import { v7 as newUuid } from 'uuid';
import { evaluatorSettings } from './config.ts';
import { type EvaluationStore, openEvaluationStore } from './evaluation-store.ts';
import { judgeBatch, judgeOverdue, type Judging } from './judge-turns.ts';
import { startEvaluator } from './start.ts';
import { answerEnvelope, approvalOf, partialResult, received, responseTo, resultEnvelope } from './turn.features.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });
let database: FreshDatabase;
let store: EvaluationStore;
let engine: EventStore;
let published: BusMessage[];
let judging: Judging;
let key: string;

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  store = await openEvaluationStore(database.url, logger, testKeyRing);
  engine = await openEventStore({
    databaseUrl: database.url,
    producer: 'orchestrator',
    logger,
    role: 'latch_orchestrator',
  });
});
afterAll(async () => {
  await Promise.all([store.close(), engine.close()]);
  await database.drop();
});
beforeEach(() => {
  key = `default:telecom_contas:${newUuid()}`;
  published = [];
  const publish = async (messages: readonly BusMessage[]): Promise<void> => {
    published.push(...messages);
    await Promise.resolve();
  };
  judging = { store, approvals: engine, logger, bus: { publish } };
});

/** One tool call that was approved and executed, and the answer that reports it. */
async function executedTurn() {
  const result = partialResult({ transaction_id: `transaction-${key}`, invocation_id: newUuid() });
  await approve(result);
  const resultId = newUuid();
  const answer = answerEnvelope(responseTo(result), { causedBy: resultId, key });
  return { answer: received(answer), result: received(resultEnvelope(result, { eventId: resultId, key })) };
}

async function approve(result: ToolResult): Promise<void> {
  const conversationKey = ConversationKey.parse(key);
  const common = { conversationKey, tenantId: 'default' } as const;
  await engine.inTransaction(async (tx) => {
    const message = { ...common, eventId: newUuid(), consumer: 'spec', bodyDigest: '', receivedAt: tx.now };
    await tx.claim([message]);
    await tx.load([conversationKey]);
    const invocations = [approvalOf(result, key)];
    await tx.append([{ ...nothingDecided, ...common, invocations }]);
  });
}

const nothingDecided = {
  agentId: 'telecom_contas',
  sessionId: 's-1',
  expectedVersion: 0,
  configDigest: null,
  state: {},
  events: [],
  turns: [],
  transactions: [],
  deadline: null,
  outgoing: [],
} as const;

function evaluations(): readonly EvaluationResult[] {
  return published.map(({ value }) => EvaluationResult.parse(EventEnvelope.parse(JSON.parse(value)).payload));
}

describe('an answer and the tool result that it reports', () => {
  it('are joined when they come in one batch', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [result, answer]);
    expect(evaluations()).toMatchObject([{ verdict: 'pass', conversation_key: key }]);
    expect(evaluations()[0]?.evidence).toEqual([answer.envelope.event_id, result.envelope.event_id]);
  });

  it('are joined when the result comes first, in a batch of its own', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [result]);
    expect(published).toEqual([]);
    await judgeBatch(judging, [answer]);
    expect(evaluations()).toMatchObject([{ verdict: 'pass' }]);
  });

  it('are joined when the answer comes first, over a restart', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [answer]);
    expect(published).toEqual([]);
    const restarted = await openEvaluationStore(database.url, logger, testKeyRing);
    await judgeBatch({ ...judging, store: restarted }, [result]);
    expect(evaluations()).toMatchObject([{ verdict: 'pass' }]);
    await restarted.close();
  });

  it('are told on the evaluations topic, keyed by run, under the id of the result', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [answer, result]);
    const [evaluation] = evaluations();
    expect(published).toMatchObject([
      { topic: topics.evaluations, key: 'online:default:telecom_contas', eventId: evaluation?.result_id },
    ]);
    expect(EventEnvelope.parse(JSON.parse(published[0]?.value ?? ''))).toMatchObject({
      event_type: 'IC.EVALUATION_COMPLETED',
      causation_id: answer.envelope.event_id,
      trace_id: 'trace-1',
    });
  });
});

describe('a redelivery', () => {
  it('repeats the same evaluation and adds none', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [answer, result]);
    await judgeBatch(judging, [answer, result]);
    await judgeBatch(judging, [answer]);
    expect(new Set(published.map(({ value }) => value)).size).toBe(1);
    expect(await store.list({ tenantId: 'default', conversationKey: key, limit: 10 })).toHaveLength(1);
    expect(await store.waitingIn([{ tenant_id: 'default', conversation_key: key }])).toEqual([]);
  });

  it('after a failed publish leads to the evaluation, even when only the evidence comes again', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [answer]);
    const broken: Judging = { ...judging, bus: { publish: () => Promise.reject(new RetryableError('bus away')) } };
    await expect(judgeBatch(broken, [result])).rejects.toThrow('bus away');
    await judgeBatch(judging, [result]);
    expect(evaluations()).toMatchObject([{ verdict: 'pass' }]);
  });
});

describe('an answer whose evidence does not come', () => {
  it('is judged without it when it has waited long enough, and fails when it claims an outcome', async () => {
    const { answer } = await executedTurn();
    await judgeBatch(judging, [answer]);
    await judgeOverdue(judging, { waitMs: 3_600_000, limit: 64 });
    expect(published).toEqual([]);
    await judgeOverdue(judging, { waitMs: -1_000, limit: 64 });
    expect(evaluations()).toMatchObject([{ verdict: 'fail', scores: [{ metric: 'tool_correctness', score: 0 }, {}] }]);
  });

  it('gets nothing from another tenant or conversation, whatever ids that one names', async () => {
    const { answer, result } = await executedTurn();
    const foreign = { ...result, envelope: { ...result.envelope, tenant_id: 'rival', conversation_key: 'rival:a:s' } };
    await judgeBatch(judging, [foreign, answer]);
    expect(published).toEqual([]);
  });
});

describe('an answer that cannot be judged', () => {
  const unreadable = (): Received => {
    const answer = answerEnvelope(responseTo(undefined), { causedBy: 'turn-1', key });
    return received({ ...answer, payload: { text: 7 } });
  };

  it('is not kept, and its conversation and the others of its batch go on', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [unreadable(), answer, result]);
    expect(evaluations()).toMatchObject([{ verdict: 'pass' }]);
    expect(await store.waitingIn([{ tenant_id: 'default', conversation_key: key }])).toEqual([]);
  });

  it('and was kept before does not hold up its conversation', async () => {
    await store.remember([], [unreadable().envelope]);
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [answer]);
    await judgeBatch(judging, [result]);
    expect(evaluations()).toMatchObject([{ verdict: 'pass' }]);
  });

  it('and was kept before does not hold up the sweep of all tenants: it is set aside', async () => {
    await store.remember([], [unreadable().envelope]);
    const { answer } = await executedTurn();
    await store.remember([], [answer.envelope]);
    await judgeOverdue(judging, { waitMs: -1_000, limit: 64 });
    expect(evaluations().filter(({ conversation_key }) => conversation_key === key)).toMatchObject([
      { verdict: 'fail' },
    ]);
    expect(await judgeOverdue(judging, { waitMs: -1_000, limit: 64 })).toBe(0);
  });

  it('alone because the bus does not take its evaluation is set aside, and the others are told', async () => {
    const { answer, result } = await executedTurn();
    const other = received(answerEnvelope(responseTo(undefined), { causedBy: 'turn-1', key }));
    const publish = async (messages: readonly BusMessage[]): Promise<void> => {
      const isTooLarge = messages.some(({ value }) => value.includes(`"causation_id":"${other.envelope.event_id}"`));
      if (isTooLarge) throw new TerminalError('too large', { code: 'message.invalid' });
      await judging.bus.publish(messages);
    };
    await judgeBatch({ ...judging, bus: { publish } }, [other, answer, result]);
    expect(evaluations()).toMatchObject([{ verdict: 'pass' }]);
    expect(await store.waitingIn([{ tenant_id: 'default', conversation_key: key }])).toEqual([]);
  });
});

describe('old evidence', () => {
  it('is deleted, and what is younger is kept', async () => {
    const { answer, result } = await executedTurn();
    await judgeBatch(judging, [result]);
    await store.forgetEvidenceBefore(new Date(Date.now() - 3_600_000));
    expect(await store.evidenceFor([answer.envelope])).toHaveLength(1);
    await store.forgetEvidenceBefore(new Date(Date.now() + 3_600_000));
    expect(await store.evidenceFor([answer.envelope])).toEqual([]);
  });
});

describe('the running service', () => {
  let service: RunningService;
  let bus: MemoryBus;

  beforeAll(async () => {
    bus = new MemoryBus({ partitions: 2, logger });
    const settings = evaluatorSettings.parse({
      DATABASE_URL: database.url,
      LATCH_DATA_KEY: testDataKey,
      LATCH_BUS: 'memory',
      LATCH_HTTP_PORT: '0',
    });
    service = await startEvaluator(settings, { bus, logger });
  });
  afterAll(async () => {
    await service.stop();
    await bus.close();
  });

  it('judges what comes over the bus and shows it', async () => {
    const { answer, result } = await executedTurn();
    await bus.publish([
      toBusMessage(topics.responses, answer.envelope),
      toBusMessage(topics.toolResults, result.envelope),
    ]);
    const shown = await eventually(async () => {
      const response = await fetch(`${service.url}/v1/evaluations?conversation_key=${encodeURIComponent(key)}`);
      const body = EvaluationResult.array().parse(await response.json());
      expect(body).toHaveLength(1);
      return body;
    });
    expect(shown).toMatchObject([{ verdict: 'pass', conversation_key: key }]);
  });

  it('tells what is wrong with a query, and that it is alive and ready', async () => {
    const wrong = await fetch(`${service.url}/v1/evaluations?limit=0`);
    expect(wrong.status).toBe(422);
    expect(await wrong.json()).toMatchObject({
      code: 'request.invalid',
      errors: [{ path: 'query.conversation_key' }, { path: 'query.limit' }],
    });
    for (const path of ['health', 'ready', 'version', 'metrics']) {
      expect((await fetch(`${service.url}/${path}`)).status).toBe(200);
    }
    const none = await fetch(`${service.url}/v1/evaluations?conversation_key=unknown`);
    expect(await none.json()).toEqual([]);
  });
});
