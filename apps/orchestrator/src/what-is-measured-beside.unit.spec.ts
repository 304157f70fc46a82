import { describe, expect, it } from '@jest/globals';
import { conversationKeyOf } from '@latch/contracts';
import { type StoredConversation, type StoredEvent } from '@latch/event-store';
import { createLogger, createMetrics } from '@latch/observability';
import { eventually } from '@latch/testing';
import { type ConversationState, initialState, type TransactionEvent } from '@latch/transaction';
import { startFoldChecks } from './check-folds.ts';
import { startMeasuringTransactions } from './measure-transactions.ts';
import { conversationWith } from './engine-on-postgres.features.ts';
import { type DecidedTurn, runTurn } from './run-turn.ts';
import { sampleAgent } from './sample-platform.features.ts';

const logger = createLogger({ service: 'orchestrator', level: 'silent' });

function metricsOf(): ReturnType<typeof createMetrics> {
  return createMetrics({ service: 'orchestrator', version: 'test' });
}

describe('the count of open transactions', () => {
  it('has every open status, also those without any, and outlives a store that is away', async () => {
    const metrics = metricsOf();
    const answers = [new Map([['EXECUTING', 2]]), null, new Map([['INTERRUPTED', 1]])];
    const stop = startMeasuringTransactions({
      store: {
        countOpenTransactions: () => {
          const answer = answers.length > 1 ? answers.shift() : answers[0];
          return answer ? Promise.resolve(answer) : Promise.reject(new Error('away'));
        },
      },
      metrics,
      logger,
      everyMs: 5,
    });
    await eventually(async () => {
      const text = await metrics.render();
      expect(text).toContain('latch_transactions_active{status="INTERRUPTED",service="orchestrator"} 1');
      expect(text).toContain('latch_transactions_active{status="EXECUTING",service="orchestrator"} 0');
    });
    await stop();
  });
});

describe('the check of stored states', () => {
  /** Checks one conversation: what was decided about its first message, with the state that is stored. */
  async function checked(stored: {
    readonly change?: Partial<ConversationState>;
    readonly isErased?: boolean;
  }): Promise<string> {
    const { work, events, after } = await decidedTurn();
    const metrics = metricsOf();
    let isLookedAt = false;
    const checks = startFoldChecks({
      store: {
        readConversation: () => Promise.resolve(storedConversation({ ...after, ...stored.change }, events.length)),
        readEvents: () => {
          isLookedAt = true;
          return Promise.resolve(events.map((event) => storedEvent(event, stored.isErased === true)));
        },
      },
      metrics,
      logger,
      everyMs: 2,
    });
    checks.note(work.identity);
    await eventually(() => expect(isLookedAt).toBe(true));
    await checks.stop();
    return metrics.render();
  }

  it('finds a state that is the fold of its events in order', async () => {
    expect(await checked({})).toContain('latch_fold_mismatch_total{service="orchestrator"} 0');
  });

  it('counts one that is not', async () => {
    const text = await checked({ change: { clarifications: 7 } });
    expect(text).toContain('latch_fold_mismatch_total{service="orchestrator"} 1');
  });

  it('says nothing about events of which a part was erased', async () => {
    const text = await checked({ change: { clarifications: 7 }, isErased: true });
    expect(text).toContain('latch_fold_mismatch_total{service="orchestrator"} 0');
  });
});

async function decidedTurn(): Promise<DecidedTurn> {
  const work = conversationWith('retail_orders').says('quero cancelar pedido');
  const [agent, at] = [await sampleAgent('retail_orders'), '2026-11-30T12:00:00.000Z'];
  return runTurn({ work, before: initialState(work.identity), agent, at });
}

const place = {
  streamId: 'stream',
  createdAt: '2026-11-30T12:00:00.000Z',
  updatedAt: '2026-11-30T12:00:00.000Z',
  configDigest: null,
  headHash: 'h',
  deadline: null,
};

function storedConversation(state: ConversationState, version: number): StoredConversation {
  const { tenantId, agentId, sessionId, conversationKey } = state;
  return { ...place, tenantId, agentId, sessionId, conversationKey, state, version };
}

function storedEvent(event: TransactionEvent, isErased: boolean): StoredEvent {
  return {
    streamId: 'stream',
    conversationKey: conversationKeyOf({ tenant_id: 'default', agent_id: 'a', session_id: 's' }),
    tenantId: 'default',
    version: 1,
    eventId: 'e',
    type: event.type,
    payload: event,
    ...(isErased && { isErased }),
    payloadText: '',
    occurredAt: '2026-11-30T12:00:00.000Z',
    causationId: null,
    messageId: null,
    transactionId: null,
    traceId: 't',
    hash: 'h',
  };
}
