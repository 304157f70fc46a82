import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConversationKey } from '@latch/contracts';
import { type ProjectionsReport } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { projectStream } from './project-stream.ts';

let played: PlayedStore;

beforeAll(async () => {
  played = await openPlayedStore();
  await played.keep(await playedConversation('s-1'));
}, 60_000);
afterAll(() => played.end());

/** Answers a turn as the orchestrator answers one that it does not handle: no fact is added to its conversation. */
async function answer(key: string, metadata: Readonly<Record<string, unknown>>): Promise<void> {
  const conversationKey = ConversationKey.parse(key);
  const [tenantId = '', agentId = '', sessionId = ''] = key.split(':');
  const address = { tenant_id: tenantId, agent_id: agentId, guardrails: [], judges: [] };
  const payload = { channel: 'web', session_id: key, text: 'Não consegui.', metadata: { ...address, ...metadata } };
  const response = JSON.stringify({ payload });
  await played.store.inTransaction(async (tx) => {
    const claim = { eventId: randomUUID(), consumer: 'spec', bodyDigest: '', receivedAt: tx.now };
    await tx.claim([{ ...claim, conversationKey, tenantId }]);
    const loaded = (await tx.load([conversationKey])).get(conversationKey);
    const turn = { turnId: randomUUID(), messageId: 'm-9', bodyDigest: 'd', status: 'done', response } as const;
    const conversation = { conversationKey, tenantId, agentId, sessionId, configDigest: loaded?.configDigest ?? null };
    const rows = { events: [], turns: [turn], transactions: [], invocations: [], deadline: null, outgoing: [] };
    const { version = 0, state = null } = loaded ?? {};
    await tx.append([{ ...conversation, expectedVersion: version, state, ...rows }]);
  });
}

function verify(): Promise<ProjectionsReport> {
  const configs = pinnedConfigs(played.auditor);
  return played.auditor.verifyProjections({
    read: readToolResult,
    project: (stream) => projectStream(stream, configs),
  });
}

const refusal = { error: { errorCategory: 'business', isRetryable: false, code: 'turn.overtaken', message: 'late' } };

describe('a turn that was refused without being handled', () => {
  it('is counted apart, in a conversation that goes on and in one that nothing was ever said in', async () => {
    expect(await verify()).toMatchObject({ differences: 0, refused: 0 });
    await answer('default:telecom_contas:s-1', refusal);
    await answer('default:nobody:s-2', refusal);
    expect(await verify()).toMatchObject({ differences: 0, refused: 2, streams: 2 });
  });

  it('is no shelter for an answer that claims anything: its row belongs to nothing that was said', async () => {
    await answer('default:telecom_contas:s-1', { ...refusal, transaction_id: 't-1' });
    await answer('default:telecom_contas:s-1', { transaction_status: 'COMPLETED' });
    const report = await verify();
    expect(report).toMatchObject({ differences: 2, refused: 2 });
    expect(report.places).toMatchObject([{ place: 'turns', kind: 'orphan', count: 2 }]);
  });
});
