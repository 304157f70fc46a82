import { type BusMessage, EventEnvelope, topics, type TurnId } from '@latch/contracts';
import { type ClaimOutcome, type ConversationAppend, type StoredTurn } from '@latch/event-store';
import { toBusMessage } from '@latch/messaging';
import { conflictMessage } from './outgoing.ts';
import { responseIdOf } from './response.ts';
import { type TurnWork, type Work } from './work.ts';

type Known = {
  /** One for each unit of work, in the same order. */
  readonly claims: readonly ClaimOutcome[];
  readonly turns: ReadonlyMap<TurnId, StoredTurn>;
  /** What this very batch decided: a repeat may stand right behind its first. */
  readonly appends: readonly ConversationAppend[];
  readonly at: string;
};

/**
 * What is said to messages that came before (invariant I2): the stored answer again, byte for byte; nothing while the first is in flight, because its
 * answer will reach both callers; a conflict when the same id came with another body.
 */
export function answerRepeats(work: readonly Work[], known: Known): readonly BusMessage[] {
  const answers = new Map<string, string | null>([
    ...[...known.turns.values()].map(({ turnId, response }) => [turnId, response] as const),
    ...known.appends.flatMap(({ turns }) => turns.map(({ turnId, response }) => [turnId, response] as const)),
  ]);
  return work.flatMap((unit, index) => {
    const claim = known.claims[index];
    if (unit.kind !== 'turn' || claim?.kind !== 'repeat') return [];
    if (!claim.bodyMatches) return conflictMessage(unit, known.at);
    const answer = answers.get(unit.turnId);
    return answer ? sameAnswer(unit, answer) : [];
  });
}

function sameAnswer({ identity, turnId }: TurnWork, text: string): BusMessage {
  const { event_id = responseIdOf(turnId), ...envelope } = EventEnvelope.parse(JSON.parse(text));
  const addressed = { ...envelope, event_id, conversation_key: identity.conversationKey };
  return { ...toBusMessage(topics.responses, addressed), value: text };
}
