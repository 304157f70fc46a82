import { type BusMessage, type ConversationKey, type TurnId } from '@latch/contracts';
import { append } from './append.ts';
import { claim, type ClaimOutcome, type MessageToClaim } from './claim.ts';
import { type ConversationAppend } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { buryErased } from './bury-erased.ts';
import { findOvertaking, type Overtaking, type Unheard } from './find-overtaking.ts';
import { load, loadTurns } from './load.ts';
import { deletePublished, loadPendingOutgoing } from './outbox.ts';
import { type LoadedConversation, type StoredTurn } from './stored-conversation.ts';
import { type Streams } from './streams.ts';
import { openScope } from './tenant-scope.ts';
import { type PersonalVault } from './personal-vault.ts';
import { turnUnsealing } from './unsealings.ts';

/** One batch of work that commits or vanishes as a whole. Call in this order: claim, forgetPublished, load, loadPendingOutgoing, loadTurns, append. */
export type StoreTransaction = {
  /** Database clock at the begin, UTC with milliseconds. */
  readonly now: string;
  /**
   * Claims messages, in the order given. A claim that another instance is just making is waited for. From here on the transaction sees and writes the rows of
   * these messages' tenants and of no others (invariant I12); a second claim adds its own.
   */
  claim(messages: readonly MessageToClaim[]): Promise<readonly ClaimOutcome[]>;
  /**
   * Loads and locks conversations, in one stable order, so that two batches never wait for each other in a circle. A key that was claimed and is new
   * gives version 0; a key that is neither known nor claimed, or is of a tenant that no claimed message has, is absent from the answer. Call it once per batch, with all keys.
   */
  load(keys: readonly ConversationKey[]): Promise<ReadonlyMap<ConversationKey, LoadedConversation>>;
  /** The turns of these ids, as far as they are known and belong to a conversation that this transaction has claimed or loaded. */
  loadTurns(turnIds: readonly string[]): Promise<ReadonlyMap<TurnId, StoredTurn>>;
  /** What has overtaken something that was said before and is heard only now; null: nothing. Call it behind `load`. */
  findOvertaking(unheard: Unheard): Promise<Overtaking | null>;
  /** What this producer left unpublished for these conversations, in order: to be published before anything newer. Call `forgetPublished` first. */
  loadPendingOutgoing(keys: readonly ConversationKey[]): Promise<readonly BusMessage[]>;
  /**
   * Appends what was decided for conversations that were loaded: events at the expected version, snapshot, projections, approved calls, turns, outbox.
   *
   * @throws RetryableError when a conversation is no longer at its expected version: load and decide again.
   */
  append(conversations: readonly ConversationAppend[]): Promise<void>;
  /** Deletes the outbox rows of the batch before, which the caller has published. */
  forgetPublished(eventIds: readonly string[]): Promise<void>;
};

/** The store's work inside one open database transaction. It remembers the streams that it met, so that none is looked up twice, and whose rows are open. */
export function openTransaction(of: {
  readonly sql: Sql;
  readonly now: string;
  readonly producer: string;
  readonly vault: PersonalVault;
}): StoreTransaction {
  const { sql, now, producer, vault } = of;
  const sealing = vault.forTransaction(sql, now);
  const streams: Streams = new Map();
  const loaded = new Map<ConversationKey, LoadedConversation>();
  const tenants = new Set<string>();
  const remember = (conversations: ReadonlyMap<ConversationKey, LoadedConversation>): void => {
    for (const [key, conversation] of conversations) loaded.set(key, conversation);
  };
  return {
    now,
    async claim(messages) {
      for (const { tenantId } of messages) tenants.add(tenantId);
      // Sent together with the first statement of the claim, and answered before it.
      const [, outcomes] = await Promise.all([
        openScope(sql, { tenants: [...tenants] }, 'by_key'),
        claim(sql, streams, messages),
      ]);
      return outcomes;
    },
    async load(keys) {
      const stored = await load(sql, streams, [...new Set(keys)]);
      await sealing.learn([...stored.values()].map(({ streamId }) => streamId));
      const conversations = await buryErased({ sql, producer, sealing, now }, streams, stored);
      remember(conversations);
      return conversations;
    },
    async loadTurns(turnIds) {
      const turns = await loadTurns(sql, turnIds, { streamIds: [...streams.values()].map(({ streamId }) => streamId) });
      const tenantOf = turnUnsealing(({ conversationKey }) => streams.get(conversationKey)?.tenantId ?? '');
      const opened = await vault.unseal(sql, [...turns.values()], tenantOf);
      return new Map(opened.map((turn) => [turn.turnId, turn]));
    },
    findOvertaking: (unheard) => findOvertaking(sql, vault, unheard),
    loadPendingOutgoing: async (keys) =>
      vault.unsealMessages(sql, await loadPendingOutgoing({ sql, producer }, streams, keys)),
    async append(conversations) {
      const sealed = await sealing.seal(conversations, loaded);
      remember(await append({ sql, producer }, loaded, sealed));
    },
    forgetPublished: (eventIds) => deletePublished(sql, producer, eventIds),
  };
}
