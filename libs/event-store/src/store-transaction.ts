import { type BusMessage, type ConversationKey, type TurnId } from '@latch/contracts';
import { type ConversationAppend } from './conversation-append.ts';
import { type LoadedConversation, type StoredTurn } from './stored-conversation.ts';

/** One incoming message to be claimed for a consumer. */
export type MessageToClaim = {
  readonly eventId: string;
  /** Name of the handler; each handler claims a message once. */
  readonly consumer: string;
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  /** What makes two messages of one id the same: `bodyDigestOf` a turn, `digest` of a payload. */
  readonly bodyDigest: string;
  readonly receivedAt: string;
};

/** `fresh`: it is ours to handle. `repeat`: it was handled before, or comes twice in this batch; `bodyMatches` compares it with the first one. */
export type ClaimOutcome = { readonly kind: 'fresh' } | { readonly kind: 'repeat'; readonly bodyMatches: boolean };

/** One batch of work that commits or vanishes as a whole. Call in this order: claim, forgetPublished, load, loadPendingOutgoing, loadTurns, append. */
export type StoreTransaction = {
  /** Database clock at the begin, UTC with milliseconds. */
  readonly now: string;
  /** Claims messages, in the order given. A claim that another instance is just making is waited for. */
  claim(messages: readonly MessageToClaim[]): Promise<readonly ClaimOutcome[]>;
  /**
   * Loads and locks conversations, in one stable order, so that two batches never wait for each other in a circle. A key that was claimed and is new
   * gives version 0; a key that is neither known nor claimed is absent from the answer.
   */
  load(keys: readonly ConversationKey[]): Promise<ReadonlyMap<ConversationKey, LoadedConversation>>;
  /** The turns of these ids, as far as they are known. */
  loadTurns(turnIds: readonly string[]): Promise<ReadonlyMap<TurnId, StoredTurn>>;
  /** What this producer left unpublished for these conversations, in order: to be published before anything newer. Call `forgetPublished` first. */
  loadPendingOutgoing(keys: readonly ConversationKey[]): Promise<readonly BusMessage[]>;
  /**
   * Appends what was decided: events at the expected version, snapshot, projections, approved calls, turns, outbox.
   *
   * @throws RetryableError when a conversation is no longer at its expected version: load and decide again.
   */
  append(conversations: readonly ConversationAppend[]): Promise<void>;
  /** Deletes the outbox rows of the batch before, which the caller has published. */
  forgetPublished(eventIds: readonly string[]): Promise<void>;
};
