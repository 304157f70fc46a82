export {
  type ApprovedInvocation,
  type ConversationAppend,
  type Deadline,
  type EventToAppend,
  type TransactionItemRow,
  type TransactionRow,
  type TurnRow,
} from './conversation-append.ts';
export { EventStore, type EventStoreOptions, openEventStore } from './event-store.ts';
export { migrate } from './migrate.ts';
export { type OutboxReader } from './outbox.ts';
export { type ClaimOutcome, type MessageToClaim, type StoreTransaction } from './store-transaction.ts';
export {
  type DueDeadline,
  type LoadedConversation,
  type StoredConversation,
  type StoredEvent,
  type StoredTransaction,
  type StoredTurn,
} from './stored-conversation.ts';
export { type Lease, type LedgerClaim, type LedgerEntry, type LedgerStatus, ToolLedger } from './tool-ledger.ts';
