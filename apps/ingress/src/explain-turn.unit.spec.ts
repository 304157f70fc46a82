import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type AgentConfig,
  ConversationKey,
  type ParameterConfig,
  RetryableError,
  type ToolConfig,
  TurnExplanation,
  TurnId,
} from '@latch/contracts';
import { type StoredConversation, type StoredEvent } from '@latch/event-store';
import {
  decide,
  evolve,
  initialState,
  type TransactionEvent,
  type Understanding,
  type UserSpoke,
} from '@latch/transaction';
import { mostEvents, type StoreReads } from '@latch/read-api';
import { openTestIngress, type TestIngress } from './test-ingress.features.ts';

const key = ConversationKey.parse('default:retail_orders:s-1');
const identity = { tenantId: 'default', agentId: 'retail_orders', sessionId: 's-1', conversationKey: key };
const at = '2026-11-30T12:00:00.000Z';

const orderId: ParameterConfig = {
  name: 'order_id',
  type: 'string',
  format: null,
  label: 'o número do pedido',
  description: null,
  userPrompt: null,
  pattern: null,
  enum: null,
  minimum: null,
  maximum: null,
  default: null,
};
const cancelOrder: ToolConfig = {
  name: 'retail_order_cancel',
  description: '',
  label: 'o cancelamento',
  server: 'retail',
  enabled: true,
  operationType: 'transactional',
  requiresConfirmation: true,
  requires: ['order_id'],
  preValidation: null,
  parameters: { order_id: orderId },
  mapping: { map: {}, defaults: {}, idempotencyArgument: null },
  declaredIdempotent: false,
  reconcileTool: null,
  timeoutMs: 1_000,
  maxAttempts: 1,
};
const cancel = { intent: 'cancelar_pedido', route: 'retail', tool: 'retail_order_cancel' };
const agent: AgentConfig = {
  agentId: 'retail_orders',
  name: 'Retail',
  locale: 'pt-BR',
  timeZone: 'America/Sao_Paulo',
  tenants: [],
  channels: [],
  intents: [{ ...cancel, keywords: [], examples: [], reply: null }],
  tools: { retail_order_cancel: cancelOrder },
  domainWords: [],
  maxClarifications: 3,
  confirmationTtlSeconds: 900,
  collectionTtlSeconds: 900,
  maxParked: 2,
  digest: 'd'.repeat(64),
};
const nothingRead: Understanding = {
  confirmation: 'unclear',
  change: null,
  abandons: false,
  values: {},
  invalid: {},
  corrects: false,
  intent: null,
  hasDomainWord: false,
  retriesFailed: false,
  resumes: false,
  readings: [],
};

function said(messageId: string, text: string, read: Partial<Understanding>): UserSpoke {
  return {
    type: 'UserSpoke',
    turnId: TurnId.parse(`turn-${messageId}`),
    messageId,
    channel: 'web',
    userId: 'ana',
    text,
    inputs: null,
    understanding: { ...nothingRead, ...read },
    businessContext: {},
    sources: { toolArguments: {}, context: {}, metadata: {} },
    at,
    traceId: 'trace-1',
  };
}

/** What is stored after "quero cancelar pedido" and "o pedido é o PED-1001". */
function storedFacts(): readonly TransactionEvent[] {
  const wish = {
    intent: 'cancelar_pedido',
    tool: cancelOrder.name,
    score: 0.9,
    isClear: true,
    values: {},
    runnerUp: null,
  };
  const first = decide(initialState(identity), said('m-1', 'quero cancelar pedido', { intent: wish }), agent);
  const state = first.reduce(evolve, initialState(identity));
  const values = { order_id: 'PED-1001' };
  return [...first, ...decide(state, said('m-2', 'o pedido é o PED-1001', { values }), agent)];
}

const facts = storedFacts();
const conversation: StoredConversation = {
  ...identity,
  streamId: '0190163d-8694-739b-aea5-966c26f8ad91',
  version: facts.length,
  headHash: 'a'.repeat(64),
  deadline: null,
  state: facts.reduce(evolve, initialState(identity)),
  configDigest: agent.digest,
  createdAt: at,
  updatedAt: at,
};

function stored(fact: TransactionEvent, index: number): StoredEvent {
  return {
    streamId: conversation.streamId,
    conversationKey: key,
    tenantId: 'default',
    version: index + 1,
    eventId: `e-${index}`,
    type: fact.type,
    payload: fact,
    payloadText: JSON.stringify(fact),
    occurredAt: at,
    causationId: null,
    messageId: null,
    transactionId: null,
    traceId: 'trace-1',
    hash: 'b'.repeat(64),
  };
}

const answer = {
  event_type: 'IC.AGENT_COMPLETED',
  timestamp: at,
  tenant_id: 'default',
  agent_id: 'a',
  session_id: 's',
  trace_id: 't',
};
const known: Partial<StoreReads> = {
  readConversation: (tenantId, asked) =>
    Promise.resolve(tenantId === 'default' && asked === key ? conversation : undefined),
  readEvents: ({ after, limit }) => Promise.resolve(facts.map(stored).slice(after, after + limit)),
  readConfigVersion: (digest) => Promise.resolve(digest === agent.digest ? agent : undefined),
  readTurn: () =>
    Promise.resolve({
      turnId: TurnId.parse('turn-m-2'),
      messageId: 'm-2',
      bodyDigest: 'd',
      conversationKey: key,
      status: 'done',
      response: JSON.stringify({ ...answer, payload: { text: 'Confirma o cancelamento?' } }),
    }),
};

describe('explaining a turn', () => {
  const opened: TestIngress[] = [];
  const get = async (path: string, store: Partial<StoreReads> = known): Promise<Response> => {
    const ingress = await openTestIngress({ store });
    opened.push(ingress);
    return fetch(ingress.url + path);
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((ingress) => ingress.close()));
  });

  it('gives its reading, the rule that won, what followed, and the words that were sent', async () => {
    const response = await get(`/v1/conversations/${encodeURIComponent(key)}/turns/m-2/explain`);
    expect(response.status).toBe(200);
    const explanation = TurnExplanation.parse(await response.json());
    expect(explanation).toMatchObject({
      contract_version: 'turn-explanation-v1',
      message_id: 'm-2',
      said: { text: 'o pedido é o PED-1001' },
      waiting_for: { kind: 'parameters', missing_parameters: ['order_id'] },
      decision: { rule: 'fills_parameter', action: 'collect_values', is_reproduced: true },
      state: { before: { status: 'COLLECTING_PARAMETERS' }, decided: { status: 'AWAITING_CONFIRMATION' } },
      reply: { text: 'Confirma o cancelamento?' },
    });
    expect(explanation.events[0]).toMatchObject({ event_type: 'IC.PARAMETERS_COLLECTED', sequence: facts.length - 2 });
  });

  it('reads a long conversation page by page, each event once', async () => {
    const asked: number[] = [];
    const response = await get(`/v1/conversations/${key}/turns/m-1/explain`, {
      ...known,
      readConversation: () => Promise.resolve({ ...conversation, version: 1_001 }),
      readEvents: ({ after, limit }) => {
        asked.push(after);
        return Promise.resolve(facts.map(stored).slice(after, after + limit));
      },
    });
    expect(response.status).toBe(200);
    expect(asked).toEqual([0, 500, 1_000]);
  });

  it.each([
    ['/v1/conversations/default:retail_orders:other/turns/m-1/explain', 'conversation.unknown'],
    ['/v1/conversations/acme:retail_orders:s-1/turns/m-1/explain', 'conversation.unknown'],
    [`/v1/conversations/${key}/turns/m-9/explain`, 'turn.unknown'],
  ])('answers 404 for %s', async (path, code) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code });
  });

  it('answers 404 when the configuration that decided it is not stored any more: it does not guess with another', async () => {
    const gone = { ...known, readConfigVersion: () => Promise.resolve(undefined) };
    const response = await get(`/v1/conversations/${key}/turns/m-2/explain`, gone);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'config.unknown' });
  });

  it('refuses a conversation that is longer than an answer can be made of', async () => {
    const long = { ...known, readConversation: () => Promise.resolve({ ...conversation, version: mostEvents + 1 }) };
    const response = await get(`/v1/conversations/${key}/turns/m-2/explain`, long);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'conversation.too_long' });
  });

  it('refuses a query that it does not know', async () => {
    const response = await get(`/v1/conversations/${key}/turns/m-2/explain?verbose=1`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'request.invalid' });
  });

  it('is refused with store.unavailable while the database is away', async () => {
    const away = { ...known, readEvents: () => Promise.reject(new RetryableError('down')) };
    expect((await get(`/v1/conversations/${key}/turns/m-2/explain`, away)).status).toBe(503);
  });
});
