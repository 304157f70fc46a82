import { type StructuredError, type ToolResult } from '@latch/contracts';
import { advance } from './advance.ts';
import { type Draft, type Opened, openedIn, record, say } from './draft.ts';
import { endOpen } from './end.ts';
import { handOff } from './hand-off.ts';
import { secondsAfter } from './instants.ts';
import { type ToolResultArrived } from './inputs.ts';
import { isNothingDone } from './outcome-of.ts';
import { outcomeSlot } from './outcome-slot.ts';
import { type ConversationState } from './state.ts';

/** More rounds than that help nobody, whatever the configuration allows. */
const mostRounds = 10;

/**
 * Whether a result says that the running call was not sent, because the tool is not what the approval was given for. Such a result is decided about with the
 * agent's current configuration, not with the one that the transaction is pinned to.
 */
export function isApprovalOutdated(
  { transaction }: ConversationState,
  { invocationId, result }: Pick<ToolResultArrived, 'invocationId' | 'result'>,
): boolean {
  if (transaction?.status !== 'EXECUTING' || transaction.call.invocationId !== invocationId) return false;
  return isNothingDone(result) && isOutdated(result.error ?? null);
}

function isOutdated(error: StructuredError | null): boolean {
  return error?.code === 'tool.schema_changed';
}

/**
 * The schema of the tool has changed since the call was approved, and nothing was sent: what was collected is put together again under the agent's current
 * configuration, validated again, and shown again as a new revision; an approval of something else is no approval (invariant I13). After as many rounds as
 * there may be unclear answers it is told that it failed, and a person is offered.
 */
export function renewApproval(draft: Draft, { tool, transaction }: Opened, result: ToolResult): Draft {
  const outdated = record(draft, {
    type: 'ApprovalOutdated',
    transactionId: transaction.id,
    reason: 'schema_changed',
    configDigest: draft.agent.digest,
    deadlineAt: secondsAfter(draft.at, draft.agent.collectionTtlSeconds),
  });
  if (tool.enabled && roundsIn(outdated) <= Math.min(draft.agent.maxClarifications, mostRounds)) {
    return advance(outdated, 'renewed');
  }
  const error = result.error ?? null;
  const ended = endOpen(outdated, {
    status: 'FAILED',
    reason: 'tool_failed',
    detail: error?.message ?? null,
    outcome: 'FAILED',
    error,
  });
  return handOff(say(ended, outcomeSlot({ tool, transaction }, { ...result, items: [] })), 'schema_changed');
}

/** How often it has happened to this transaction: each time left its evidence. */
function roundsIn(draft: Draft): number {
  const evidence = openedIn(draft)?.transaction.evidence ?? [];
  return evidence.filter(({ error }) => isOutdated(error)).length;
}
