import { type AgentConfig, type TurnId } from '@latch/contracts';
import { forgetOldClaims } from './claim.ts';
import { readConfigVersion, saveConfigVersions } from './config-versions.ts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { clockColumn, type Database, type Sql } from './database.ts';
import { dueDeadlines } from './due-deadlines.ts';
import { EvidenceReader } from './evidence-reader.ts';
import { findOvertaking, type Overtaking, type Unheard } from './find-overtaking.ts';
import { loadTurns } from './load.ts';
import { OpenAlarms } from './open-alarms.ts';
import { type OutboxReader, outboxReader } from './outbox.ts';
import { readConversation } from './read-conversation.ts';
import { type EventRange, followEvents, type GlobalPosition, readEvents } from './read-events.ts';
import {
  countOpenTransactions,
  countTransactions,
  listTransactions,
  readTransaction,
  type TransactionCount,
  type TransactionFilter,
} from './read-transactions.ts';
import { sealEvidence, type SealingOutcome, type SealingRound } from './seal-evidence.ts';
import { type ProjectionsToVerify, verifyProjections } from './verify-projections.ts';
import { verifyStore, type VerifyRequest } from './verify-store.ts';
import { type VerifyReport } from './verify-report.ts';
import { type StreamVerdict, verifyStream } from './verify-streams.ts';
import { keepPartitions, type PartitionsKept } from './keep-partitions.ts';
import { type ProjectionsReport } from './projections-report.ts';
import { type ProjectionsProgress, type ProjectionsRequest, rebuildProjections } from './rebuild-projections.ts';
import { openTransaction, type StoreTransaction } from './store-transaction.ts';
import {
  type DueDeadline,
  type StoredConversation,
  type StoredEvent,
  type StoredTransaction,
  type StoredTurn,
} from './stored-conversation.ts';
import { type PersonalVault } from './personal-vault.ts';
import { readSealedInvocations, sealedOutboxReader } from './read-sealed.ts';
import { StreamReader } from './stream-reader.ts';
import { everyTenant } from './tenant-scope.ts';
import { ToolCatalogue } from './tool-catalogue.ts';
import { ToolLedger } from './tool-ledger.ts';
import { conversationUnsealing, eventUnsealing, transactionUnsealing, turnUnsealing } from './unsealings.ts';

/** The evidence of every conversation, in Postgres (DESIGN section 8). Every read of one tenant's data takes the tenant. */
export class EventStore {
  readonly ledger: ToolLedger;
  /** The pinned schemas of the servers' tools. */
  readonly catalogue: ToolCatalogue;
  /** Whole streams: what a replay reads. */
  readonly streams: StreamReader;
  /** What an evidence bundle is made of beside events and projections. */
  readonly evidence: EvidenceReader;
  /** The alarms that are open. */
  readonly alarms: OpenAlarms;
  /** This producer's outbox. */
  readonly outbox: OutboxReader;

  constructor(
    private readonly database: Database,
    private readonly producer: string,
    private readonly vault: PersonalVault,
  ) {
    this.ledger = new ToolLedger(database, producer, vault);
    this.catalogue = new ToolCatalogue(database);
    this.alarms = new OpenAlarms(database);
    this.streams = new StreamReader(database, vault);
    this.evidence = new EvidenceReader(database, vault);
    this.outbox = sealedOutboxReader(database.sql, outboxReader(database.sql, producer), vault);
  }

  /**
   * Runs `work` in one database transaction.
   *
   * @throws RetryableError on a version or serialization conflict, a lock or statement time-out, or a lost connection: nothing was stored, or it was
   * and the claims of the repeated batch say so. Its kind says how often to repeat (`asStoreError`). What `work` throws rises unchanged.
   */
  async inTransaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    return this.database.transaction((sql, now) =>
      work(openTransaction({ sql, now, producer: this.producer, vault: this.vault })),
    );
  }

  /** A conversation as it was last committed. */
  async readConversation(tenantId: string, conversationKey: string): Promise<StoredConversation | undefined> {
    const sql = this.of(tenantId);
    const stored = await readConversation(sql, tenantId, conversationKey);
    return this.vault.unsealOne(sql, stored, conversationUnsealing);
  }

  /** How many events a conversation has, as it was last committed; undefined when there is none. */
  async countEvents(tenantId: string, conversationKey: string): Promise<number | undefined> {
    return (await readConversation(this.of(tenantId), tenantId, conversationKey))?.version;
  }

  /** The events of a conversation after a version, in order. */
  async readEvents(range: EventRange): Promise<readonly StoredEvent[]> {
    const sql = this.of(range.tenantId);
    return this.vault.unseal(sql, await readEvents(sql, range), eventUnsealing);
  }

  /** The events of all conversations and tenants in one lasting order, without missing a late commit. For roles that may see every tenant. */
  async followEvents(from: {
    readonly after: GlobalPosition | null;
    readonly limit: number;
  }): Promise<readonly (StoredEvent & { readonly at: GlobalPosition })[]> {
    const sql = this.database.within(everyTenant);
    const events = await followEvents(sql, from);
    const opened = await this.vault.unseal(sql, events, eventUnsealing);
    return opened.flatMap((event, index) => {
      const at = events[index]?.at;
      return at ? { ...event, at } : [];
    });
  }

  /** A turn and its answer. */
  async readTurn(tenantId: string, turnId: string): Promise<StoredTurn | undefined> {
    return [...(await this.readTurns(tenantId, [turnId])).values()][0];
  }

  /** The turns of these ids that belong to the tenant, with their answers, in one round trip. */
  async readTurns(tenantId: string, turnIds: readonly string[]): Promise<ReadonlyMap<TurnId, StoredTurn>> {
    const sql = this.of(tenantId);
    const turns = await loadTurns(sql, turnIds, { tenantId });
    const opened = await this.vault.unseal(
      sql,
      [...turns.values()],
      turnUnsealing(() => tenantId),
    );
    return new Map(opened.map((turn) => [turn.turnId, turn]));
  }

  /** What has overtaken something that was said and not heard yet; null: nothing so far. Only the transaction that handles it knows for sure. */
  async findOvertaking(unheard: Unheard): Promise<Overtaking | null> {
    return findOvertaking(this.of(unheard.tenantId), this.vault, unheard);
  }

  /** The transactions that a filter lets through, newest first, with their items. */
  async listTransactions(filter: TransactionFilter): Promise<readonly StoredTransaction[]> {
    const sql = this.of(filter.tenantId);
    return this.vault.unseal(sql, await listTransactions(sql, filter), transactionUnsealing);
  }

  /** The transactions of a tenant that started at an instant or later, counted by state and outcome. */
  async countTransactions(of: {
    readonly tenantId: string;
    readonly since: string;
  }): Promise<readonly TransactionCount[]> {
    return countTransactions(this.of(of.tenantId), of);
  }

  /** How many transactions are open, of all tenants, by status; a status without any is not there. Numbers only: nothing of a tenant is told. */
  async countOpenTransactions(): Promise<ReadonlyMap<string, number>> {
    return countOpenTransactions(this.database.sql);
  }

  /** One transaction with its items. */
  async readTransaction(tenantId: string, transactionId: string): Promise<StoredTransaction | undefined> {
    const sql = this.of(tenantId);
    const stored = await readTransaction(sql, tenantId, transactionId);
    return this.vault.unsealOne(sql, stored, transactionUnsealing);
  }

  /** What the engine approved under this id: the executor trusts this, not the record. */
  async readApprovedInvocation(invocationId: string): Promise<ApprovedInvocation | undefined> {
    return (await this.readApprovedInvocations([invocationId])).get(invocationId);
  }

  /** The same for a batch, in one round trip. */
  async readApprovedInvocations(invocationIds: readonly string[]): Promise<ReadonlyMap<string, ApprovedInvocation>> {
    return readSealedInvocations(this.database.within({ invocationIds }, 'by_key'), invocationIds, this.vault);
  }

  /** The schema of each tool that was accepted: what a proposal is made under, and what alone is called. */
  async readAcceptedSchemas(): Promise<readonly { server: string; tool: string; hash: string }[]> {
    const tools = await this.catalogue.read();
    return tools.map(({ server, tool, acceptedHash }) => ({ server, tool, hash: acceptedHash }));
  }

  /** Keeps configurations under their digest, so that a transaction can go on with the one that it started with. */
  async saveConfigVersions(agents: readonly AgentConfig[]): Promise<void> {
    return saveConfigVersions(this.database.sql, agents);
  }

  /** The configuration of a digest, as it was saved. */
  async readConfigVersion(digest: string): Promise<AgentConfig | undefined> {
    return readConfigVersion(this.database.sql, digest);
  }

  /**
   * Deadlines that have passed, oldest first; conversations that a batch is just working on are left out. Each is only a wake-up, and more than one
   * replica may get it: claim it under a deterministic id, load, decide again.
   */
  async dueDeadlines(request: { readonly limit: number }): Promise<readonly DueDeadline[]> {
    return dueDeadlines(this.database.sql, request);
  }

  /**
   * Forgets claims of the inbox that are older than so many hours, at most `limit` of all tenants, so that the inbox does not grow for ever. A message that
   * comes again after that is handled anew: keep claims for longer than the bus keeps messages (Kafka: 7 days unless set) and than a caller repeats one.
   *
   * @returns how many were forgotten; as many as `limit` when there may be more.
   */
  async forgetOldClaims(request: { readonly olderThanHours: number; readonly limit: number }): Promise<number> {
    return forgetOldClaims(this.database.sql, request);
  }

  /**
   * Signs the heads of the streams that have grown since the last seal, at most `maxEvents` events of them: call it again until there is `nothing_new`. Any number
   * of replicas may do it at once: one seals. Publish the message at once; what a crash leaves is published by the relay.
   */
  async sealEvidence(round: SealingRound): Promise<SealingOutcome> {
    return this.database.transaction((sql, now) => sealEvidence({ sql, now, producer: this.producer }, round));
  }

  /**
   * Verifies streams, heads and seals, page by page in bounded memory, and says of each kind of damage where it is met first (invariant I15). For roles that may
   * see every tenant; it changes nothing.
   *
   * @throws TerminalError when a public key cannot be read.
   */
  async verifyStore(request: VerifyRequest): Promise<VerifyReport> {
    return verifyStore(this.database, request);
  }

  /** The same of one conversation of a tenant, without the signatures of its seals; undefined when there is none. */
  async verifyStream(of: {
    readonly tenantId: string;
    readonly conversationKey: string;
  }): Promise<StreamVerdict | undefined> {
    return verifyStream(this.database, of);
  }

  /**
   * Makes the partitions of events for this month and so many months ahead, as far as they are missing; of many replicas that do it at once one makes them.
   *
   * @returns the names of those that were made, and whether events lie outside the months, in `events_default`: then the job has not run for months.
   */
  async keepPartitions(request: { readonly monthsAhead: number }): Promise<PartitionsKept> {
    return keepPartitions(this.database.sql, request);
  }

  /**
   * Makes transactions, items, and what is missing of turns, approved calls and the ledger, anew from the events, while the system runs. For the role
   * `latch_maintenance`.
   *
   * @returns how far it came: every stream that was there at the begin.
   */
  async rebuildProjections(request: ProjectionsRequest): Promise<ProjectionsProgress> {
    const { database, producer, vault, streams } = this;
    return rebuildProjections({ database, producer, vault, streams }, request);
  }

  /**
   * Compares every row that is made from the events, and what the ledger says of calls that have ended, with the events, and looks for rows of no stream; in bounded
   * memory, while the system runs. For roles that may see every tenant; it changes nothing.
   */
  async verifyProjections(request: ProjectionsToVerify): Promise<ProjectionsReport> {
    const { database, vault } = this;
    return verifyProjections({ database, vault }, request);
  }

  /** Statements that see the rows of one tenant. */
  private of(tenantId: string): Sql {
    return this.database.within({ tenants: [tenantId] });
  }

  /** The database clock, UTC with milliseconds. */
  async now(): Promise<string> {
    const [row] = await this.database.sql<{ now: string }>(`SELECT ${clockColumn}`);
    return row?.now ?? '';
  }

  /** Whether the last use of the database succeeded. */
  isHealthy(): boolean {
    return this.database.isHealthy();
  }

  /** Ends the connections, when their work is done. */
  async close(): Promise<void> {
    await this.database.close();
  }
}
