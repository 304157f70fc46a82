import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { canonicalJson, Checkpoint, ConversationKey, EvidenceBundle, Problem } from '@latch/contracts';
import {
  type StoredConversation,
  type StoredEvent,
  type StoredStream,
  type StoredTransaction,
} from '@latch/event-store';
import { type StoreReads } from '@latch/read-api';
import { openTestIngress, type TestIngress } from './test-ingress.features.ts';

/** A conversation that the real engine led: collected, confirmed, done, and a word of thanks. */
const stream = recordedStream();
const { conversation, events } = stream;
const path = `/v1/conversations/${encodeURIComponent(conversation.conversationKey)}/state`;

function recordedStream(): StoredStream {
  const file = new URL('../../../contracts/histories/0.1.0/completed.jsonl', import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const [heading, ...rest] = lines.map((line) => JSON.parse(line));
  const { streamId, tenantId, agentId, sessionId } = heading.conversation;
  const conversationKey = ConversationKey.parse(heading.conversation.conversationKey);
  const told: StoredEvent[] = rest.slice(0, -1).map((event) => ({
    ...event,
    ...{ streamId, tenantId, conversationKey, payloadText: canonicalJson(event.payload) },
  }));
  const { version, headHash, configDigest, state } = rest.at(-1);
  const times = { createdAt: told[0]?.occurredAt ?? '', updatedAt: told.at(-1)?.occurredAt ?? '' };
  const stored: StoredConversation = {
    ...{
      streamId,
      tenantId,
      agentId,
      sessionId,
      conversationKey,
      version,
      headHash,
      configDigest,
      state,
      deadline: null,
    },
    ...times,
  };
  return { conversation: stored, events: told };
}

const opened: TestIngress[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((ingress) => ingress.close()));
});

async function get(where: string, over: Partial<StoreReads> = {}): Promise<Response> {
  const store: Partial<StoreReads> = {
    readConversation: (tenantId, key) =>
      Promise.resolve(tenantId === 'default' && key === conversation.conversationKey ? conversation : undefined),
    streams: { one: (tenantId) => Promise.resolve(tenantId === 'default' ? stream : undefined) },
    ...over,
  };
  const ingress = await openTestIngress({ store });
  opened.push(ingress);
  return fetch(ingress.url + where);
}

describe('the state of a conversation at a version', () => {
  it('is the state that it was in after that event', async () => {
    const statuses: [number, string][] = [];
    for (const at of [0, 4, 11, 14, 19]) {
      const answer = await get(`${path}?at=${at}`);
      const checkpoint = Checkpoint.parse(await answer.json());
      expect(checkpoint.version).toBe(at);
      statuses.push([at, checkpoint.state.transaction_status]);
    }
    expect(statuses).toEqual([
      [0, 'IDLE'],
      [4, 'COLLECTING_PARAMETERS'],
      [11, 'AWAITING_CONFIRMATION'],
      [14, 'EXECUTING'],
      [19, 'IDLE'],
    ]);
  });

  it('is the latest one when no version is named, with the digest of the stored state', async () => {
    const [latest, stored] = [await get(path), await get(path.replace('/state', '/checkpoint'))];
    expect(Checkpoint.parse(await latest.json()).state_digest).toBe(Checkpoint.parse(await stored.json()).state_digest);
  });

  it('does not exist beyond the last event', async () => {
    const answer = await get(`${path}?at=${events.length + 1}`);
    expect([answer.status, Problem.parse(await answer.json()).code]).toEqual([404, 'conversation.version_unknown']);
  });

  it('is refused of a conversation that is too long to be folded at once', async () => {
    const readConversation = (): Promise<StoredConversation> => Promise.resolve({ ...conversation, version: 10_001 });
    const answer = await get(`${path}?at=4`, { readConversation });
    expect([answer.status, Problem.parse(await answer.json()).code]).toEqual([422, 'conversation.too_long']);
  });

  it('is gone where the personal data that it would hold was erased', async () => {
    const erased = events.map((event) => ({ ...event, isErased: true }));
    const streams = { one: () => Promise.resolve({ conversation, events: erased }) };
    const answer = await get(`${path}?at=4`, { streams });
    expect([answer.status, Problem.parse(await answer.json()).code]).toEqual([410, 'conversation.erased']);
  });

  it.each(['at=-1', 'at=1.5', 'at=x', 'version=3'])('is not asked for by %s', async (query) => {
    expect((await get(`${path}?${query}`)).status).toBe(422);
  });

  it('is that of no other tenant', async () => {
    const other = path.replace('default', 'other');
    expect((await get(`${other}?at=1`)).status).toBe(404);
  });
});

describe('the evidence of a transaction', () => {
  const id = events.find(({ transactionId }) => transactionId !== null)?.transactionId ?? '';
  const transaction: StoredTransaction = {
    ...{ id, tenantId: 'default', agentId: conversation.agentId, conversationKey: conversation.conversationKey },
    ...{ tool: 'retail_order_cancel', status: 'COMPLETED', rev: 1, arguments: {}, items: [], outcome: 'SUCCESS' },
    ...{ startedAt: conversation.createdAt, endedAt: conversation.updatedAt },
  };
  const known: Partial<StoreReads> = {
    readTransaction: (tenantId, wanted) =>
      Promise.resolve(tenantId === 'default' && wanted === id ? transaction : undefined),
  };

  it('is one file with the chain, the events and the chat', async () => {
    const answer = await get(`/v1/transactions/${id}/evidence`, known);
    const bundle = EvidenceBundle.parse(await answer.json());
    expect(bundle).toMatchObject({ transaction_id: id, head_hash: conversation.headHash, erased: false });
    expect(bundle.chain?.links).toHaveLength(events.length);
    expect(bundle.turns?.map(({ said }) => said)).toEqual(['quero cancelar pedido', 'o pedido é o PED-1001', 'sim']);
  });

  it('does not exist for another tenant, nor for an unknown id', async () => {
    expect((await get(`/v1/transactions/${id}/evidence?tenant_id=other`, known)).status).toBe(404);
    expect((await get('/v1/transactions/none/evidence', known)).status).toBe(404);
  });
});
