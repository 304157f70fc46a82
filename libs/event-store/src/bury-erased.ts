import { type ConversationKey, deterministicId } from '@latch/contracts';
import { append } from './append.ts';
import { type ConversationAppend, type EventToAppend } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { type BatchSealing } from './personal-vault.ts';
import { type DestroyedBy } from './person-keys.ts';
import { type LoadedConversation } from './stored-conversation.ts';
import { type Streams } from './streams.ts';

/** Type of the event that tells of an erasure. It is chained like any other: the erasure itself is evidence. */
export const erasureEvent = 'PersonalDataErased';

/** How a transaction ends that was open, and waited for the person, when the person's data went. */
export const endOfErased = { erase: 'CANCELLED', retention: 'EXPIRED' } as const satisfies Record<DestroyedBy, string>;

/** What a tombstone says, as it is hashed. */
export function erasureFact(reason: DestroyedBy, erasedAt: string): Readonly<Record<string, string>> {
  return { type: erasureEvent, reason, erasedAt };
}

/** A conversation whose personal data is gone, as it was found. */
export type ErasedConversation = {
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  readonly loaded: LoadedConversation;
  readonly reason: DestroyedBy;
};

type Around = { readonly sql: Sql; readonly producer: string; readonly now: string };

/**
 * Opens loaded conversations. Where a snapshot is erased the conversation begins anew: a tombstone is appended, and whoever speaks next finds an empty state
 * behind it. Nothing else ever stands between what was erased and what comes after.
 */
export async function buryErased(
  around: Around & { readonly sealing: BatchSealing },
  streams: Streams,
  stored: ReadonlyMap<ConversationKey, LoadedConversation>,
): Promise<ReadonlyMap<ConversationKey, LoadedConversation>> {
  const opened = new Map<ConversationKey, LoadedConversation>();
  const buried: ErasedConversation[] = [];
  for (const [conversationKey, loaded] of stored) {
    const tenantId = streams.get(conversationKey)?.tenantId ?? '';
    const found = await around.sealing.open({ tenantId, conversationKey }, loaded);
    opened.set(conversationKey, found.loaded);
    if (found.erasedBy !== null)
      buried.push({ conversationKey, tenantId, loaded: found.loaded, reason: found.erasedBy });
  }
  if (buried.length === 0) return opened;
  return new Map([...opened, ...(await bury(around, buried))]);
}

/** Appends the tombstones, forgets the snapshots and deadlines, and ends what was open. The conversations must be locked. */
export async function bury(
  { sql, producer, now }: Around,
  conversations: readonly ErasedConversation[],
): Promise<ReadonlyMap<ConversationKey, LoadedConversation>> {
  const loaded = new Map(conversations.map(({ conversationKey, loaded: found }) => [conversationKey, found]));
  const after = await append(
    { sql, producer },
    loaded,
    conversations.map((conversation) => tombstoneOf(conversation, now)),
  );
  await sql(endOpenSql, [
    conversations.map(({ loaded: { streamId } }) => streamId),
    conversations.map(({ reason }) => endOfErased[reason]),
    now,
  ]);
  return after;
}

/** A call that is under way keeps its status: nobody can claim how it ended. */
const endOpenSql = `
  UPDATE transactions t SET status = i.status, ended_at = $3::timestamptz
  FROM unnest($1::uuid[], $2::text[]) AS i (stream_id, status)
  WHERE t.stream_id = i.stream_id AND t.ended_at IS NULL
    AND t.status IN ('COLLECTING_PARAMETERS', 'PRE_VALIDATION', 'AWAITING_CONFIRMATION', 'INTERRUPTED')`;

function tombstoneOf(
  { conversationKey, tenantId, loaded, reason }: ErasedConversation,
  now: string,
): ConversationAppend {
  const [, agentId = '', sessionId = ''] = conversationKey.split(':');
  return {
    conversationKey,
    tenantId,
    agentId,
    sessionId,
    expectedVersion: loaded.version,
    configDigest: loaded.configDigest,
    state: null,
    events: [erasureOf(conversationKey, loaded.version + 1, { reason, now })],
    turns: [],
    transactions: [],
    invocations: [],
    deadline: null,
    outgoing: [],
  };
}

function erasureOf(
  conversationKey: string,
  version: number,
  { reason, now }: { readonly reason: DestroyedBy; readonly now: string },
): EventToAppend {
  const eventId = deterministicId('erased', conversationKey, version);
  return {
    eventId,
    type: erasureEvent,
    payload: erasureFact(reason, now),
    occurredAt: now,
    causationId: null,
    messageId: null,
    transactionId: null,
    traceId: eventId.replaceAll('-', ''),
  };
}
