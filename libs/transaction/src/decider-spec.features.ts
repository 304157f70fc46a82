import { expect } from '@jest/globals';
import { type AgentConfig } from '@latch/contracts';
import { decide } from './decide.ts';
import { type TransactionEvent } from './events.ts';
import { type TransactionInput } from './inputs.ts';
import { fold } from './replay.ts';
import { agent as defaultAgent } from './fixtures/agent.ts';
import { newConversation } from './fixtures/conversation.ts';

/** What an expected event must hold; the rest is not looked at. */
export type ExpectedEvent = { readonly type: TransactionEvent['type'] } & Readonly<Record<string, unknown>>;

/** A decision as a sentence: given these events, when this happens, then these events follow and no others. */
export function given(
  history: readonly TransactionEvent[],
  agent: AgentConfig = defaultAgent,
): { readonly when: (input: TransactionInput) => { readonly then: (expected: readonly ExpectedEvent[]) => void } } {
  return {
    when: (input) => ({
      then: (expected) => {
        const decided = decide(fold(newConversation(), history), input, agent);
        expect(decided.map(({ type }) => type)).toEqual(expected.map(({ type }) => type));
        expect(decided).toMatchObject(expected);
      },
    }),
  };
}
