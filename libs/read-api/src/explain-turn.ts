import { EventEnvelope, failure, type Result, success, type TurnExplanation } from '@latch/contracts';
import { erasureEvent, type StoredConversation, type StoredEvent } from '@latch/event-store';
import { explainTurn, findTurn, isTransactionEvent, type RecordedFact } from '@latch/transaction';
import { type Refusal } from '@latch/http';
import { type StoreReader, type StoreReads } from './store-reader.ts';

/** The state that a turn met is the fold of everything before it, so all of it is read; a longer conversation is refused. */
export const mostEvents = 10_000;
const eventsPerPage = 500;

/**
 * Explains the turn of a message from the stored events of its conversation and the configuration that decided it.
 *
 * @returns a refusal when no turn has the message, or when what it rests on is not stored any more.
 */
export async function explainStoredTurn(
  store: Pick<StoreReader, 'read'>,
  conversation: StoredConversation,
  messageId: string,
): Promise<Result<TurnExplanation, Refusal>> {
  if (conversation.version > mostEvents) return failure({ status: 422, code: 'conversation.too_long' });
  const explained = await store.read((reads) => explainFrom(reads, conversation, messageId));
  return explained.ok ? explained.value : explained;
}

async function explainFrom(
  reads: StoreReads,
  conversation: StoredConversation,
  messageId: string,
): Promise<Result<TurnExplanation, Refusal>> {
  const { facts, erased } = await readFacts(reads, conversation);
  const received = findTurn(facts, messageId);
  if (received === undefined) {
    return failure(
      erased.has(messageId) ? { status: 410, code: 'turn.erased' } : { status: 404, code: 'turn.unknown' },
    );
  }
  const agent = await reads.readConfigVersion(received.configDigest);
  if (agent === undefined) return failure({ status: 404, code: 'config.unknown' });
  const explanation = explainTurn({ identity: conversation, facts, received, agent });
  if (explanation === null) return failure({ status: 404, code: 'turn.unknown' });
  const text = await readAnswerText(reads, conversation.tenantId, received.input.turnId);
  return success({ ...explanation, reply: { ...explanation.reply, text } });
}

/** What can still be told of a conversation, and the messages that were erased before. */
type Facts = { readonly facts: readonly RecordedFact[]; readonly erased: ReadonlySet<string> };

/** Whoever speaks after an erasure finds an empty state: so what is told begins behind the last erased fact. */
async function readFacts(reads: StoreReads, of: StoredConversation): Promise<Facts> {
  const facts: RecordedFact[] = [];
  const erased = new Set<string>();
  for (let after = 0; after < of.version; after += eventsPerPage) {
    const page = await reads.readEvents({
      tenantId: of.tenantId,
      key: of.conversationKey,
      after,
      limit: eventsPerPage,
    });
    for (const { messageId } of page.filter(isGone)) if (messageId !== null) erased.add(messageId);
    const lastGone = page.findLastIndex(isGone);
    if (lastGone >= 0) facts.length = 0;
    for (const { version, payload } of page.slice(lastGone + 1)) {
      if (isTransactionEvent(payload)) facts.push({ sequence: version, event: payload });
    }
  }
  return { facts, erased };
}

function isGone({ isErased, type }: StoredEvent): boolean {
  return isErased === true || type === erasureEvent;
}

/** The words of the answer, which are beside the facts that they were made from. */
async function readAnswerText(reads: StoreReads, tenantId: string, turnId: string): Promise<string | null> {
  const turn = await reads.readTurn(tenantId, turnId);
  if (turn === undefined || turn.response === null) return null;
  const { text } = EventEnvelope.parse(JSON.parse(turn.response)).payload;
  return typeof text === 'string' ? text : null;
}
