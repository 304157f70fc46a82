import { afterEach, describe, expect, it } from '@jest/globals';
import {
  AgentState,
  Checkpoint,
  ConversationKey,
  digest,
  EventEnvelope,
  RetryableError,
  TurnId,
} from '@latch/contracts';
import { type StoredConversation, type StoredEvent, type StoredTransaction } from '@latch/event-store';
import { initialState } from '@latch/transaction';
import { type StoreReads } from '@latch/read-api';
import { openTestIngress, type TestIngress } from './test-ingress.features.ts';

const key = ConversationKey.parse('default:retail_orders:s-1');
const identity = { tenantId: 'default', agentId: 'retail_orders', sessionId: 's-1', conversationKey: key };
const state = initialState(identity);
const conversation: StoredConversation = {
  ...identity,
  streamId: '0190163d-8694-739b-aea5-966c26f8ad91',
  version: 3,
  state,
  configDigest: 'c'.repeat(64),
  headHash: 'a'.repeat(64),
  deadline: null,
  createdAt: '2026-11-30T10:00:00.000Z',
  updatedAt: '2026-11-30T10:00:05.000Z',
};
const event = (version: number): StoredEvent => ({
  streamId: conversation.streamId,
  conversationKey: key,
  tenantId: 'default',
  version,
  eventId: `e-${version}`,
  type: 'ConfirmationRequested',
  payload: { text: 'Confirma?' },
  payloadText: '{"text":"Confirma?"}',
  occurredAt: '2026-11-30T10:00:00.000Z',
  causationId: 'turn-1',
  messageId: 'm-1',
  transactionId: 't-1',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  hash: 'b'.repeat(64),
});
const transaction: StoredTransaction = {
  id: 't-1',
  tenantId: 'default',
  agentId: 'retail_orders',
  conversationKey: key,
  tool: 'retail_order_cancel',
  status: 'COMPLETED',
  rev: 1,
  arguments: { order_id: 'PED-1001' },
  items: [{ id: 'PED-1001', label: 'pedido PED-1001', outcome: 'succeeded', reason: null, protocol: 'P-9' }],
  outcome: 'SUCCESS',
  startedAt: '2026-11-30T10:00:00.000Z',
  endedAt: '2026-11-30T10:00:05.000Z',
};

describe('reading', () => {
  const opened: TestIngress[] = [];
  const get = async (path: string, store: Partial<StoreReads> = {}): Promise<Response> => {
    const ingress = await openTestIngress({ store });
    opened.push(ingress);
    return fetch(ingress.url + path);
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((ingress) => ingress.close()));
  });
  const known: Partial<StoreReads> = {
    readConversation: (tenantId, conversationKey) =>
      Promise.resolve(tenantId === 'default' && conversationKey === key ? conversation : undefined),
  };

  describe('a conversation', () => {
    it('gives its AgentState', async () => {
      const answer = await get(`/v1/conversations/${encodeURIComponent(key)}`, known);
      expect(answer.status).toBe(200);
      expect(AgentState.parse(await answer.json())).toMatchObject({
        conversation_key: key,
        transaction_status: 'IDLE',
      });
    });

    it('gives its checkpoint with version and digests', async () => {
      const answer = await get(`/v1/conversations/${key}/checkpoint`, known);
      expect(Checkpoint.parse(await answer.json())).toMatchObject({
        version: 3,
        state_digest: digest(state),
        config_digest: 'c'.repeat(64),
        updated_at: '2026-11-30T10:00:05.000Z',
      });
    });

    it('gives its events as envelopes, and names the next page when this one is full', async () => {
      const asked: unknown[] = [];
      const answer = await get(`/v1/conversations/${key}/events?after=4&limit=2`, {
        ...known,
        readEvents: (range) => {
          asked.push(range);
          return Promise.resolve([event(5), event(6)]);
        },
      });
      const envelopes = EventEnvelope.array().parse(await answer.json());
      expect(asked).toEqual([{ tenantId: 'default', key, after: 4, limit: 2 }]);
      expect(envelopes[0]).toMatchObject({
        event_type: 'IC.CONFIRMATION_REQUESTED',
        event_id: 'e-5',
        sequence: 5,
        transaction_id: 't-1',
        causation_id: 'turn-1',
        payload: { text: 'Confirma?' },
        hash: 'b'.repeat(64),
      });
      expect(answer.headers.get('link')).toBe(`</v1/conversations/${key}/events?after=6&limit=2>; rel="next"`);
    });

    it.each(['', '/events', '/checkpoint'])('that is unknown, or of another tenant, is a 404 (%s)', async (path) => {
      for (const other of ['default:retail_orders:other', 'acme:retail_orders:s-1', 'no-key-at-all']) {
        const answer = await get(`/v1/conversations/${other}${path}`, known);
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({ code: 'conversation.unknown' });
      }
    });
  });

  describe('a turn', () => {
    const turn = { turnId: TurnId.parse('turn-1'), messageId: 'm-1', bodyDigest: 'd', conversationKey: key };
    const envelope = {
      event_type: 'IC.AGENT_COMPLETED',
      timestamp: '2026-11-30T10:00:00.000Z',
      tenant_id: 'default',
      agent_id: 'retail_orders',
      session_id: 's-1',
      trace_id: 't',
      payload: { text: 'pronto', z: 1, a: 2 },
    };

    it('that is done gives the answer exactly as it was', async () => {
      const answer = await get('/v1/turns/turn-1', {
        readTurn: () => Promise.resolve({ ...turn, status: 'done', response: JSON.stringify(envelope) }),
      });
      expect(await answer.text()).toContain(
        '"status":"done","conversation_key":"default:retail_orders:s-1","message_id":"m-1","response":{"text":"pronto","z":1,"a":2}',
      );
    });

    it('that is in flight says so, and when to ask again', async () => {
      const answer = await get('/v1/turns/turn-1', {
        readTurn: () => Promise.resolve({ ...turn, status: 'in_flight', response: null }),
      });
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(await answer.json()).toMatchObject({ status: 'in_flight', response: null });
    });

    it('that is not known yet is a 404 that says to ask again', async () => {
      const answer = await get('/v1/turns/turn-1');
      expect(answer.status).toBe(404);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(await answer.json()).toMatchObject({ code: 'turn.unknown' });
    });

    it('is looked for in the tenant that is named', async () => {
      const asked: string[] = [];
      await get('/v1/turns/turn-1?tenant_id=acme', {
        readTurn: (tenantId) => {
          asked.push(tenantId);
          return Promise.resolve(undefined);
        },
      });
      expect(asked).toEqual(['acme']);
    });
  });

  describe('transactions', () => {
    it('lists them by filter, without their items', async () => {
      const asked: unknown[] = [];
      const answer = await get('/v1/transactions?status=COMPLETED&tool=x&since=2026-11-30T00:00:00Z&limit=7', {
        listTransactions: (filter) => {
          asked.push(filter);
          return Promise.resolve([transaction]);
        },
      });
      expect(asked).toEqual([
        { tenantId: 'default', status: 'COMPLETED', tool: 'x', since: '2026-11-30T00:00:00Z', limit: 7 },
      ]);
      const list = JSON.parse(await answer.text());
      expect(list).toHaveLength(1);
      expect(list[0]).toMatchObject({ transaction_id: 't-1', items_count: 1, status: 'COMPLETED' });
      expect(list[0]).not.toHaveProperty('arguments');
    });

    it('gives one with its arguments and items', async () => {
      const answer = await get('/v1/transactions/t-1', { readTransaction: () => Promise.resolve(transaction) });
      expect(await answer.json()).toMatchObject({
        transaction_id: 't-1',
        arguments: { order_id: 'PED-1001' },
        items: [{ id: 'PED-1001', outcome: 'succeeded', protocol: 'P-9' }],
      });
    });

    it('answers 404 for an unknown one', async () => {
      const answer = await get('/v1/transactions/nope');
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'transaction.unknown' });
    });
  });

  it.each([
    ['/v1/transactions?status=DONE', ['query.status']],
    ['/v1/transactions?since=yesterday&limit=0', ['query.since', 'query.limit']],
    ['/v1/transactions?statu=COMPLETED', ['query']],
    ['/v1/transactions?limit=1&limit=2', ['query.limit']],
    [`/v1/conversations/${key}/events?after=-1&limit=1e9`, ['query.after', 'query.limit']],
    ['/v1/turns/x?tenant_id=', ['query.tenant_id']],
  ])('with the query %s is refused with its problems', async (path, paths) => {
    const answer = await get(path, known);
    expect(answer.status).toBe(422);
    const problem = JSON.parse(await answer.text());
    expect(problem).toMatchObject({ code: 'request.invalid' });
    expect(problem.errors.map((one: { path: string }) => one.path)).toEqual(paths);
  });

  it('is refused with store.unavailable while the database is away; a bug is a 500 without its words', async () => {
    const away = await get('/v1/turns/x', { readTurn: () => Promise.reject(new RetryableError('down')) });
    expect(away.status).toBe(503);
    expect(await away.json()).toMatchObject({ code: 'store.unavailable' });
    const bug = await get('/v1/turns/x', { readTurn: () => Promise.reject(new Error('relation "x" does not exist')) });
    expect(bug.status).toBe(500);
    const problem = await bug.text();
    expect(problem).toContain('"code":"internal"');
    expect(problem).not.toContain('relation');
  });
});
