import { type AgentConfig, type BusMessage, type ConversationKey, type TurnId } from '@latch/contracts';
import {
  type ClaimOutcome,
  type EventStore,
  type LoadedConversation,
  type StoredTurn,
  type StoreTransaction,
} from '@latch/event-store';
import { type Bus } from '@latch/messaging';
import { restoreState } from '@latch/transaction';
import { agentFor, type AgentConfigs, type LiveConfigs, pinnedDigests } from './agent-configs.ts';
import { answerRepeats } from './answer-repeats.ts';
import { redrivenApart, refuseOvertaken } from './refuse-overtaken.ts';
import { type DecidedTurn, runTurn } from './run-turn.ts';
import { toAppend } from './to-append.ts';
import { claimOf, conversationsOf, type Work } from './work.ts';

/** What the shell needs of the world. */
export type BatchParts = {
  readonly store: Pick<EventStore, 'inTransaction' | 'outbox'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly configs: LiveConfigs;
  /** Called for each decision, after its commit. */
  readonly onDecided?: (decided: DecidedTurn) => void;
  /** After so much silence the published messages of the last batch are let go of, in milliseconds. @default 1_000 */
  readonly idleMs?: number;
};

/** The shell of the engine, one batch after the other. */
export type BatchHandler = {
  handle(work: readonly Work[]): Promise<void>;
  /** Waits for the batch in flight, and lets go of what it published. */
  close(): Promise<void>;
};

/**
 * The shell of the engine: one batch is one database transaction (claim, load, decide, append); what it says is published right after the commit, and its
 * outbox rows are deleted with the next batch, or when no batch follows soon. Batches run one after the other, so that a conversation's messages leave in
 * the order in which they were decided.
 *
 * `handle` rejects with a RetryableError when the database or the bus is away: the same batch is then handled again, finds its claims taken, and publishes
 * what was left.
 */
export function createBatchHandler(parts: BatchParts): BatchHandler {
  let published: readonly string[] = [];
  let queue: Promise<void> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  const inTurn = (job: () => Promise<void>): Promise<void> => {
    clearTimeout(idle);
    const done = queue.then(job);
    queue = done.catch(() => undefined);
    return done;
  };
  const letGo = async (): Promise<void> => {
    const ids = published;
    published = [];
    // What is not deleted now is published once more by the relay: consumers are idempotent by event id.
    if (ids.length > 0) await parts.store.outbox.markPublished(ids);
  };
  const handlePart = async (work: readonly Work[]): Promise<void> => {
    // Where the store cannot be read now, the decision is made with what is known; the next round asks again.
    if (work.some(saysSchemaChanged)) await parts.configs.refreshSchemas().catch(() => undefined);
    const batch = await parts.store.inTransaction((tx) => decideBatch(tx, parts, { work, published }));
    published = [];
    batch.decided.forEach((decided) => parts.onDecided?.(decided));
    await parts.bus.publish(batch.outgoing);
    published = batch.outgoing.map((message) => message.eventId);
    idle = setTimeout(() => void inTurn(letGo).catch(() => undefined), parts.idleMs ?? 1_000);
  };
  const handle = async (work: readonly Work[]): Promise<void> => {
    for (const part of redrivenApart(work)) await handlePart(part);
  };
  return {
    handle: (work) => inTurn(() => handle(work)),
    close: () => inTurn(letGo),
  };
}

/** The executor knows of an accepted schema that this process may not have read yet. */
function saysSchemaChanged(unit: Work): boolean {
  return unit.kind === 'tool_result' && unit.result.error?.code === 'tool.schema_changed';
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
  const claimed = await tx.claim(work.map((unit) => claimOf(unit, tx.now)));
  await tx.forgetPublished(published);
  const keys = conversationsOf(work);
  const loaded = await tx.load(keys);
  const leftBehind = await tx.loadPendingOutgoing(keys);
  const asked = await tx.loadTurns(work.flatMap((unit) => (unit.kind === 'turn' ? unit.turnId : [])));
  const claims = claimed.map((claim, index) => rememberedBy(asked, work[index]) ?? claim);
  const fresh = work.filter((_, index) => claims[index]?.kind === 'fresh');
  const refusal = await refuseOvertaken(tx, fresh, { loaded, configs });
  if (refusal !== null) return { outgoing: [...leftBehind, refusal], decided: [] };
  const decided = await decideInOrder(fresh, { loaded, configs, at: tx.now });
  const turns = new Map([...asked, ...(await tx.loadTurns(answeredBefore(decided)))]);
  const appends = toAppend(decided, { loaded, turns, at: tx.now });
  await tx.append(appends);
  const repeats = answerRepeats(work, { claims, turns, appends, at: tx.now });
  return { outgoing: [...leftBehind, ...appends.flatMap(({ outgoing }) => outgoing), ...repeats], decided };
}

type Surroundings = {
  readonly loaded: ReadonlyMap<ConversationKey, LoadedConversation>;
  readonly configs: AgentConfigs;
  readonly at: string;
};

/** Each unit meets the state that the one before it left (invariant I8: within a batch as between batches). */
async function decideInOrder(
  fresh: readonly Work[],
  { loaded, configs, at }: Surroundings,
): Promise<readonly DecidedTurn[]> {
  const states = new Map(
    fresh.map(({ identity }) => {
      const key = identity.conversationKey;
      return [key, restoreState(identity, loaded.get(key)?.state ?? null)];
    }),
  );
  await configs.load([...states.values()].flatMap(pinnedDigests));
  return fresh.map((work) => {
    const { identity } = work;
    const before = states.get(identity.conversationKey) ?? restoreState(identity, null);
    const pinned = (digest: string): AgentConfig => configs.get(identity.agentId, digest);
    const decided = runTurn({ work, before, agent: agentFor(work, before, configs), at, pinned });
    states.set(identity.conversationKey, decided.after);
    return decided;
  });
}

/**
 * The claim of a turn that the conversation has heard before, whether or not the inbox still knows of it: claims are forgotten after a time, and a yes of long ago that
 * comes again is no yes to what is asked now (invariants I2 and I4).
 */
function rememberedBy(asked: ReadonlyMap<TurnId, StoredTurn>, unit: Work | undefined): ClaimOutcome | undefined {
  const turn = unit?.kind === 'turn' ? asked.get(unit.turnId) : undefined;
  return turn && { kind: 'repeat', bodyMatches: unit?.bodyDigest === turn.bodyDigest };
}

/** The turns of earlier batches that are answered now, because a result has arrived. */
function answeredBefore(decided: readonly DecidedTurn[]): readonly TurnId[] {
  const heard = new Set(decided.flatMap(({ work }) => (work.kind === 'turn' ? work.turnId : [])));
  const answered = decided.flatMap(({ reaction }) => reaction.replies.map(({ turnId }) => turnId));
  return answered.filter((turnId) => !heard.has(turnId));
}
