import { type AgentConfig, type ToolConfig } from '@latch/contracts';
import { type ConversationState, type OpenTransaction } from './state.ts';
import { type Expectation } from './understanding.ts';

/** What the next utterance is expected to answer; the reading of it depends on this. */
export function expectationOf(state: ConversationState, agent: AgentConfig): Expectation {
  const { transaction } = state;
  const tool = transaction === null ? undefined : agent.tools[transaction.tool];
  if (transaction === null || tool === undefined) return { kind: 'nothing' };
  return expectationIn(transaction, tool);
}

function expectationIn(transaction: OpenTransaction, tool: ToolConfig): Expectation {
  switch (transaction.status) {
    case 'COLLECTING_PARAMETERS':
      return { kind: 'parameters', tool, missing: transaction.missing, collected: transaction.arguments };
    case 'AWAITING_CONFIRMATION':
      return {
        kind: 'confirmation',
        tool,
        items: transaction.proposal.items,
        collected: transaction.proposal.arguments,
      };
    case 'PRE_VALIDATION':
    case 'EXECUTING':
    case 'OUTCOME_UNKNOWN':
      return { kind: 'busy', tool };
    default:
      return transaction satisfies never;
  }
}
