import { type BusMessage, type Locale } from '@latch/contracts';
import {
  type ConversationAppend,
  type EventStore,
  type LoadedConversation,
  type StoreTransaction,
} from '@latch/event-store';
import { type Bus } from '@latch/messaging';
import { nextDeadline, restoreState } from '@latch/transaction';
import { type AgentConfigs } from './agent-configs.ts';
import { refusalMessage } from './response.ts';
import { claimOf, type DeadlineWork, type TurnWork, type Work } from './work.ts';

/** What setting work aside needs. */
export type SetAsideParts = {
  readonly store: Pick<EventStore, 'inTransaction' | 'outbox'>;
  readonly bus: Pick<Bus, 'publish'>;
};

/**
 * Answers a turn that cannot be handled and has become a dead letter: whoever was told that it is accepted gets an answer, once (invariant I1). No fact is added
 * to the conversation, and a turn that was handled after all is left alone.
 */
export async function refuseTurn(
  { store, bus }: SetAsideParts,
  work: TurnWork,
  reason: { readonly code: string; readonly locale: Locale },
): Promise<void> {
  const outgoing = await store.inTransaction(async (tx) => {
    const [claim] = await tx.claim([claimOf(work, tx.now)]);
    const loaded = await loadOne(tx, work);
    if (claim?.kind !== 'fresh') return tx.loadPendingOutgoing([work.identity.conversationKey]);
    return [await appendRefusal(tx, work, { ...reason, loaded })];
  });
  await bus.publish(outgoing);
  await store.outbox.markPublished(outgoing.map(({ eventId }) => eventId));
}

/** Why a turn is refused, in which language, and the conversation as this transaction has loaded it. */
export type Refusing = {
  readonly code: string;
  readonly locale: Locale;
  readonly loaded: LoadedConversation | undefined;
};

/** Answers a turn that was claimed and is not handled, inside the transaction that claimed it. No fact is added to the conversation. */
export async function appendRefusal(tx: StoreTransaction, work: TurnWork, refusing: Refusing): Promise<BusMessage> {
  const { loaded, ...reason } = refusing;
  const message = refusalMessage(work, { ...reason, at: tx.now });
  const { turnId, bodyDigest, request } = work;
  const turn = { turnId, bodyDigest, messageId: request.payload.message_id, response: message.value };
  await tx.append([{ ...unchanged(work, loaded), turns: [{ ...turn, status: 'done' }], outgoing: [message] }]);
  return message;
}

/** The language that a turn is refused in: that of its agent, where somebody has configured one. */
export function localeOf(configs: Pick<AgentConfigs, 'get'>, { identity }: Work): Locale {
  try {
    return configs.get(identity.agentId, null).locale;
  } catch {
    return 'en'; // nobody configured the agent, which is why the turn is refused
  }
}

const anHourMs = 3_600_000;

/** Looks at a deadline that cannot be handled again in an hour, so that it holds up nobody else's. One that another replica has handled meanwhile is left alone. */
export async function postponeDeadline(store: Pick<EventStore, 'inTransaction'>, work: DeadlineWork): Promise<void> {
  await store.inTransaction(async (tx) => {
    const [claim] = await tx.claim([claimOf(work, tx.now)]);
    if (claim?.kind !== 'fresh') return;
    const conversation = unchanged(work, await loadOne(tx, work));
    const at = new Date(Date.parse(tx.now) + anHourMs).toISOString();
    const { transactionId, rev } = work;
    await tx.append([{ ...conversation, deadline: { transactionId, rev, at } }]);
  });
}

async function loadOne(tx: StoreTransaction, { identity }: Work): Promise<LoadedConversation | undefined> {
  return (await tx.load([identity.conversationKey])).get(identity.conversationKey);
}

/** The conversation as it is. */
function unchanged({ identity }: Work, loaded: LoadedConversation | undefined): ConversationAppend {
  const { conversationKey, tenantId, agentId, sessionId } = identity;
  const state = restoreState(identity, loaded?.state ?? null);
  return {
    conversationKey,
    tenantId,
    agentId,
    sessionId,
    person: state.lastTurn?.userId ?? null,
    expectedVersion: loaded?.version ?? 0,
    configDigest: loaded?.configDigest ?? null,
    state: loaded?.state ?? state,
    events: [],
    turns: [],
    transactions: [],
    invocations: [],
    deadline: nextDeadline(state),
    outgoing: [],
  };
}
