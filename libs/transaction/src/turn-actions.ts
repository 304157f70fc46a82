import { askAgain, keepAndClarify, restate, sayWhatIsUnknown } from './clarify.ts';
import { type Draft, helpSlot, openedIn, record, say, toolOf } from './draft.ts';
import { endOpen } from './end.ts';
import { type RefusalReason } from './events.ts';
import { type Message } from './message.ts';
import { dropParked, parkAndStart, resumeParked, setAsideAndStart } from './park.ts';
import { type TurnAction } from './precedence.ts';
import { type ReplySlot } from './reply.ts';
import { retryFailed } from './retry-failed.ts';
import { answerFixed, collectAndAdvance, startIntent } from './start-transaction.ts';
import { amendProposal, declineProposal, executeProposal } from './when-awaiting.ts';

/** What each action of the precedence table does. Every one of them leaves the turn answered, or handed over to a call. */
export const turnActions: Readonly<Record<TurnAction, (draft: Draft, message: Message) => Draft>> = {
  start_intent: startIntent,
  collect_values: (draft, message) => collectAndAdvance(draft, message, message.said),
  cancel_and_route: cancelAndRoute,
  park_and_start: parkAndStart,
  set_aside_and_start: setAsideAndStart,
  resume_parked: resumeParked,
  drop_parked: dropParked,
  answer_aside: answerAside,
  amend_proposal: amendProposal,
  execute_proposal: executeProposal,
  decline_proposal: declineProposal,
  retry_failed: retryFailed,
  ask_again: askAgain,
  keep_and_clarify: keepAndClarify,
  refuse_answer: refuseAnswer,
  say_nothing_to_confirm: sayNothingToConfirm,
  say_working: restate,
  say_outcome_unknown: restate,
  say_inconsistent: sayInconsistent,
  clear_inconsistency: clearInconsistency,
  help: (draft) => (hasNews(draft) ? draft : say(sayWhatIsUnknown(draft), helpSlot(draft.agent))),
};

/** "esquece, quero ver minha fatura": gives the open transaction up, then does the rest. A turn that waits for a validator is answered as well. */
function cancelAndRoute(draft: Draft, message: Message): Draft {
  const opened = openedIn(draft);
  if (opened === null) return draft;
  const cancelled = { kind: 'cancelled', toolLabel: opened.tool.label } as const;
  const ended = say(endOpen(draft, { status: 'CANCELLED', reason: 'abandoned' }), cancelled);
  const pending = opened.transaction.status === 'PRE_VALIDATION' ? opened.transaction.call.turn : null;
  const told =
    pending === null
      ? ended
      : record(ended, {
          type: 'TurnAnswered',
          turnId: pending.turnId,
          slots: [...pending.said, cancelled],
          answeredAt: draft.at,
        });
  return message.intent === null ? told : startIntent(told, message);
}

/** A question with a fixed answer interrupts nothing: it is answered, and what is open is put again. */
function answerAside(draft: Draft, message: Message): Draft {
  return message.intent === null ? restate(draft) : restate(answerFixed(draft, message.intent.config));
}

/** A yes or no that does not belong to what is shown now never counts; it is kept as evidence. */
function refuseAnswer(draft: Draft, message: Message): Draft {
  const isForeign = message.proposalId === null || message.proposalId === currentProposal(draft);
  const slot: ReplySlot = { kind: isForeign ? 'not_yours_to_confirm' : 'stale_confirmation' };
  const refused = record(draft, {
    type: 'AnswerRefused',
    turnId: message.turn.turnId,
    reason: isForeign ? 'other_user' : 'stale_proposal',
    proposalId: message.proposalId,
  });
  return restate(isRunning(draft, message) ? refused : say(refused, slot));
}

/** The second tap on the button whose proposal is running already: there is nothing wrong with it, and nothing more to do. */
function isRunning({ state: { transaction } }: Draft, { proposalId }: Message): boolean {
  return (
    transaction !== null && 'call' in transaction && proposalId !== null && transaction.call.proposalId === proposalId
  );
}

function currentProposal(draft: Draft): string | null {
  const open = draft.state.transaction;
  return open?.status === 'AWAITING_CONFIRMATION' ? open.proposal.proposalId : null;
}

/** A yes after the expiry is told that it expired and was not run; any other yes, that there is nothing to confirm. */
function sayNothingToConfirm(draft: Draft, message: Message): Draft {
  const { last } = draft.state;
  const isLate = last?.status === 'EXPIRED';
  const reason: RefusalReason = isLate ? 'expired' : 'nothing_to_confirm';
  const refused = record(draft, { type: 'AnswerRefused', turnId: message.turn.turnId, reason, proposalId: null });
  if (!isLate) return say(refused, { kind: 'nothing_to_confirm' });
  return hasNews(draft) ? refused : say(refused, { kind: 'expired', toolLabel: toolOf(draft.agent, last.tool).label });
}

/** Whether the answer already says something, so that no filler is needed. */
function hasNews(draft: Draft): boolean {
  return draft.said.length > 0 || draft.state.untold.length > 0;
}

function sayInconsistent(draft: Draft, message: Message): Draft {
  const detail = draft.state.inconsistency ?? 'unknown';
  const found = record(draft, { type: 'InconsistencyFound', turnId: message.turn.turnId, detail });
  return say(found, { kind: 'inconsistent' });
}

/** Only the user's own word clears it: a broken state is never silently started over. */
function clearInconsistency(draft: Draft, message: Message): Draft {
  const cleared = record(draft, { type: 'InconsistencyCleared', turnId: message.turn.turnId });
  return message.intent === null ? say(cleared, helpSlot(draft.agent)) : startIntent(cleared, message);
}
