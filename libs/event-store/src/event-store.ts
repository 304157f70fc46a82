import { type AgentConfig } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type OutboxReader } from './outbox.ts';
import { type StoreTransaction } from './store-transaction.ts';
import {
  type DueDeadline,
  type StoredConversation,
  type StoredEvent,
  type StoredTransaction,
  type StoredTurn,
} from './stored-conversation.ts';
import { type ToolLedger } from './tool-ledger.ts';

/** How to reach the store. */
export type EventStoreOptions = {
  readonly databaseUrl: string;
  /** Name of the service: its own outbox rows, and the connection's application name. */
  readonly producer: string;
  readonly logger: Logger;
  /** @default 4 */
  readonly poolSize?: number;
};

/** Opens the store, when the database answers. The schema is made by `migrate`, before. */
export declare function openEventStore(options: EventStoreOptions): Promise<EventStore>;

/** The evidence of every conversation, in Postgres (DESIGN section 8). */
export declare class EventStore {
  readonly ledger: ToolLedger;
  readonly outbox: OutboxReader;
  /**
   * Runs `work` in one database transaction.
   *
   * @throws RetryableError on a version or serialization conflict, a lock or statement time-out, or a lost connection: nothing was stored, or it was
   * and the claim of the repeated batch says so. What `work` throws rises unchanged.
   */
  inTransaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  readConversation(tenantId: string, conversationKey: string): Promise<StoredConversation | undefined>;
  /** The events after version `after` (0: from the first), in order. */
  readEvents(of: {
    readonly tenantId: string;
    readonly key: string;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly StoredEvent[]>;
  readTurn(tenantId: string, turnId: string): Promise<StoredTurn | undefined>;
  /** Newest first. */
  listTransactions(filter: {
    readonly tenantId: string;
    readonly status?: string;
    readonly tool?: string;
    readonly since?: string;
    readonly limit: number;
  }): Promise<readonly StoredTransaction[]>;
  readTransaction(tenantId: string, transactionId: string): Promise<StoredTransaction | undefined>;
  /** What the engine approved under this id: the executor trusts this, not the record. */
  readApprovedInvocation(invocationId: string): Promise<ApprovedInvocation | undefined>;
  /** The same for a batch, in one round trip. */
  readApprovedInvocations(invocationIds: readonly string[]): Promise<ReadonlyMap<string, ApprovedInvocation>>;
  /** Keeps configurations under their digest, so that a transaction can go on with the one that it started with. */
  saveConfigVersions(agents: readonly AgentConfig[]): Promise<void>;
  readConfigVersion(digest: string): Promise<AgentConfig | undefined>;
  /** Deadlines that have passed, oldest first; conversations that a batch is just working on are left out. */
  dueDeadlines(request: { readonly limit: number }): Promise<readonly DueDeadline[]>;
  /** The database clock, UTC with milliseconds. */
  now(): Promise<string>;
  /** Whether the last use of the database succeeded. */
  isHealthy(): boolean;
  close(): Promise<void>;
}
