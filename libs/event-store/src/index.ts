export { type ClaimOutcome, type MessageToClaim } from './claim.ts';
export {
  type ApprovedInvocation,
  type ConversationAppend,
  type Deadline,
  type EventToAppend,
  type TransactionItemRow,
  type TransactionRow,
  type TurnRow,
} from './conversation-append.ts';
export { createDataSource, type DataSourceOptions, type EntityClass } from './data-source.ts';
export { EventStore, type EventStoreOptions, openEventStore } from './event-store.ts';
export {
  type ChainedEvent,
  type ChainedStream,
  type ChainLink,
  eventHash,
  genesisHash,
  linkHash,
} from './hash-chain.ts';
export { type EvidenceSeal, type SealedHead, sealHash, signedText } from './evidence-seal.ts';
export { type PartitionsKept } from './keep-partitions.ts';
export { EvidenceReader, type SealOfStream } from './evidence-reader.ts';
export { type HeadProofStep, rootOfProof } from './head-tree.ts';
export { migrate } from './migrate.ts';
export { type StoreRole, storeRoles } from './migrations/tenant-table.ts';
export { type OpenAlarm, OpenAlarms } from './open-alarms.ts';
export { type OutboxReader } from './outbox.ts';
export { type EventRange, type GlobalPosition } from './read-events.ts';
export { type StoredStream, type StreamFilter } from './read-streams.ts';
export { type TransactionCount, type TransactionFilter } from './read-transactions.ts';
export { type SealingOutcome, type SealingRound } from './seal-evidence.ts';
export { readPublicKeys, readSigningKey, type SignatureCheck, type SigningKey } from './signing-key.ts';
export {
  type ProjectionsProgress,
  type ProjectionsRequest,
  type Projector,
  type StreamProjection,
} from './rebuild-projections.ts';
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
export {
  type Acceptance,
  type CatalogueChange,
  type CatalogueTool,
  type ObservedTool,
  ToolCatalogue,
} from './tool-catalogue.ts';
export { type AttemptToStart, type Lease, type LedgerClaim, type OutcomeToRecord, ToolLedger } from './tool-ledger.ts';
export { type LedgerEntry, type LedgerStatus } from './ledger-entries.ts';
export { type Erased, isErased } from './erased.ts';
export { erasureEvent } from './bury-erased.ts';
export { type Erasure, erasePerson, type PersonToErase, type UnderWay } from './erase-person.ts';
export { applyRetention, type Retained, type RetentionRules } from './apply-retention.ts';
export { type Maintenance, type MaintenanceOptions, openMaintenance } from './open-maintenance.ts';
export { rewrapKeys } from './rewrap-keys.ts';
export { RecordSealing, type SealableRecord } from './seal-records.ts';
export { type KnownSeal } from './verify-seals.ts';
export { type VerifyRequest } from './verify-store.ts';
export { type VerifyProblem, type VerifyProblemKind, type VerifyProgress, type VerifyReport } from './verify-report.ts';
export { sealedPartOf, unsealPayload } from './seal-payload.ts';
export { eventPlace } from './seal-places.ts';
export { unsealWith } from './seal-value.ts';
export { StreamReader } from './stream-reader.ts';
export { type ChainBreak, verifyChain } from './verify-chain.ts';
