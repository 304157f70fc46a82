import { type EvidenceBundle, type EvidenceTurn, type Locale, platformVersion } from '@latch/contracts';
import { isErased } from '@latch/event-store';
import { composeReply } from '@latch/presentation';
import { type BundledFactOf, factsOfBundle, factsOfType } from './facts-of-bundle.ts';
import { type Finding, finding, isSame, unless } from './finding.ts';

type Facts = {
  readonly received: ReadonlyMap<number, BundledFactOf<'TurnReceived'>['fact']>;
  readonly answered: ReadonlyMap<number, BundledFactOf<'TurnAnswered'>['fact']>;
};

/** The chat is what the events hold: the user's words, and answers that are made of what the engine decided to say. */
export function checkTurns(bundle: EvidenceBundle): readonly Finding[] {
  const facts = factsOfBundle(bundle);
  const received = factsOfType(facts, 'TurnReceived');
  const { turns = [] } = bundle;
  const inEvents: Facts = {
    received: new Map(received.map(({ sequence, fact }) => [sequence, fact])),
    answered: new Map(factsOfType(facts, 'TurnAnswered').map(({ sequence, fact }) => [sequence, fact])),
  };
  const listed = isSame(
    turns.map(({ sequence }) => sequence),
    received.map(({ sequence }) => sequence),
  );
  return [
    ...(listed ? [] : [finding('turns', 'turns', 'the list is not what the events say')]),
    ...turns.flatMap((turn) =>
      turnProblems(turn, inEvents, bundle).map((problem) => finding('turns', `turn ${turn.turn_id}`, problem)),
    ),
  ];
}

function turnProblems(turn: EvidenceTurn, facts: Facts, bundle: EvidenceBundle): readonly string[] {
  const input = facts.received.get(turn.sequence)?.input;
  if (input === undefined) return ['no event received it'];
  const said = isErased(input.text) ? null : input.text;
  const inputs = isErased(input.inputs) ? null : input.inputs;
  return [
    ...unless(
      turn.turn_id === input.turnId && turn.message_id === input.messageId,
      'it is another turn than its event says',
    ),
    ...unless(turn.said_at === input.at && turn.channel === input.channel, 'its time or channel is another one'),
    ...unless(turn.said === said && isSame(turn.inputs ?? null, inputs), 'other words than its event holds'),
    ...answerProblems(turn, facts, bundle),
  ];
}

function answerProblems(
  { answer, turn_id: id }: EvidenceTurn,
  { answered }: Facts,
  bundle: EvidenceBundle,
): readonly string[] {
  const own = [...answered].find(([, fact]) => fact.turnId === id);
  if (answer === null) return own === undefined ? [] : ['its answer is left out'];
  const fact = answered.get(answer.sequence);
  if (fact === undefined || fact.turnId !== id) return ['no event answered it'];
  if (answer.answered_at !== fact.answeredAt) return ['it was answered at another time'];
  if (isErased(fact.slots)) return unless(answer.text === null, 'it has words, and what was decided to say is erased');
  if (answer.text === null) return ['its words are left out, and are not erased'];
  // Another release may put the same facts into other words; what it told is in the slots, which the chain holds.
  if (bundle.exported_by !== platformVersion) return [];
  const words = composeReply({ slots: fact.slots }, localeOf(bundle.locale));
  return words === answer.text || isCut(words, answer.text) ? [] : ['its answer has other words than were decided'];
}

/** An answer that was too long for the bus ends in three dots. */
function isCut(words: string, text: string): boolean {
  return text.endsWith('\n...') && words.startsWith(text.slice(0, -4));
}

function localeOf(locale: string | undefined): Locale {
  return locale === 'pt-BR' || locale === 'es' ? locale : 'en';
}
