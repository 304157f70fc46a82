import { readFileSync } from 'node:fs';
import {
  type AgentConfig,
  canonicalJson,
  type ChannelResponse,
  ConversationKey,
  deterministicId,
  type EventEnvelope,
} from '@latch/contracts';

/** Two tenants that share everything that two tenants can share: sessions, message ids, user ids, agents. `asker` asks for what is `other`'s. */
export const twoTenants = { asker: 'acme', other: 'rival' } as const;

/** The tenant of the history itself. */
const recorder = 'default';

type Tenant = (typeof twoTenants)[keyof typeof twoTenants] | typeof recorder;

/** What a tenant's data holds and nothing else does. */
export function markOf(tenant: Tenant): string {
  return tenant === recorder ? 'PED-1001' : `PED-${tenant.toUpperCase()}-77`;
}

type Fact = {
  readonly eventId: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
  readonly causationId: string | null;
  readonly messageId: string | null;
  readonly transactionId: string | null;
  readonly traceId: string;
};

type Identity = {
  readonly tenantId: Tenant;
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationKey: ConversationKey;
};

/** A conversation as an event store takes it. */
export type RecordedConversation = {
  /** The configurations that decided it. */
  readonly agents: readonly AgentConfig[];
  readonly append: Identity & {
    readonly expectedVersion: number;
    readonly configDigest: string;
    readonly state: unknown;
    readonly events: readonly Fact[];
    readonly turns: readonly ReturnType<typeof answeredTurn>[];
    readonly transactions: readonly ReturnType<typeof endedTransaction>[];
    readonly invocations: readonly never[];
    readonly deadline: null;
    readonly outgoing: readonly never[];
  };
  readonly transactionId: string;
  /** Of the first turn. */
  readonly turnId: string;
  readonly messageId: string;
  readonly eventId: string;
};

const folder = new URL('../../../contracts/histories/0.1.0/', import.meta.url);

/**
 * A conversation of a tenant as the real engine led it, about an order that bears the tenant's mark: what is needed to append it to an event store. Session,
 * messages and user are the same for every tenant; what the engine makes itself, such as ids of turns and transactions, is the tenant's own. That of `default` is
 * word for word what the engine decided; the ids of the others the engine would not make again.
 */
export function recordedConversation(tenant: Tenant): RecordedConversation {
  const lines = ownWords(textOf('completed.jsonl').trim(), tenant).split('\n');
  const [heading, ...rest] = lines.map((line): unknown => JSON.parse(line));
  const { conversation, configs } = Object(heading);
  const { configDigest, state } = Object(rest.at(-1));
  const events = rest.slice(0, -1).map(factOf);
  const conversationKey = ConversationKey.parse(conversation.conversationKey);
  const { agentId, sessionId } = conversation;
  const identity: Identity = { tenantId: tenant, agentId, sessionId, conversationKey };
  const turns = events.filter(({ type }) => type === 'TurnReceived').map((fact) => answeredTurn(fact, identity));
  const transaction = endedTransaction(events, tenant);
  const nothing = { invocations: [], deadline: null, outgoing: [] };
  const decided = { expectedVersion: 0, configDigest, state, events, turns, transactions: [transaction] };
  return {
    agents: [...configs].map((digest) => JSON.parse(textOf(`configs/${digest}.json`))),
    append: { ...identity, ...decided, ...nothing },
    transactionId: transaction.id,
    turnId: turns[0]?.turnId ?? '',
    messageId: turns[0]?.messageId ?? '',
    eventId: events[0]?.eventId ?? '',
  };
}

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

function endedTransaction(events: readonly Fact[], tenant: Tenant) {
  return {
    id: events.find((fact) => fact.transactionId !== null)?.transactionId ?? '',
    tool: 'retail_order_cancel',
    status: 'COMPLETED',
    rev: 1,
    outcome: 'SUCCESS',
    arguments: { order_id: markOf(tenant) },
    items: [{ id: markOf(tenant), label: `pedido ${markOf(tenant)}`, outcome: 'succeeded' }],
    startedAt: events[0]?.occurredAt ?? '',
    endedAt: events.at(-1)?.occurredAt ?? null,
  } as const;
}

function ownWords(text: string, tenant: Tenant): string {
  if (tenant === recorder) return text;
  return text
    .replaceAll('"default"', JSON.stringify(tenant))
    .replaceAll('default:', `${tenant}:`)
    .replaceAll('PED-1001', markOf(tenant))
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => deterministicId(tenant, id));
}

function factOf(line: unknown): Fact {
  const { version: _version, hash: _hash, ...fact } = Object(line);
  return fact;
}

function answeredTurn({ causationId, messageId, occurredAt, traceId }: Fact, identity: Identity) {
  const [tenant_id, agent_id, turnId] = [identity.tenantId, identity.agentId, causationId ?? ''];
  const answer: ChannelResponse = {
    channel: 'web',
    session_id: identity.conversationKey,
    text: `Entendi: ${markOf(identity.tenantId)}`,
    metadata: {
      ...{ tenant_id, agent_id, guardrails: [], judges: [], turn_id: turnId },
      ...{ transaction_id: null, transaction_status: 'IDLE' },
    },
  };
  const envelope: EventEnvelope = {
    ...{ event_type: 'IC.AGENT_COMPLETED', timestamp: occurredAt, trace_id: traceId, payload: answer },
    ...{ tenant_id, agent_id, session_id: identity.sessionId, conversation_key: identity.conversationKey },
  };
  const turn = { turnId, messageId: messageId ?? '', bodyDigest: 'd'.repeat(64) };
  return { ...turn, status: 'done', response: canonicalJson(envelope) } as const;
}
