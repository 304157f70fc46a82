import { type AggregateOutcome, type ChannelResponse, type ToolResult } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { type ReceivedEnvelope } from '@latch/messaging';

/** A tool result, the message that brought it, and the call that the engine had approved under its id. */
export type Evidence = {
  readonly eventId: string;
  readonly result: ToolResult;
  readonly approved: Pick<ApprovedInvocation, 'tool' | 'invocation'> | undefined;
};

/** An answer with the tool results that it may rest on, oldest first. */
export type FinishedTurn = {
  readonly envelope: ReceivedEnvelope;
  readonly response: ChannelResponse;
  readonly evidence: readonly Evidence[];
};

/** The tool result whose outcome this answer reports: the one that caused the answer, else the last of its transaction; undefined when there is none. */
export function reportedResult(turn: FinishedTurn): Evidence | undefined {
  const effective = turn.evidence.filter(({ result }) => isEffective(result));
  const cause = causeOf(turn);
  if (cause) return isEffective(cause.result) ? cause : undefined;
  const { transaction_id } = turn.response.metadata;
  return effective.findLast(({ result }) => result.transaction_id === transaction_id);
}

/** The tool result that made the engine answer; undefined when a user's message did, or when the result is not here yet. */
export function causeOf({ envelope, evidence }: FinishedTurn): Evidence | undefined {
  return evidence.find(({ eventId }) => eventId === envelope.causation_id);
}

/** Whether a user's message itself made the engine answer, with no tool in between. */
export function isAnsweredAtOnce({ envelope, response }: FinishedTurn): boolean {
  return envelope.causation_id === undefined || envelope.causation_id === response.metadata.turn_id;
}

/**
 * Whether everything that the answer rests on has arrived. Results and answers travel on two topics and may come in either order: an answer that was caused by
 * a tool result waits for it, and one that reports an outcome waits for a result of its transaction.
 */
export function hasItsEvidence(turn: FinishedTurn): boolean {
  if (!isAnsweredAtOnce(turn)) return causeOf(turn) !== undefined;
  return claimsOutcome(turn.response) ? reportedResult(turn) !== undefined : true;
}

/** Whether the answer says what a tool did. That nobody knows is no claim. */
export function claimsOutcome({ metadata }: ChannelResponse): boolean {
  return typeof metadata.outcome === 'string' && metadata.outcome !== 'UNKNOWN';
}

/** Whether a result is about an effect or a read that the user asked for, not about a check before it. */
function isEffective({ purpose }: ToolResult): boolean {
  return purpose !== 'pre_validation';
}

/** The verdict of a result; one without `outcome`, as an older producer sends it, says only whether it is well. */
export function outcomeOf(result: ToolResult): AggregateOutcome {
  return result.outcome ?? (result.ok ? 'SUCCESS' : 'FAILED');
}
