import { type BusMessage, type ConversationKey, type TurnId } from '@latch/contracts';
import { append } from './append.ts';
import { claim, type ClaimOutcome, type MessageToClaim } from './claim.ts';
import { type ConversationAppend } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { load, loadTurns } from './load.ts';
import { deletePublished, loadPendingOutgoing } from './outbox.ts';
import { type LoadedConversation, type StoredTurn } from './stored-conversation.ts';
import { type Streams } from './streams.ts';
import { openScope } from './tenant-scope.ts';

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
}): StoreTransaction {
  const { sql, now, producer } = of;
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
        openScope(sql, { tenants: [...tenants] }),
        claim(sql, streams, messages),
      ]);
      return outcomes;
    },
    async load(keys) {
      const conversations = await load(sql, streams, [...new Set(keys)]);
      remember(conversations);
      return conversations;
    },
    loadTurns: (turnIds) =>
      loadTurns(sql, turnIds, { streamIds: [...streams.values()].map(({ streamId }) => streamId) }),
    loadPendingOutgoing: (keys) => loadPendingOutgoing({ sql, producer }, streams, keys),
    append: async (conversations) => remember(await append({ sql, producer }, loaded, conversations)),
    forgetPublished: (eventIds) => deletePublished(sql, producer, eventIds),
  };
}
