import { type AgentConfig } from '@latch/contracts';
import { type Draft, draftOfTurn, finish, record } from './draft.ts';
import { type TransactionEvent } from './events.ts';
import { type TransactionInput, type UserSpoke } from './inputs.ts';
import { onDeadline } from './on-deadline.ts';
import { onToolResult } from './on-tool-result.ts';
import { rankTurn } from './rank-turn.ts';
import { type DecidedStep } from './react.ts';
import { settle } from './settle.ts';
import { type ConversationState } from './state.ts';
import { turnActions } from './turn-actions.ts';

/**
 * Decides what an input means for a conversation: the facts that follow from it, the input itself first. Pure: the same state, input and configuration give
 * byte-equal events. Never throws on what a user or a tool said.
 *
 * @param agent the configuration that the conversation's open transaction is pinned to; the current one where nothing is open.
 */
export function decide(
  state: ConversationState,
  input: TransactionInput,
  agent: AgentConfig,
): readonly TransactionEvent[] {
  return decideStep(state, input, agent).events;
}

/**
 * Decides, and keeps the state that the facts lead to: the decision folds each of its facts as it goes, so nobody needs to fold them a second time. `after` is
 * `fold(before, events)`, byte for byte (invariant I6).
 */
export function decideStep(before: ConversationState, input: TransactionInput, agent: AgentConfig): DecidedStep {
  const { events, state: after } = finish(draftOf(before, input, agent));
  return { before, events, after, input, agent };
}

function draftOf(state: ConversationState, input: TransactionInput, agent: AgentConfig): Draft {
  switch (input.type) {
    case 'UserSpoke':
      return onTurn(state, input, agent);
    case 'ToolResultArrived':
      return onToolResult(state, input, agent);
    case 'DeadlinePassed':
      return onDeadline(state, input, agent);
    default:
      return input satisfies never;
  }
}

/** One message: settled, read, ranked by the precedence table, acted upon. */
function onTurn(state: ConversationState, turn: UserSpoke, agent: AgentConfig): Draft {
  const draft = draftOfTurn(state, turn, agent);
  if (isRepeated(state, turn)) {
    return record({ ...draft, turnId: null }, { type: 'InputIgnored', input: turn, reason: 'repeated_turn' });
  }
  const { message, status, row } = rankTurn(draft, turn);
  const received = record(draft, {
    type: 'TurnReceived',
    input: turn,
    status,
    rule: row.message,
    intent: message.intent?.config.intent ?? null,
    route: message.intent?.config.route ?? null,
    configDigest: agent.digest,
  });
  return turnActions[row.action](settle(received), message);
}

/** The inbox removes repeats; one that comes through is at least never acted upon twice in a row. */
function isRepeated(state: ConversationState, turn: UserSpoke): boolean {
  const { transaction } = state;
  const pending =
    transaction?.status === 'PRE_VALIDATION' || transaction?.status === 'EXECUTING' ? transaction.call.turn : null;
  return turn.turnId === state.lastTurn?.turnId || turn.turnId === pending?.turnId;
}
