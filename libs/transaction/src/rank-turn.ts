import { type Draft } from './draft.ts';
import { type UserSpoke } from './inputs.ts';
import { type Message, readMessage } from './message.ts';
import { type PrecedenceRow, rank, type RankedState, rankedStateOf } from './precedence.ts';
import { settle } from './settle.ts';
import { type ConversationState } from './state.ts';

/** A turn with everything that it can be, and the line of the precedence table that counts. */
export type RankedTurn = {
  /** The state that the message was read against: that of the conversation, brought up to the instant of the turn. */
  readonly settled: ConversationState;
  readonly message: Message;
  readonly status: RankedState;
  readonly row: PrecedenceRow;
};

/** Settles, reads and ranks a turn. `decide` acts upon it and `explainTurn` tells it again: one function, so that an explanation cannot say anything else. */
export function rankTurn(draft: Draft, turn: UserSpoke): RankedTurn {
  const settled = settle(draft).state;
  const message = readMessage(settled, turn, draft.agent);
  const status = rankedStateOf(settled);
  return { settled, message, status, row: rank(status, message.classes) };
}
