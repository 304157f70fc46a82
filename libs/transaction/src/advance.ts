import { canonicalJson } from '@latch/contracts';
import { startExecution, startPreValidation } from './calls.ts';
import { confirmationSlot, finalArguments, propose } from './confirmation.ts';
import { type Draft, type Opened, openedIn, record, say } from './draft.ts';
import { secondsAfter } from './instants.ts';
import { endOpen } from './end.ts';
import { hasEffect } from './outcome-of.ts';
import { outcomeUnknownSlot } from './outcome-slot.ts';
import { missingParameters, parameterView } from './parameters.ts';
import { type ProposalReason } from './state.ts';

/**
 * Takes the open transaction as far as it can go by itself: asks for what is missing, else has it validated, else shows the proposal, or runs the tool
 * at once where the policy asks for no confirmation.
 */
export function advance(draft: Draft, why: ProposalReason): Draft {
  const opened = openedIn(draft);
  if (opened === null) return draft;
  const missing = missingParameters(opened.tool, opened.transaction);
  if (missing.length > 0) return requestParameter(draft, { missing, why: 'missing', detail: null });
  if (opened.tool.preValidation === null) return showProposal(draft, why);
  return startPreValidation(draft, opened, why);
}

/** A question for the first of the pending parameters. */
export type ParameterRequest = {
  readonly missing: readonly string[];
  readonly why: 'missing' | 'invalid' | 'unclear';
  readonly detail: string | null;
};

/** Asks for the first of the pending parameters. */
export function requestParameter(draft: Draft, ask: ParameterRequest): Draft {
  const opened = openedIn(draft);
  const [first] = ask.missing;
  if (opened === null || first === undefined) return draft;
  const requested = record(draft, {
    type: 'ParameterRequested',
    transactionId: opened.transaction.id,
    missing: ask.missing,
    why: ask.why,
    detail: ask.detail,
    deadlineAt: secondsAfter(draft.at, draft.agent.collectionTtlSeconds),
  });
  return say(requested, {
    kind: 'ask_parameter',
    toolLabel: opened.tool.label,
    parameter: parameterView(opened.tool, first),
    why: ask.why,
    detail: ask.detail,
  });
}

/** Everything is known and validated: shows it for the one confirmation, or runs it where none is asked for. */
export function showProposal(draft: Draft, why: ProposalReason): Draft {
  const opened = openedIn(draft);
  if (opened === null) return draft;
  if (isPending(draft, opened)) return refuseRepetition(draft, opened);
  const { tool, transaction } = opened;
  const proposal = propose({
    identity: draft.state,
    tool,
    transaction,
    configDigest: draft.agent.digest,
    expiresAt: secondsAfter(draft.at, draft.agent.confirmationTtlSeconds),
  });
  if (!tool.requiresConfirmation) return startExecution(draft, opened, { proposal, confirmation: null });
  const requested = record(draft, { type: 'ConfirmationRequested', transactionId: transaction.id, proposal, why });
  return say(requested, confirmationSlot(tool.label, proposal, why));
}

/** Whether the same call was made before and nobody knows what became of it: a second one could be a second effect. */
function isPending(draft: Draft, { tool, transaction }: Opened): boolean {
  if (draft.state.unresolved.length === 0 || !hasEffect(tool)) return false;
  const wanted = canonicalJson(finalArguments(tool, transaction));
  return draft.state.unresolved.some(({ call }) => call.tool === tool.name && canonicalJson(call.arguments) === wanted);
}

function refuseRepetition(draft: Draft, opened: Opened): Draft {
  const ended = endOpen(draft, { status: 'CANCELLED', reason: 'outcome_pending' });
  return say(ended, outcomeUnknownSlot(opened, { items: [], error: null }));
}
