import { type AgentConfig, anonymousUser } from '@latch/contracts';
import { understand } from '@latch/nlu';
import {
  type ConversationState,
  decideStep,
  expectationOf,
  react,
  type Reaction,
  type TransactionEvent,
  type TransactionInput,
} from '@latch/transaction';
import { businessContextOf } from './business-context-of.ts';
import { unreadFields } from './unread-fields.ts';
import { type TurnWork, type Work } from './work.ts';

/** What one unit of work meant for its conversation: the facts, the state after them, and what follows. */
export type DecidedTurn = {
  readonly work: Work;
  readonly agent: AgentConfig;
  readonly events: readonly TransactionEvent[];
  readonly after: ConversationState;
  readonly reaction: Reaction;
};

/** A unit of work, the state that it meets, and the configuration that the state is pinned to. */
export type Turn = {
  readonly work: Work;
  readonly before: ConversationState;
  readonly agent: AgentConfig;
  /** UTC, by the database's clock. */
  readonly at: string;
  /** The configuration of a digest that a transaction of `before` is pinned to. Needed where several versions are in use. */
  readonly pinned?: (digest: string) => AgentConfig;
};

/**
 * Reads, decides, folds and reacts. Pure: the same turn gives the same decision, byte for byte. A turn that takes up a parked transaction is decided
 * with the configuration which that transaction is pinned to.
 */
export function runTurn(turn: Turn): DecidedTurn {
  const decided = decideWith(turn, turn.agent);
  const resumed = decided.events.some(({ type }) => type === 'TransactionResumed') ? decided.after.transaction : null;
  if (resumed === null || !turn.pinned || resumed.configDigest === turn.agent.digest) return decided;
  return decideWith(turn, turn.pinned(resumed.configDigest));
}

function decideWith(turn: Turn, agent: AgentConfig): DecidedTurn {
  const { work, before } = turn;
  const input = inputOf({ ...turn, agent });
  const step = decideStep(before, input, agent);
  return { work, agent, events: step.events, after: step.after, reaction: react(step) };
}

function inputOf({ work, before, agent, at }: Turn): TransactionInput {
  switch (work.kind) {
    case 'turn':
      return userSpoke({ work, before, agent, at });
    case 'tool_result':
      return {
        type: 'ToolResultArrived',
        invocationId: work.invocationId,
        result: work.result,
        eventId: work.eventId,
        at,
      };
    case 'deadline':
      return { type: 'DeadlinePassed', transactionId: work.transactionId, rev: work.rev, at };
    default:
      return work satisfies never;
  }
}

function userSpoke({ work, before, agent, at }: Turn & { readonly work: TurnWork }): TransactionInput {
  const { channel, payload } = work.request;
  return {
    type: 'UserSpoke',
    turnId: work.turnId,
    messageId: payload.message_id,
    channel,
    userId: payload.user_id ?? anonymousUser,
    text: payload.message,
    inputs: payload.inputs ?? null,
    understanding: understand({ text: payload.message, agent, expectation: expectationOf(before, agent), now: at }),
    businessContext: businessContextOf(work.request, agent.identity),
    sources: {
      toolArguments: payload.tool_arguments ?? {},
      context: payload.context ?? {},
      metadata: payload.metadata ?? {},
    },
    ...unreadFields(work.request),
    bodyDigest: work.bodyDigest,
    at,
    traceId: work.traceId,
  };
}
