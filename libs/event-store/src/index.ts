export { type AnswerOrder } from './align-answer.ts';
export { type ClaimOutcome, type MessageToClaim } from './claim.ts';
export {
  type ApprovedInvocation,
  type ConversationAppend,
  type Deadline,
  type EventToAppend,
  type TransactionRow,
  type TurnRow,
} from './conversation-append.ts';
export { createDataSource } from './data-source.ts';
export { EventStore } from './event-store.ts';
export { openEventStore } from './open-event-store.ts';
export { type ChainLink, eventHash, genesisHash, linkHash } from './hash-chain.ts';
export { type EvidenceSeal, sealHash, signedText } from './evidence-seal.ts';
export { type SealOfStream } from './evidence-reader.ts';
export { rootOfProof } from './head-tree.ts';
export { migrate } from './migrate.ts';
export { type StoreRole } from './migrations/tenant-table.ts';
export { type OpenAlarm, OpenAlarms } from './open-alarms.ts';
export { type EventRange } from './read-events.ts';
export { type StoredStream, type StreamFilter } from './read-streams.ts';
export { type TransactionFilter } from './read-transactions.ts';
export { readPublicKeys, readSigningKey, type SignatureCheck, type SigningKey } from './signing-key.ts';
export { type ProvenCall } from './proven-call.ts';
export { isPersonal, type ProjectionDifference } from './projection-difference.ts';
export { type ProjectionsReport } from './projections-report.ts';
export { type StreamProjection } from './stream-projection.ts';
export { asStoreError } from './store-errors.ts';
export { type StoreTransaction } from './store-transaction.ts';
export {
  type DueDeadline,
  type LoadedConversation,
  type StoredConversation,
  type StoredEvent,
  type StoredTransaction,
  type StoredTurn,
} from './stored-conversation.ts';
export { type CatalogueChange, type CatalogueTool, type ObservedTool, ToolCatalogue } from './tool-catalogue.ts';
export { type Lease, type OutcomeToRecord, ToolLedger } from './tool-ledger.ts';
export { type LedgerEntry } from './ledger-entries.ts';
export { isErased } from './erased.ts';
export { endOfErased, erasureEvent, erasureFact } from './bury-erased.ts';
export { type Erasure, erasePerson } from './erase-person.ts';
export { applyRetention, firstKeptMonth, type Retained } from './apply-retention.ts';
export { type Maintenance, openMaintenance } from './open-maintenance.ts';
export { rewrapKeys } from './rewrap-keys.ts';
export { RecordSealing, type SealableRecord } from './seal-records.ts';
export { type KnownSeal } from './verify-seals.ts';
export { type VerifyRequest } from './verify-store.ts';
export { type VerifyReport } from './verify-report.ts';
export { sealedPartOf, unsealPayload } from './seal-payload.ts';
export { eventPlace } from './seal-places.ts';
export { unsealWith } from './seal-value.ts';
export { verifyChain } from './verify-chain.ts';
