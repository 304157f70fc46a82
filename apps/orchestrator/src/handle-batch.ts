import { type BusMessage, type ConversationKey } from '@latch/contracts';
import { type EventStore, type LoadedConversation, type StoreTransaction } from '@latch/event-store';
import { type Bus } from '@latch/messaging';
import { restoreState } from '@latch/transaction';
import { type AgentConfigs } from './agent-configs.ts';
import { answerRepeats } from './answer-repeats.ts';
import { type DecidedTurn, runTurn } from './run-turn.ts';
import { toAppend } from './to-append.ts';
import { conversationsOf, type Work } from './work.ts';

/** What the shell needs of the world. */
export type BatchParts = {
  readonly store: Pick<EventStore, 'inTransaction'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly configs: AgentConfigs;
  /** Called for each decision, after its commit. */
  readonly onDecided?: (decided: DecidedTurn) => void;
};

/**
 * The shell of the engine: one batch is one database transaction (claim, load, decide, append); what it says is published right after the commit.
 * Batches run one after the other, so that a conversation's messages leave in the order in which they were decided.
 *
 * The handler rejects with a RetryableError when the database or the bus is away: the same batch is then handled again, finds its claims taken,
 * and publishes what was left.
 */
export function createBatchHandler(parts: BatchParts): (work: readonly Work[]) => Promise<void> {
  let published: readonly string[] = [];
  let queue: Promise<void> = Promise.resolve();
  const handle = async (work: readonly Work[]): Promise<void> => {
    const batch = await parts.store.inTransaction((tx) => decideBatch(tx, parts, { work, published }));
    published = [];
    await parts.bus.publish(batch.outgoing);
    published = batch.outgoing.map((message) => message.eventId);
    batch.decided.forEach((decided) => parts.onDecided?.(decided));
  };
  return (work) => {
    const handled = queue.then(() => handle(work));
    queue = handled.catch(() => undefined);
    return handled;
  };
}

type Batch = {
  readonly work: readonly Work[];
  /** Messages of the batch before, which have reached the bus. */
  readonly published: readonly string[];
};

async function decideBatch(
  tx: StoreTransaction,
  { configs }: BatchParts,
  { work, published }: Batch,
): Promise<{ readonly outgoing: readonly BusMessage[]; readonly decided: readonly DecidedTurn[] }> {
  const claims = await tx.claim(work.map((unit) => claimOf(unit, tx.now)));
  await tx.forgetPublished(published);
  const keys = conversationsOf(work);
  const loaded = await tx.load(keys);
  const leftBehind = await tx.loadPendingOutgoing(keys);
  const fresh = work.filter((_, index) => claims[index]?.kind === 'fresh');
  await configs.load([...loaded.values()].flatMap(({ configDigest }) => configDigest ?? []));
  const decided = decideInOrder(fresh, { loaded, configs, at: tx.now });
  const turns = await tx.loadTurns(work.flatMap((unit) => turnsTouchedBy(unit, decided)));
  const appends = toAppend(decided, { loaded, turns, at: tx.now });
  await tx.append(appends);
  const repeats = answerRepeats(work, { claims, turns, appends, at: tx.now });
  return { outgoing: [...leftBehind, ...appends.flatMap(({ outgoing }) => outgoing), ...repeats], decided };
}

function claimOf(unit: Work, receivedAt: string): Parameters<StoreTransaction['claim']>[0][number] {
  const { conversationKey, tenantId } = unit.identity;
  return {
    eventId: unit.eventId,
    consumer: 'orchestrator',
    conversationKey,
    tenantId,
    bodyDigest: unit.bodyDigest,
    receivedAt,
  };
}

type Surroundings = {
  readonly loaded: ReadonlyMap<ConversationKey, LoadedConversation>;
  readonly configs: AgentConfigs;
  readonly at: string;
};

/** Each unit meets the state that the one before it left (invariant I8: within a batch as between batches). */
function decideInOrder(fresh: readonly Work[], { loaded, configs, at }: Surroundings): readonly DecidedTurn[] {
  const states = new Map<ConversationKey, DecidedTurn['after']>();
  return fresh.map((work) => {
    const { identity } = work;
    const key = identity.conversationKey;
    const before = states.get(key) ?? restoreState(identity, loaded.get(key)?.state ?? null);
    const agent = configs.get(identity.agentId, before.transaction?.configDigest ?? null);
    const decided = runTurn({ work, before, agent, at });
    states.set(key, decided.after);
    return decided;
  });
}

/** The turn itself, for a repeat; and the earlier turns that are answered now, because a result has arrived. */
function turnsTouchedBy(unit: Work, decided: readonly DecidedTurn[]): readonly string[] {
  const answered = decided
    .filter(({ work }) => work === unit)
    .flatMap(({ reaction }) => reaction.replies.map(({ turnId }) => turnId));
  return unit.kind === 'turn' ? [unit.turnId, ...answered] : answered;
}
