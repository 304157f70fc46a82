import { advance } from './advance.ts';
import { amendArguments } from './amend.ts';
import { startExecution } from './calls.ts';
import { keepAndClarify } from './clarify.ts';
import { type Draft, openedIn, record, say } from './draft.ts';
import { endOpen } from './end.ts';
import { type Message } from './message.ts';
import { correctionsOf, type SaidValues } from './parameters.ts';
import { collect } from './start-transaction.ts';
import { type Arguments } from './state.ts';
import { type ProposalChange } from './understanding.ts';

/**
 * The one yes. It is bound to the proposal that was shown: the precedence table has sent every stale, foreign or contradictory yes elsewhere, and an
 * expired proposal is gone before a message is ranked. A proposal of another configuration is shown again, never run.
 */
export function executeProposal(draft: Draft, message: Message): Draft {
  const opened = openedIn(draft);
  if (opened?.transaction.status !== 'AWAITING_CONFIRMATION') return draft;
  const { proposal, id } = opened.transaction;
  if (proposal.configDigest !== draft.agent.digest) return advance(draft, 'renewed');
  const confirmation = {
    proposalId: proposal.proposalId,
    rev: proposal.rev,
    turnId: message.turn.turnId,
    userId: message.turn.userId,
    confirmedAt: draft.at,
  };
  const confirmed = record(draft, { type: 'UserConfirmed', transactionId: id, confirmation });
  return startExecution(confirmed, opened, { proposal, confirmation });
}

/** A plain no: nothing was run and nothing will be. */
export function declineProposal(draft: Draft, message: Message): Draft {
  const opened = openedIn(draft);
  if (opened?.transaction.status !== 'AWAITING_CONFIRMATION') return draft;
  const { id, proposal } = opened.transaction;
  const { turnId } = message.turn;
  const declined = record(draft, { type: 'UserDeclined', transactionId: id, proposalId: proposal.proposalId, turnId });
  const ended = endOpen(declined, { status: 'CANCELLED', reason: 'declined' });
  return say(ended, { kind: 'cancelled', toolLabel: opened.tool.label });
}

/**
 * A change of what was shown voids the proposal: the new set or values are merged, validated again, and one new confirmation is asked for. A change that
 * cannot be expressed in the tool's own parameters is no change, and the question is put again.
 */
export function amendProposal(draft: Draft, message: Message): Draft {
  const opened = openedIn(draft);
  if (opened?.transaction.status !== 'AWAITING_CONFIRMATION') return draft;
  const { change } = message;
  const amended =
    change === null || change.kind === 'values' ? {} : amendArguments(opened.tool, opened.transaction.proposal, change);
  if (amended === null) return keepAndClarify(draft, message);
  const said = saidBeside(message, amended);
  const voided = record(draft, {
    type: 'ProposalAmended',
    transactionId: opened.transaction.id,
    proposalId: opened.transaction.proposal.proposalId,
    change: change ?? { kind: 'values', values: said.values },
  });
  const { draft: collected } = collect(voided, message, { ...said, shown: opened.transaction.proposal.arguments });
  return advance(recordAmendment(collected, message, amended), 'amended');
}

/** Values that the same message gives; the items that it changes are not read a second time as values. */
function saidBeside(message: Message, amended: Arguments): SaidValues {
  const values = { ...message.said.values, ...valuesOf(message.change) };
  const beside = Object.entries(values).filter(([name]) => amended[name] === undefined);
  return { values: Object.fromEntries(beside), source: message.said.source };
}

function valuesOf(change: ProposalChange | null): Arguments {
  return change?.kind === 'values' ? change.values : {};
}

function recordAmendment(draft: Draft, message: Message, amended: Arguments): Draft {
  const open = draft.state.transaction;
  const names = Object.keys(amended);
  if (open === null || names.length === 0) return draft;
  return record(draft, {
    type: 'ParametersCollected',
    transactionId: open.id,
    values: amended,
    sources: Object.fromEntries(names.map((name) => [name, 'amendment'] as const)),
    corrections: correctionsOf(open.arguments, amended, message.turn.turnId),
  });
}
