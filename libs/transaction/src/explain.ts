import { type AgentConfig, type TurnExplanation } from '@latch/contracts';
import { draftOfTurn } from './draft.ts';
import { type EventOf } from './events.ts';
import { evidenceType } from './evidence-type.ts';
import { expectationOf } from './expectation.ts';
import { explainRanking } from './explain-ranking.ts';
import { type ToolResultArrived, type UserSpoke } from './inputs.ts';
import { precedence } from './precedence.ts';
import { rankTurn } from './rank-turn.ts';
import { type RecordedFact, type RecordedTurn, tellTurn, type ToldStep } from './recorded-turn.ts';
import { type ConversationIdentity, type ConversationState, type PendingCall } from './state.ts';
import { effectiveArguments, endedArguments, statusOf } from './to-agent-state.ts';
import { type Expectation } from './understanding.ts';

/** A turn to explain: `facts` are those of its conversation from the first one on, `received` is what `findTurn` found in them. */
export type TurnToExplain = {
  readonly identity: ConversationIdentity;
  readonly facts: readonly RecordedFact[];
  readonly received: EventOf<'TurnReceived'>;
  /** The configuration that decided: the one with the digest that the turn recorded. */
  readonly agent: AgentConfig;
};

/**
 * Explains a turn from what was recorded: its reading is the stored one, the state that it met is the fold of the facts before it, and the classes are
 * those that `decide` finds in the two. Nothing is read again and nothing is guessed; no effect (invariant I21).
 *
 * @returns null when the facts do not hold the turn.
 */
export function explainTurn({ identity, facts, received, agent }: TurnToExplain): TurnExplanation | null {
  const told = tellTurn(identity, facts, received);
  if (told === null) return null;
  const { input } = received;
  return {
    contract_version: 'turn-explanation-v1',
    conversation_key: identity.conversationKey,
    turn_id: input.turnId,
    message_id: input.messageId,
    said: saidView(input),
    waiting_for: waitingView(expectationOf(told.own.before, agent)),
    ...decisionViews(told, agent),
    events: told.story.flatMap(eventViews),
    state: {
      before: stateView(told.own.before),
      decided: stateView(told.own.after),
      answered: told.answer === null ? null : stateView(told.answer.after),
    },
    calls: callViews(told.story),
    reply: replyView(told),
  };
}

function saidView(input: UserSpoke): TurnExplanation['said'] {
  return { text: input.text, inputs: input.inputs, channel: input.channel, user_id: input.userId, at: input.at };
}

function waitingView(expectation: Expectation): TurnExplanation['waiting_for'] {
  return {
    kind: expectation.kind,
    tool: expectation.kind === 'nothing' ? null : expectation.tool.name,
    missing_parameters: expectation.kind === 'parameters' ? [...expectation.missing] : [],
    items: expectation.kind === 'confirmation' ? expectation.items.map(({ label }) => label) : [],
  };
}

/** The same ranking as in `decide`, with what was recorded beside it: where they differ, the table has changed since. */
function decisionViews(
  { received, own }: RecordedTurn,
  agent: AgentConfig,
): Pick<TurnExplanation, 'reading' | 'decision'> {
  const ranked = rankTurn(draftOfTurn(own.before, received.input, agent), received.input);
  const { status, rule, intent, route, configDigest } = received;
  return {
    reading: readingView(received.input, ranked.message.said.source),
    decision: {
      status,
      rule,
      action: precedence[status].find(({ message }) => message === rule)?.action ?? null,
      intent,
      route,
      config_digest: configDigest,
      is_reproduced: ranked.status === status && ranked.row.message === rule,
      classes: explainRanking(ranked, { status, rule }),
    },
  };
}

function readingView({ understanding: read }: UserSpoke, source: 'inputs' | 'text'): TurnExplanation['reading'] {
  return {
    source,
    confirmation: read.confirmation,
    change: read.change,
    abandons: read.abandons,
    values: read.values,
    invalid: read.invalid,
    corrects: read.corrects,
    intent: intentView(read.intent),
    has_domain_word: read.hasDomainWord,
    retries_failed: read.retriesFailed,
    resumes: read.resumes,
    rules: read.readings.map(({ rule, span, text, runnerUp }) => ({
      rule,
      span: span === null ? null : [...span],
      text,
      runner_up: runnerUp,
    })),
  };
}

function intentView(read: UserSpoke['understanding']['intent']): TurnExplanation['reading']['intent'] {
  if (read === null) return null;
  const { intent, tool, score, isClear, values, runnerUp } = read;
  return { intent, tool, score, is_clear: isClear, values, runner_up: runnerUp };
}

/** The facts of a step without the message itself, which is told at the top. */
function eventViews({ facts, input }: ToldStep): TurnExplanation['events'] {
  return facts
    .filter(({ event }) => event.type !== 'TurnReceived')
    .map(({ sequence, event }) => ({
      sequence,
      event_type: evidenceType(event.type),
      at: input.at,
      payload: { ...event },
    }));
}

function stateView(state: ConversationState): TurnExplanation['state']['before'] {
  const { transaction, parked } = state;
  return {
    status: statusOf(state),
    ...subjectOf(state),
    missing_parameters: transaction?.status === 'COLLECTING_PARAMETERS' ? [...transaction.missing] : [],
    proposal_id: transaction?.status === 'AWAITING_CONFIRMATION' ? transaction.proposal.proposalId : null,
    parked_tools: parked.map(({ tool }) => tool),
  };
}

/** The transaction that the status is about: the open one, or the one that ended in the latest turn. */
function subjectOf(state: ConversationState): {
  readonly transaction_id: string | null;
  readonly tool: string | null;
  readonly arguments: Record<string, unknown>;
} {
  const { transaction, last } = state;
  if (transaction !== null) {
    return {
      transaction_id: transaction.id,
      tool: transaction.tool,
      arguments: { ...effectiveArguments(transaction) },
    };
  }
  if (last === null || statusOf(state) === 'IDLE') return { transaction_id: null, tool: null, arguments: {} };
  return { transaction_id: last.id, tool: last.tool, arguments: { ...endedArguments(last) } };
}

function callViews(story: readonly ToldStep[]): TurnExplanation['calls'] {
  const begun = story.flatMap(({ facts }) => facts.flatMap(({ event }) => ('call' in event ? [event.call] : [])));
  const inputs = story.map(({ input }) => input).filter((input) => input.type === 'ToolResultArrived');
  return begun.map((call) =>
    callView(
      call,
      inputs.find(({ invocationId }) => invocationId === call.invocationId),
    ),
  );
}

function callView(call: PendingCall, arrived: ToolResultArrived | undefined): TurnExplanation['calls'][number] {
  return {
    invocation_id: call.invocationId,
    purpose: call.purpose,
    tool: call.tool,
    arguments: call.arguments,
    idempotency_key: call.idempotencyKey,
    started_at: call.startedAt,
    received_at: arrived?.at ?? null,
    result: arrived?.result ?? null,
  };
}

function replyView({ answer, received }: RecordedTurn): TurnExplanation['reply'] {
  const answered = answer?.facts
    .map(({ event }) => event)
    .filter((event) => event.type === 'TurnAnswered')
    .find(({ turnId }) => turnId === received.input.turnId);
  return { answered_at: answered?.answeredAt ?? null, slots: (answered?.slots ?? []).map((slot) => ({ ...slot })) };
}
