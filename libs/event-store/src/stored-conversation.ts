import { type ConversationKey, type TurnId } from '@latch/contracts';
import { type Deadline, type TransactionRow, type TurnRow } from './conversation-append.ts';

/** A conversation as a batch finds it. A new one has version 0, no state, and the genesis hash of its stream as head. */
export type LoadedConversation = {
  /** UUID v7, made once per conversation key. */
  readonly streamId: string;
  /** Number of events in the stream. */
  readonly version: number;
  /** The folded state as it was appended; null for a new conversation. A read gives the marker `{ erased: true }` for an erased one. */
  readonly state: unknown;
  readonly configDigest: string | null;
  /** Hash of the last event (64 hex digits), to which the next is chained. */
  readonly headHash: string;
};

/** A conversation as others read it. */
export type StoredConversation = LoadedConversation & {
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly deadline: Deadline | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Set when the sealed snapshot does not open in its place: somebody has altered or moved it. `state` is as it is stored then. Of a conversation that was read with its stream only. */
  readonly isStateAltered?: boolean;
};

/** One event of a stream, with the hash that chains it to the one before. */
export type StoredEvent = {
  readonly streamId: string;
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  /** From 1, without gaps. */
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  /** With the marker `{ erased: true }` in the place of each personal field that was erased. */
  readonly payload: unknown;
  /** Set when the personal part of the payload was erased. Such an event is verified like any other, and cannot be folded or decided again. */
  readonly isErased?: boolean;
  /** Set when the sealed part does not open in its place: somebody has altered or moved it, and the chain says so too. */
  readonly isAltered?: boolean;
  /** The payload as it is stored and hashed: canonical JSON, its personal fields sealed. */
  readonly payloadText: string;
  readonly occurredAt: string;
  readonly causationId: string | null;
  readonly messageId: string | null;
  readonly transactionId: string | null;
  readonly traceId: string;
  /** 64 hex digits. */
  readonly hash: string;
};

/** A turn with its answer, and where it belongs. */
export type StoredTurn = Omit<TurnRow, 'turnId'> & {
  readonly turnId: TurnId;
  readonly conversationKey: ConversationKey;
  /** Set when the answer was erased: `response` is null although the turn is done. */
  readonly isErased?: boolean;
};

/** A transaction of the projection, and where it belongs. */
export type StoredTransaction = TransactionRow & {
  readonly tenantId: string;
  readonly agentId: string;
  readonly conversationKey: ConversationKey;
  /** Set when arguments and items were erased: `arguments` is the marker, of the items only the outcomes are left. */
  readonly isErased?: boolean;
};

/** A deadline that has passed by the database clock. It is only a wake-up: whoever handles it loads the conversation and decides again. */
export type DueDeadline = Deadline & {
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessionId: string;
};
