import { type AgentConfig } from '@latch/contracts';
import { type TransactionEvent } from './events.ts';
import { type TransactionInput } from './inputs.ts';
import { type ConversationState } from './state.ts';

/** Decides what an input means for a conversation: the facts that follow from it, the input itself first. Never throws on what a user or a tool said. */
export function decide(
  _state: ConversationState,
  _input: TransactionInput,
  _agent: AgentConfig,
): readonly TransactionEvent[] {
  return [];
}
