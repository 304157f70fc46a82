import { type TurnExplanation } from '@latch/contracts';
import { type MessageClass, messageClasses, messageClassMeanings } from './message-class.ts';
import { type Message } from './message.ts';
import { precedence, type RankedState } from './precedence.ts';
import { type RankedTurn } from './rank-turn.ts';
import { type ConversationState } from './state.ts';

type ExplainedClass = TurnExplanation['decision']['classes'][number];

/** What was recorded about the ranking of a turn. */
export type RecordedRule = { readonly status: RankedState; readonly rule: MessageClass };

/** Every class that a message can be of, with its verdict and the reason: those with a line in this state first, in the order of the table. */
export function explainRanking(ranked: RankedTurn, recorded: RecordedRule): ExplainedClass[] {
  const rows = precedence[recorded.status].map(({ message }) => message);
  const order = [...rows, ...messageClasses.filter((name) => !rows.includes(name))];
  return order.map((name) => explainClass(name, ranked, recorded));
}

function explainClass(name: MessageClass, { message, settled }: RankedTurn, recorded: RecordedRule): ExplainedClass {
  const line = lineOf(recorded.status, name);
  const holds = message.classes.has(name);
  const verdict = verdictOf(name, { holds, line, recorded });
  return {
    message_class: name,
    meaning: messageClassMeanings[name],
    line,
    action: line === null ? null : (precedence[recorded.status][line - 1]?.action ?? null),
    holds,
    because: holds ? grounds[name](message, settled) : null,
    verdict,
    why: whyOf(verdict, { line, recorded }),
  };
}

function lineOf(status: RankedState, name: MessageClass): number | null {
  const index = precedence[status].findIndex(({ message }) => message === name);
  return index < 0 ? null : index + 1;
}

type Line = { readonly line: number | null; readonly recorded: RecordedRule };

function verdictOf(name: MessageClass, of: Line & { readonly holds: boolean }): ExplainedClass['verdict'] {
  if (name === of.recorded.rule) return 'won';
  if (!of.holds) return 'absent';
  return of.line === null ? 'no_line' : 'lost';
}

function whyOf(verdict: ExplainedClass['verdict'], { line, recorded }: Line): string {
  const { status, rule } = recorded;
  switch (verdict) {
    case 'won':
      return `It is the first line of the table for ${status} that applies: line ${line} of ${precedence[status].length}.`;
    case 'lost':
      return `Line ${line} comes after line ${lineOf(status, rule)}, ${rule}, which applies.`;
    case 'no_line':
      return `In ${status} nothing is done about it: the table has no line for it.`;
    case 'absent':
      return 'The message is not of this class.';
    default:
      return verdict satisfies never;
  }
}

/** What in the message, or in the state that it met, makes it one of a class. */
const grounds: Readonly<Record<MessageClass, (message: Message, settled: ConversationState) => string | null>> = {
  stale_answer: staleGround,
  fills_parameter: ({ changed }) => listOf(changed),
  amends: ({ change, changed }) => (change === null ? listOf(changed) : JSON.stringify(change)),
  abandons: () => null,
  new_intent: intentGround,
  side_question: intentGround,
  resumes: (_, { parked }) => `parked: ${parked.map(({ tool }) => tool).join(', ')}`,
  declines_resume: (_, { parked, resumeOffer }) =>
    `offered: ${parked.find(({ id }) => id === resumeOffer)?.tool ?? 'nothing that is left'}`,
  retries_failed: () => null,
  confirms: () => null,
  declines: () => null,
  invalid_value: ({ invalid }) =>
    Object.entries(invalid)
      .map(([name, problem]) => `${name}: ${problem}`)
      .join('; '),
  same_intent: intentGround,
  domain_word: () => null,
  unclear: () => null,
};

function staleGround({ proposalId, turn }: Message, { transaction }: ConversationState): string {
  const shown = transaction?.status === 'AWAITING_CONFIRMATION' ? transaction.proposal.proposalId : null;
  if (proposalId !== null && proposalId !== shown)
    return `it answers proposal ${proposalId}; shown is ${shown ?? 'none'}`;
  return `${turn.userId} answers; ${transaction?.userId ?? 'nobody'} was asked`;
}

function intentGround({ intent }: Message): string | null {
  if (intent === null) return null;
  const { config } = intent;
  return config.tool === null ? `intent ${config.intent}` : `intent ${config.intent}, tool ${config.tool}`;
}

function listOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ');
}
