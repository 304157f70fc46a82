import { type Draft, say, toolOf } from './draft.ts';
import { isDue } from './instants.ts';
import { endOpen, endTransaction } from './end.ts';

/**
 * Brings a conversation up to the instant of a turn before the message is ranked: what has expired is over, whether or not the sweeper has come by, and a
 * tool that the configuration no longer offers ends its transaction.
 */
export function settle(draft: Draft): Draft {
  return expireOpen(expireParked(endRemoved(draft)));
}

function expireParked(draft: Draft): Draft {
  return draft.state.parked
    .filter(({ deadlineAt }) => isDue(deadlineAt, draft.at))
    .reduce((rest, { id }) => endTransaction(rest, id, { status: 'EXPIRED', reason: 'no_answer_in_time' }), draft);
}

/** A yes after this instant finds nothing to confirm (invariant I4). */
function expireOpen(draft: Draft): Draft {
  const open = draft.state.transaction;
  const deadline = userDeadlineOf(draft);
  if (open === null || deadline === null || !isDue(deadline, draft.at)) return draft;
  const ended = endOpen(draft, { status: 'EXPIRED', reason: 'no_answer_in_time' });
  return say(ended, { kind: 'expired', toolLabel: toolOf(draft.agent, open.tool).label });
}

/** Until when the user may answer; null while it is a tool that has to answer. */
function userDeadlineOf({ state: { transaction } }: Draft): string | null {
  if (transaction?.status === 'COLLECTING_PARAMETERS') return transaction.deadlineAt;
  return transaction?.status === 'AWAITING_CONFIRMATION' ? transaction.proposal.expiresAt : null;
}

function endRemoved(draft: Draft): Draft {
  const open = draft.state.transaction;
  if (open?.status !== 'COLLECTING_PARAMETERS' && open?.status !== 'AWAITING_CONFIRMATION') return draft;
  const tool = toolOf(draft.agent, open.tool);
  if (tool.enabled) return draft;
  const ended = endOpen(draft, { status: 'FAILED', reason: 'not_allowed' });
  return say(ended, { kind: 'not_eligible', toolLabel: tool.label, reason: null });
}
