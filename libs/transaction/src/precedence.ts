import { type TransactionStatus } from '@latch/contracts';
import { type MessageClass } from './message-class.ts';
import { type ConversationState } from './state.ts';

/** The states in which a message can meet a conversation. */
export type RankedState =
  | Extract<
      TransactionStatus,
      'IDLE' | 'COLLECTING_PARAMETERS' | 'PRE_VALIDATION' | 'AWAITING_CONFIRMATION' | 'EXECUTING' | 'OUTCOME_UNKNOWN'
    >
  | 'INCONSISTENT';

/** What can be done about a message, each in a sentence; each is one function of `turn-actions.ts`. */
export const turnActionMeanings = {
  start_intent: 'starts the tool of the intent',
  collect_values: 'merges the values and goes on',
  cancel_and_route: 'cancels what is open, then does the rest of the message',
  park_and_start: 'parks what is open and starts the new intent',
  set_aside_and_start: 'leaves the unknown outcome to reconciliation and starts the new intent',
  resume_parked: 'takes the parked transaction up again',
  drop_parked: 'drops the parked transaction that was offered',
  answer_aside: 'answers, and puts what is open again',
  amend_proposal: 'voids the proposal, validates the change, asks for one new confirmation',
  execute_proposal: 'runs the proposal, once',
  decline_proposal: 'cancels; nothing runs',
  retry_failed: 'proposes only the failed items that may be retried',
  ask_again: 'says what is wrong with the value and asks again',
  keep_and_clarify: 'keeps everything and asks again; after N times in a row offers a person',
  refuse_answer: 'refuses the answer, keeps it as evidence, puts what is open again',
  say_nothing_to_confirm: 'says that there is nothing to confirm, or that it has expired',
  say_working: 'says that a tool is running',
  say_outcome_unknown: 'says that the outcome is not known yet',
  say_inconsistent: 'says that the state is inconsistent and raises an alarm',
  clear_inconsistency: 'leaves the inconsistent state',
  help: 'says what the agent can do',
} as const satisfies Record<string, string>;
export type TurnAction = keyof typeof turnActionMeanings;

/** One line of the table: in this state, a message of this class leads to this action, unless an earlier line applies. */
export type PrecedenceRow = { readonly message: MessageClass; readonly action: TurnAction };

/**
 * Who wins when a message can be read in more than one way (seeds/002 section 6, DESIGN section 4). The first line that applies counts; every message is
 * at least `unclear`. While parameters are pending the order is exactly: a pending parameter clearly filled, explicit abandon, unequivocal new
 * intent, a generic word never interrupts, ambiguous keeps and clarifies. The table in the reference documentation is made from this one.
 */
export const precedence: Readonly<Record<RankedState, readonly PrecedenceRow[]>> = {
  IDLE: [
    { message: 'stale_answer', action: 'refuse_answer' },
    { message: 'resumes', action: 'resume_parked' },
    { message: 'retries_failed', action: 'retry_failed' },
    { message: 'new_intent', action: 'start_intent' },
    { message: 'side_question', action: 'answer_aside' },
    { message: 'declines_resume', action: 'drop_parked' },
    { message: 'confirms', action: 'say_nothing_to_confirm' },
    { message: 'unclear', action: 'help' },
  ],
  COLLECTING_PARAMETERS: [
    { message: 'fills_parameter', action: 'collect_values' },
    { message: 'abandons', action: 'cancel_and_route' },
    { message: 'new_intent', action: 'park_and_start' },
    { message: 'stale_answer', action: 'refuse_answer' },
    { message: 'resumes', action: 'resume_parked' },
    { message: 'side_question', action: 'answer_aside' },
    { message: 'invalid_value', action: 'ask_again' },
    { message: 'same_intent', action: 'keep_and_clarify' },
    { message: 'domain_word', action: 'keep_and_clarify' },
    { message: 'unclear', action: 'keep_and_clarify' },
  ],
  PRE_VALIDATION: [
    { message: 'stale_answer', action: 'refuse_answer' },
    { message: 'abandons', action: 'cancel_and_route' },
    { message: 'unclear', action: 'say_working' },
  ],
  AWAITING_CONFIRMATION: [
    { message: 'stale_answer', action: 'refuse_answer' },
    { message: 'amends', action: 'amend_proposal' },
    { message: 'abandons', action: 'cancel_and_route' },
    { message: 'new_intent', action: 'park_and_start' },
    { message: 'resumes', action: 'resume_parked' },
    { message: 'invalid_value', action: 'ask_again' },
    { message: 'confirms', action: 'execute_proposal' },
    { message: 'declines', action: 'decline_proposal' },
    { message: 'side_question', action: 'answer_aside' },
    { message: 'same_intent', action: 'keep_and_clarify' },
    { message: 'domain_word', action: 'keep_and_clarify' },
    { message: 'unclear', action: 'keep_and_clarify' },
  ],
  EXECUTING: [
    { message: 'stale_answer', action: 'refuse_answer' },
    { message: 'unclear', action: 'say_working' },
  ],
  OUTCOME_UNKNOWN: [
    { message: 'stale_answer', action: 'refuse_answer' },
    { message: 'resumes', action: 'resume_parked' },
    { message: 'new_intent', action: 'set_aside_and_start' },
    { message: 'side_question', action: 'answer_aside' },
    { message: 'unclear', action: 'say_outcome_unknown' },
  ],
  INCONSISTENT: [
    { message: 'abandons', action: 'clear_inconsistency' },
    { message: 'unclear', action: 'say_inconsistent' },
  ],
};

/** The states in the order of the table. */
export const rankedStates: readonly RankedState[] = Object.keys(precedence).filter(isRankedState);

function isRankedState(name: string): name is RankedState {
  return Object.hasOwn(precedence, name);
}

const lastResort: PrecedenceRow = { message: 'unclear', action: 'help' };

/** The line of the table that counts for a message of these classes. */
export function rank(status: RankedState, classes: ReadonlySet<MessageClass>): PrecedenceRow {
  return precedence[status].find((row) => row.message === 'unclear' || classes.has(row.message)) ?? lastResort;
}

/** The state in which a message meets the conversation. */
export function rankedStateOf(state: ConversationState): RankedState {
  if (state.inconsistency !== null) return 'INCONSISTENT';
  return state.transaction?.status ?? 'IDLE';
}
