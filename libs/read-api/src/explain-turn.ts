import { EventEnvelope, failure, type Result, success, type TurnExplanation } from '@latch/contracts';
import { type StoredConversation } from '@latch/event-store';
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
  const facts = await readFacts(reads, conversation);
  const received = findTurn(facts, messageId);
  if (received === undefined) return failure({ status: 404, code: 'turn.unknown' });
  const agent = await reads.readConfigVersion(received.configDigest);
  if (agent === undefined) return failure({ status: 404, code: 'config.unknown' });
  const explanation = explainTurn({ identity: conversation, facts, received, agent });
  if (explanation === null) return failure({ status: 404, code: 'turn.unknown' });
  const text = await readAnswerText(reads, conversation.tenantId, received.input.turnId);
  return success({ ...explanation, reply: { ...explanation.reply, text } });
}

async function readFacts(reads: StoreReads, of: StoredConversation): Promise<readonly RecordedFact[]> {
  const facts: RecordedFact[] = [];
  for (let after = 0; after < of.version; after += eventsPerPage) {
    const page = await reads.readEvents({
      tenantId: of.tenantId,
      key: of.conversationKey,
      after,
      limit: eventsPerPage,
    });
    for (const { version, payload } of page) {
      if (isTransactionEvent(payload)) facts.push({ sequence: version, event: payload });
    }
  }
  return facts;
}

/** The words of the answer, which are beside the facts that they were made from. */
async function readAnswerText(reads: StoreReads, tenantId: string, turnId: string): Promise<string | null> {
  const turn = await reads.readTurn(tenantId, turnId);
  if (turn === undefined || turn.response === null) return null;
  const { text } = EventEnvelope.parse(JSON.parse(turn.response)).payload;
  return typeof text === 'string' ? text : null;
}
