import { ConversationKey, GatewayRequest, isRecord, topics } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type Redrivable } from '@latch/messaging';
import { type LetterRefusal } from './plan-redrive.ts';

/** What is asked of the event store. */
export type StoreToAsk = Pick<EventStore, 'readTurn' | 'findOvertaking' | 'readApprovedInvocation' | 'now'>;

/**
 * Whether the event store knows something that speaks against sending a message again: its turn was answered, its conversation has gone on, its call has expired, its
 * person was erased. The consumers know it too, and have the last word; asking first says it to the operator.
 */
export async function checkWithStore(
  store: StoreToAsk,
  { message, received }: Redrivable,
): Promise<LetterRefusal | null> {
  return message.topic === topics.turns
    ? checkTurn(store, received)
    : checkCall(store, message.topic, received.payload);
}

async function checkTurn(
  store: StoreToAsk,
  { envelope, payload }: Redrivable['received'],
): Promise<LetterRefusal | null> {
  const { tenant_id: tenantId, event_id: turnId, timestamp: acceptedAt } = envelope;
  const known = await store.readTurn(tenantId, turnId);
  if (known?.status === 'done') {
    const why =
      'its turn was answered, perhaps with the news that it failed: sent again it would get the same answer. The person has to say it anew';
    return { word: 'answered', why };
  }
  if (known !== undefined) return { word: 'answered', why: 'its turn was heard and is under way' };
  const conversationKey = ConversationKey.parse(envelope.conversation_key);
  const person = GatewayRequest.parse(payload).payload.user_id ?? null;
  const overtaking = await store.findOvertaking({ tenantId, conversationKey, person, acceptedAt });
  if (overtaking === 'erasure') return erased;
  if (overtaking === null) return null;
  return {
    word: 'overtaken',
    why: 'its conversation has gone on since it was said: a yes of before is no yes to what is asked now',
  };
}

const erased: LetterRefusal = {
  word: 'erased',
  why: 'the personal data of its person was erased since, and nothing is done for somebody of whom nothing is known',
};

async function checkCall(store: StoreToAsk, topic: string, payload: unknown): Promise<LetterRefusal | null> {
  const id = isRecord(payload) ? payload['invocation_id'] : undefined;
  const approved = typeof id === 'string' ? await store.readApprovedInvocation(id) : undefined;
  if (approved === undefined) return { word: 'not_approved', why: 'the event store knows no such call' };
  if (approved.isErased) return erased;
  if (topic !== topics.toolInvocations || approved.expiresAt === null) return null;
  if (Date.parse(approved.expiresAt) > Date.parse(await store.now())) return null;
  return { word: 'expired', why: `its approval ended at ${approved.expiresAt}: the executor would refuse it` };
}
