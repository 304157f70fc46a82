import { generateKeyPairSync } from 'node:crypto';
import { type PersonalData } from '@latch/config';
import { type BusMessage, ToolExecution, type ToolInvocation, type ToolResult } from '@latch/contracts';
import {
  type EventStore,
  migrate,
  openEventStore,
  readSigningKey,
  type SigningKey,
  type StoreRole,
} from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { readToolResult } from '@latch/outcome';
import { freshDatabase, testKeyRing } from '@latch/testing';
import { historyAgents } from '../histories/history-agents.ts';
import { type DomainAnswers, PlayedConversation } from '../histories/played-conversation.ts';

/** An event store of its own, sealed with a test key, with conversations that the real engine led. */
export type PlayedStore = {
  readonly url: string;
  readonly store: EventStore;
  readonly auditor: EventStore;
  readonly maintenance: EventStore;
  readonly signingKey: SigningKey;
  /** Keeps a conversation, its configurations and what its executor recorded. */
  keep(talk: PlayedConversation): Promise<void>;
  /** Signs the heads of all streams. */
  seal(): Promise<void>;
  end(): Promise<void>;
};

/** Makes a store. @param personalData how it keeps what is personal; sealed unless given. */
export async function openPlayedStore(personalData: PersonalData = testKeyRing): Promise<PlayedStore> {
  const database = await freshDatabase();
  await migrate(database.url);
  const open = (role: StoreRole): Promise<EventStore> =>
    openEventStore({
      ...{ databaseUrl: database.url, producer: 'spec', role, personalData },
      logger: createLogger({ service: 'spec', level: 'silent' }),
    });
  const [store, auditor, executor, maintenance] = await Promise.all([
    open('latch_orchestrator'),
    open('latch_auditor'),
    open('latch_tool_executor'),
    open('latch_maintenance'),
  ]);
  const signingKey = newSigningKey();
  return {
    url: database.url,
    store,
    auditor,
    maintenance,
    signingKey,
    keep: (talk) => keep(talk, store, executor),
    seal: async () => {
      const announce = (): BusMessage => ({
        ...{ topic: 'latch.signals.v1', key: '*', eventId: 'seal', value: '{}', headers: {} },
      });
      for (let isDone = false; !isDone;) {
        const outcome = await store.sealEvidence({ key: signingKey, maxEvents: 10_000, announce });
        isDone = outcome.kind === 'nothing_new';
      }
    },
    end: async () => {
      await Promise.all([store, auditor, executor, maintenance].map((one) => one.close()));
      await database.drop();
    },
  };
}

async function keep(talk: PlayedConversation, store: EventStore, executor: EventStore): Promise<void> {
  await store.saveConfigVersions(talk.configurations());
  const append = talk.append();
  const { conversationKey, tenantId } = append;
  await store.inTransaction(async (tx) => {
    const claim = { eventId: `claim-${conversationKey}`, consumer: 'spec', bodyDigest: '', receivedAt: tx.now };
    await tx.claim([{ ...claim, conversationKey, tenantId }]);
    await tx.load([conversationKey]);
    await tx.append([append]);
  });
  for (const call of talk.calls) await record(executor, call);
}

async function record(executor: EventStore, call: ToolInvocation): Promise<void> {
  const execution = executionOf(call);
  if (execution === null) return;
  const [lease, invocationId] = [{ owner: 'spec', leaseMs: 60_000 }, execution.invocation_id];
  await executor.ledger.claim([{ invocationId }], lease);
  await executor.ledger.startAttempt({ ...lease, invocationId, number: 1 });
  await executor.ledger.recordOutcome({ invocationId, owner: 'spec', execution, outgoing: [] });
}

function newSigningKey(): SigningKey {
  const pkcs8 = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const read = readSigningKey(pkcs8);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const services = ['TIM Fashion', 'Aya Audiobooks', 'Neymar Jr'];

/** What an executor records of a call to the sample servers: one of three services fails. Null: it is still running. */
function executionOf(call: ToolInvocation): ToolExecution | null {
  const content = contentOf(call);
  if (content === null) return null;
  const result = { content: [], structuredContent: content, isError: false };
  const at = { started_at: '2026-11-30T12:00:02.000Z', ended_at: '2026-11-30T12:00:02.120Z' };
  const outcome = { kind: 'result', result };
  return ToolExecution.parse({
    ...{ invocation_id: call.invocation_id, invocation: call, outcome, latency_ms: 120 },
    attempts: [{ number: 1, ...at, outcome }],
  });
}

function contentOf(call: ToolInvocation): unknown {
  if (call.purpose === 'pre_validation') {
    const resolved_arguments = { items: services.map((name) => ({ name })) };
    return { eligible: true, transaction_decision: { resolved_arguments } };
  }
  const items = call.items ?? [];
  if (items.length === 0) return { status: 'OK' };
  return {
    results: items.map(({ id }) => ({ id, name: id, success: id !== 'Neymar Jr', protocol: `P-${id}` })),
  };
}

/** Answers as the normalizer would: from what the executor recorded. */
export const recordedDomain: DomainAnswers = (call): Partial<ToolResult> | null => {
  const execution = executionOf(call);
  return execution === null ? null : readToolResult(execution);
};

/** Three services in one sentence, one of them left out, confirmed, one of the others failed; something else before and after it. */
export async function playedConversation(sessionId: string, tenantId = 'default'): Promise<PlayedConversation> {
  const agentOf = await historyAgents();
  const talk = new PlayedConversation({
    agent: agentOf('telecom_contas'),
    sessionId,
    tenantId,
    domain: recordedDomain,
  });
  return talk
    .says('não contratei TIM Music')
    .says('esquece, cancela TIM Fashion, Aya Audiobooks e Neymar Jr')
    .says('sim')
    .says('obrigado <b>mesmo</b>');
}
