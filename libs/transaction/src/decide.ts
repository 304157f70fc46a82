import { type AgentConfig } from '@latch/contracts';
import { type Draft, draftOfTurn, finish, record } from './draft.ts';
import { type TransactionEvent } from './events.ts';
import { type TransactionInput, type UserSpoke } from './inputs.ts';
import { onDeadline } from './on-deadline.ts';
import { onToolResult } from './on-tool-result.ts';
import { rankTurn } from './rank-turn.ts';
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
  switch (input.type) {
    case 'UserSpoke':
      return finish(onTurn(state, input, agent)).events;
    case 'ToolResultArrived':
      return finish(onToolResult(state, input, agent)).events;
    case 'DeadlinePassed':
      return finish(onDeadline(state, input, agent)).events;
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
