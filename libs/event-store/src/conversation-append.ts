import {
  type AggregateOutcome,
  type BusMessage,
  type ConversationKey,
  type InvocationPurpose,
  type ItemOutcome,
  type OperationType,
  type ToolInvocation,
  type TransactionStatus,
} from '@latch/contracts';

/** One fact for a conversation's stream. Its version and its hash are given by `append`. */
export type EventToAppend = {
  /** UUID v7, or v5 where a redelivery must give the same id. */
  readonly eventId: string;
  /** Name of the fact, such as `ConfirmationRequested`. */
  readonly type: string;
  /** Any JSON value; it is stored as canonical JSON (RFC 8785), so that its hash can be checked byte for byte. */
  readonly payload: unknown;
  /** UTC instant; kept to the millisecond. */
  readonly occurredAt: string;
  /** Id of the message or event that caused this one. */
  readonly causationId: string | null;
  readonly messageId: string | null;
  readonly transactionId: string | null;
  readonly traceId: string;
};

/** What is remembered of one user message: the answer, once there is one, byte for byte. */
export type TurnRow = {
  readonly turnId: string;
  readonly messageId: string;
  /** `bodyDigestOf` the request: the same turn id with another digest is a conflict. */
  readonly bodyDigest: string;
  readonly status: 'in_flight' | 'done';
  /** The response's envelope as JSON text; null while in flight. */
  readonly response: string | null;
};

/** One item of a transaction's projection. */
export type TransactionItemRow = {
  readonly id: string;
  readonly label: string;
  /** Null until the tool has answered. */
  readonly outcome: ItemOutcome | null;
  readonly reason?: string | null;
  readonly protocol?: string | null;
};

/** The projection of one transaction, whole: `items` replaces the items stored before. */
export type TransactionRow = {
  readonly id: string;
  readonly tool: string;
  readonly status: TransactionStatus;
  /** Revision of the proposal; 0 before the first. */
  readonly rev: number;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly items: readonly TransactionItemRow[];
  readonly outcome: AggregateOutcome | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
};

/**
 * A tool call that the engine approved, as the executor may make it. The executor trusts this row and not the bus record that announced it
 * (DESIGN section 6).
 */
export type ApprovedInvocation = {
  readonly invocationId: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly conversationKey: string;
  readonly transactionId: string;
  readonly rev: number;
  readonly tool: string;
  readonly purpose: InvocationPurpose;
  readonly operationType: OperationType;
  readonly proposalId: string | null;
  /** At most one execution per key: a second one with another invocation id is refused by the database (invariant I3). */
  readonly idempotencyKey: string;
  /** After this instant (database clock) the call must not be started; null: no bound. */
  readonly expiresAt: string | null;
  /** Digest of tool, arguments and items. */
  readonly digest: string;
  readonly invocation: ToolInvocation;
  /** Set when a read finds that the person's data was erased: its arguments are gone, and it must not be made any more. */
  readonly isErased?: boolean;
};

/** When a conversation has to be looked at again if nothing happens, and for which revision of which transaction. */
export type Deadline = { readonly transactionId: string; readonly rev: number; readonly at: string };

/** Everything that a batch decided for one conversation; it becomes durable as a whole or not at all. */
export type ConversationAppend = {
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessionId: string;
  /**
   * Who spoke last: the user's id, under whose data key everything personal is sealed. Not given, null or `anonymous`: nobody knows, and the conversation stands
   * for the person.
   */
  readonly person?: string | null;
  /** Number of events that the decision was based on. */
  readonly expectedVersion: number;
  readonly configDigest: string | null;
  /** The folded state after `events`, any JSON value. */
  readonly state: unknown;
  readonly events: readonly EventToAppend[];
  readonly turns: readonly TurnRow[];
  readonly transactions: readonly TransactionRow[];
  readonly invocations: readonly ApprovedInvocation[];
  /** The next deadline; null: none. It replaces the one stored before. */
  readonly deadline: Deadline | null;
  /** Messages to publish after the commit, in this order. */
  readonly outgoing: readonly BusMessage[];
};
