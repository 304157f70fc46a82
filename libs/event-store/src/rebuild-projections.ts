import { type ReadExecution } from './pair-ledger.ts';
import { compareProjections, type ComparisonParts } from './compare-projections.ts';
import { type Database, type Sql } from './database.ts';
import { indexRecords } from './index-records.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type DeadlineColumns, deadlineOf } from './read-conversation.ts';
import { readProjections, wantedOf } from './read-projections.ts';
import { proveStream } from './prove-stream.ts';
import { readStream, type StoredStream } from './read-streams.ts';
import { unsealPage } from './read-sealed.ts';
import { type RebuildWork, workOf } from './rebuild-work.ts';
import { restoreLedger } from './restore-ledger.ts';
import { type LoadedConversation, type StoredConversation } from './stored-conversation.ts';
import { type StreamReader } from './stream-reader.ts';
import { openTransaction, type StoreTransaction } from './store-transaction.ts';
import { type Projector, type StreamProjection } from './stream-projection.ts';
import { openScope } from './tenant-scope.ts';

/** How far a rebuild is. */
export type ProjectionsProgress = {
  readonly streams: number;
  readonly ofStreams: number;
  /** Transactions that the events tell of. */
  readonly transactions: number;
  /** Rows that were not what the events say, and are now: written, or taken away. */
  readonly changed: number;
  /** Rows that are not what the events say and stay byte for byte: answers and approvals that are there, and what the executor recorded. */
  readonly left: number;
  /** Calls of which the ledger knows nothing and that may still begin: whether their rows were lost can be told when that time is over. */
  readonly mayBegin: number;
  /** Streams of which no projection could be made; theirs stays as it is. */
  readonly skipped: number;
  /** How many of these are not of erased people: their events were altered, their configuration is gone, or making the rows failed. */
  readonly unprovable: number;
};

/** What to rebuild, and how. */
export type ProjectionsRequest = {
  readonly project: Projector;
  /** Reads a recorded execution, as the normalizer does. */
  readonly read: ReadExecution;
  /** The instant before which retention has let rows of a tenant go; they are not brought back. Not given: it never does. */
  readonly keptSince?: ComparisonParts['keptSince'];
  /** Only of this tenant; of all when left out. */
  readonly tenantId?: string;
  /** Told after each stream. */
  readonly onProgress?: (progress: ProjectionsProgress) => void;
};

type Store = {
  readonly database: Database;
  readonly producer: string;
  readonly vault: PersonalVault;
  readonly streams: StreamReader;
};

/**
 * Makes the projections of every stream anew from its events, while the system runs: each stream in a transaction of its own, with its conversation locked as a batch
 * locks it, from the events that are committed then. A reader sees the old rows or the new ones, never none. Rows that are right are not written again.
 */
export async function rebuildProjections(store: Store, request: ProjectionsRequest): Promise<ProjectionsProgress> {
  const { tenantId, onProgress } = request;
  const filter = tenantId === undefined ? {} : { tenantId };
  const ofStreams = await store.streams.count(filter);
  let progress: ProjectionsProgress = { streams: 0, ofStreams, ...nothing };
  for await (const stream of store.streams.read(filter)) {
    const rebuilt = { ...nothing, ...(await rebuildStream(store, stream, request)) };
    const streams = progress.streams + 1;
    progress = {
      streams,
      ofStreams: Math.max(ofStreams, streams),
      skipped: progress.skipped + rebuilt.skipped,
      unprovable: progress.unprovable + rebuilt.unprovable,
      transactions: progress.transactions + rebuilt.transactions,
      changed: progress.changed + rebuilt.changed,
      left: progress.left + rebuilt.left,
      mayBegin: progress.mayBegin + rebuilt.mayBegin,
    };
    onProgress?.(progress);
  }
  return progress;
}

const nothing = { transactions: 0, changed: 0, left: 0, mayBegin: 0, skipped: 0, unprovable: 0 };

type Rebuilt = Partial<typeof nothing>;

async function rebuildStream(store: Store, known: StoredStream, request: ProjectionsRequest): Promise<Rebuilt> {
  const { database, producer, vault } = store;
  const { tenantId, conversationKey, streamId, isStateAltered } = known.conversation;
  // Who writes rows of a conversation writes its snapshot with them.
  if (isStateAltered === true) return { skipped: 1, unprovable: 1 };
  return database.transaction(async (sql, now) => {
    // A row that somebody gave to another tenant is seen, and given back.
    await openScope(sql, { tenants: ['*', tenantId] });
    const tx = openTransaction({ sql, now, producer, vault });
    const locked = (await tx.load([conversationKey])).get(conversationKey);
    if (!locked) return { skipped: 1 };
    const stream = await asLocked({ sql, vault }, known, locked);
    const proven = await proveStream(stream, request.project);
    if (proven.projection === null) return { skipped: 1, unprovable: proven.why === 'erased' ? 0 : 1 };
    const { projection } = proven;
    const records = indexRecords(await readProjections(sql, vault, wantedOf([{ stream, projection }])));
    const parts = { read: request.read, keptSince: request.keptSince ?? ((): null => null) };
    const { differences } = compareProjections(stream.conversation, { projection, records }, parts);
    const work = workOf(projection, differences);
    if (work.changed > 0) await write({ sql, tx }, stream, work);
    const kept = withoutGone(projection, parts.keptSince(tenantId));
    const restored = await restoreLedger({ sql, vault, now, tenantId, streamId }, kept, records);
    const [transactions, changed] = [projection.transactions.length, work.changed + restored.rows];
    return { transactions, changed, left: work.left, mayBegin: restored.mayBegin };
  });
}

/** Without the calls that retention has let go of. */
function withoutGone(projection: StreamProjection, since: string | null): StreamProjection {
  const isKept = ({ invocationId }: { readonly invocationId: string }): boolean => {
    const begun = projection.begunAt?.get(invocationId);
    return since === null || begun === undefined || Date.parse(begun) >= Date.parse(since);
  };
  return { ...projection, calls: projection.calls?.filter(isKept) ?? [] };
}

/** The stream as it is now that its conversation is locked: with what was appended, and which deadline was set, since it was read. */
async function asLocked(
  { sql, vault }: { readonly sql: Sql; readonly vault: PersonalVault },
  known: StoredStream,
  { version, state, headHash, configDigest }: LoadedConversation,
): Promise<StoredStream> {
  const deadline = await deadlineNow(sql, known.conversation.streamId);
  const conversation = { ...known.conversation, version, state, headHash, configDigest, deadline };
  if (version === known.conversation.version) return { conversation, events: known.events };
  // The snapshot is open already, only the events are sealed.
  const stream = await readStream(sql, { ...conversation, state: null });
  const [opened] = await unsealPage(sql, stream ? [stream] : [], vault);
  return { conversation, events: opened?.events ?? [] };
}

async function deadlineNow(sql: Sql, streamId: string): Promise<StoredConversation['deadline']> {
  const [row] = await sql<DeadlineColumns>(
    `SELECT deadline_at, deadline_transaction_id, deadline_rev FROM conversations WHERE stream_id = $1`,
    [streamId],
  );
  return row ? deadlineOf(row) : null;
}

/** An append of no events: the same way, the same checks and the same sealing as everything else that is stored of a conversation. */
async function write(
  { sql, tx }: { readonly sql: Sql; readonly tx: StoreTransaction },
  { conversation }: StoredStream,
  { person = null, transactions, turns, invocations, gone }: RebuildWork,
): Promise<void> {
  await sql(
    `WITH gone AS (DELETE FROM transactions WHERE transaction_id = ANY ($1::text[]))
     DELETE FROM transaction_items WHERE transaction_id = ANY ($1::text[])`,
    [gone],
  );
  await tx.append([
    {
      conversationKey: conversation.conversationKey,
      tenantId: conversation.tenantId,
      agentId: conversation.agentId,
      sessionId: conversation.sessionId,
      person,
      expectedVersion: conversation.version,
      configDigest: conversation.configDigest,
      state: conversation.state,
      events: [],
      turns,
      transactions,
      invocations,
      deadline: conversation.deadline,
      outgoing: [],
    },
  ]);
}
