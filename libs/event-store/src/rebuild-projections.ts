import { type ApprovedInvocation, type TransactionRow, type TurnRow } from './conversation-append.ts';
import { type Database, type Sql } from './database.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type DeadlineColumns, deadlineOf } from './read-conversation.ts';
import { readStream, type StoredStream } from './read-streams.ts';
import { unsealPage } from './read-sealed.ts';
import { type LoadedConversation, type StoredConversation } from './stored-conversation.ts';
import { type StreamReader } from './stream-reader.ts';
import { openTransaction, type StoreTransaction } from './store-transaction.ts';
import { openScope } from './tenant-scope.ts';

/** What the events of one stream say the projections must hold. */
export type StreamProjection = {
  /** Who spoke last, as in `ConversationAppend`: what is personal is sealed under the key of this person. */
  readonly person?: string | null;
  /** Every transaction of the stream as it is now; whatever else is stored of the stream goes. */
  readonly transactions: readonly TransactionRow[];
  /** Turns: one that is not there, or has no answer yet, is stored; an answer that is there stays byte for byte (invariant I2). */
  readonly turns?: readonly TurnRow[];
  /** Calls that the engine approved: one that is not there is stored, so that no repeat of its record is refused, and none runs unapproved. */
  readonly invocations?: readonly ApprovedInvocation[];
};

/** Makes the projection of a stream from its events; pure but for configurations that it may load. Null: it cannot be made, as of an erased conversation. */
export type Projector = (stream: StoredStream) => Promise<StreamProjection | null> | StreamProjection | null;

/** How far a rebuild is. */
export type ProjectionsProgress = {
  readonly streams: number;
  readonly ofStreams: number;
  /** Transactions written. */
  readonly transactions: number;
  /** Streams of which no projection could be made; theirs stays as it is. */
  readonly skipped: number;
};

/** What to rebuild, and how. */
export type ProjectionsRequest = {
  readonly project: Projector;
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
 * locks it, from the events that are committed then. A reader sees the old rows or the new ones, never none.
 */
export async function rebuildProjections(
  store: Store,
  { project, tenantId, onProgress }: ProjectionsRequest,
): Promise<ProjectionsProgress> {
  const filter = tenantId === undefined ? {} : { tenantId };
  const ofStreams = await store.streams.count(filter);
  let progress: ProjectionsProgress = { streams: 0, ofStreams, transactions: 0, skipped: 0 };
  for await (const stream of store.streams.read(filter)) {
    const projection = await rebuildStream(store, stream, project);
    progress = {
      streams: progress.streams + 1,
      ofStreams: Math.max(ofStreams, progress.streams + 1),
      transactions: progress.transactions + (projection?.transactions.length ?? 0),
      skipped: progress.skipped + (projection ? 0 : 1),
    };
    onProgress?.(progress);
  }
  return progress;
}

async function rebuildStream(
  { database, producer, vault }: Store,
  known: StoredStream,
  project: Projector,
): Promise<StreamProjection | null> {
  const { tenantId, conversationKey } = known.conversation;
  return database.transaction(async (sql, now) => {
    await openScope(sql, { tenants: [tenantId] });
    const tx = openTransaction({ sql, now, producer, vault });
    const locked = (await tx.load([conversationKey])).get(conversationKey);
    if (!locked) return null;
    const stream = await asLocked({ sql, vault }, known, locked);
    const projection = await project(stream);
    if (projection) await write({ sql, tx }, stream, projection);
    return projection;
  });
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
  { person = null, transactions, turns = [], invocations = [] }: StreamProjection,
): Promise<void> {
  const { streamId } = conversation;
  const [approved] = await Promise.all([
    sql<{ invocation_id: string }>(
      `SELECT invocation_id FROM approved_invocations WHERE stream_id = $1 AND invocation_id = ANY ($2::text[])`,
      [streamId, invocations.map(({ invocationId }) => invocationId)],
    ),
    sql(
      `WITH gone AS (DELETE FROM transactions WHERE stream_id = $1 RETURNING transaction_id)
       DELETE FROM transaction_items i USING gone WHERE i.transaction_id = gone.transaction_id`,
      [streamId],
    ),
  ]);
  const known = new Set(approved.map((row) => row.invocation_id));
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
      invocations: invocations.filter(({ invocationId }) => !known.has(invocationId)),
      deadline: conversation.deadline,
      outgoing: [],
    },
  ]);
}
