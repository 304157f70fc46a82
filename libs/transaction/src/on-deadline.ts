import { type AgentConfig, type StructuredError } from '@latch/contracts';
import { startReconciliation } from './calls.ts';
import { type Draft, record, say, toolOf } from './draft.ts';
import { isDue } from './instants.ts';
import { endTransaction } from './end.ts';
import { type DeadlinePassed } from './inputs.ts';
import { onUnknownOutcome } from './on-execution-result.ts';
import { onValidatorFailure } from './on-pre-validation-result.ts';
import { reconciliationFailed } from './on-reconciliation-result.ts';
import { hasEffect } from './outcome-of.ts';
import {
  type ConversationState,
  type ExecutingTransaction,
  type OpenTransaction,
  type ParkedTransaction,
  type PendingCall,
  type UnknownTransaction,
} from './state.ts';

/** A deadline that may come due: whose it is and when. */
export type PendingDeadline = { readonly transaction: OpenTransaction | ParkedTransaction; readonly at: string };

/** Every deadline of a conversation, the earliest first. */
export function deadlinesOf(state: ConversationState): readonly PendingDeadline[] {
  const open = state.transaction === null ? [] : [state.transaction];
  const pending: PendingDeadline[] = [];
  for (const transaction of [...open, ...state.parked, ...state.unresolved]) {
    const at = deadlineOf(transaction);
    if (at !== null) pending.push({ transaction, at });
  }
  return pending.length < 2 ? pending : pending.sort((a, b) => (isDue(a.at, b.at) ? -1 : 1));
}

/** Time is up for somebody's answer. A wake-up that comes too late, too early or for something that is over is evidence only. */
export function onDeadline(state: ConversationState, input: DeadlinePassed, agent: AgentConfig): Draft {
  const due = deadlinesOf(state).find(
    ({ transaction, at }) => transaction.id === input.transactionId && isDue(at, input.at),
  );
  const draft = draftFor(state, { input, agent, due: due?.transaction ?? null });
  if (due === undefined || due.transaction.rev !== input.rev) {
    return record(draft, { type: 'InputIgnored', input, reason: 'deadline_not_due' });
  }
  return whenDue(record(draft, { type: 'DeadlineReached', input }), due.transaction);
}

function whenDue(draft: Draft, transaction: OpenTransaction | ParkedTransaction): Draft {
  switch (transaction.status) {
    case 'COLLECTING_PARAMETERS':
    case 'AWAITING_CONFIRMATION':
    case 'INTERRUPTED':
      return expire(draft, transaction);
    case 'PRE_VALIDATION':
      return onValidatorFailure(draft, transaction.call, noAnswer(transaction.call.tool));
    case 'EXECUTING':
      return onSilence(draft, transaction);
    case 'OUTCOME_UNKNOWN':
      return askAgainAboutOutcome(draft, transaction);
    default:
      return transaction satisfies never;
  }
}

function expire(draft: Draft, transaction: OpenTransaction | ParkedTransaction): Draft {
  const ended = endTransaction(draft, transaction.id, { status: 'EXPIRED', reason: 'no_answer_in_time' });
  return say(ended, { kind: 'expired', toolLabel: toolOf(draft.agent, transaction.tool).label });
}

/** A read that never answered has failed; a call with an effect has an unknown outcome. */
function onSilence(draft: Draft, transaction: ExecutingTransaction): Draft {
  const tool = toolOf(draft.agent, transaction.tool);
  const error = noAnswer(tool.name);
  // Trying again is safe only where nothing can have happened.
  if (hasEffect(tool)) return onUnknownOutcome(draft, { ...error, isRetryable: false });
  const ended = endTransaction(draft, transaction.id, {
    status: 'FAILED',
    reason: 'tool_failed',
    detail: error.message,
    outcome: 'FAILED',
    error,
  });
  return say(ended, {
    kind: 'outcome',
    toolLabel: tool.label,
    outcome: 'FAILED',
    isReadOnly: true,
    values: [],
    items: [],
    data: null,
    isEmpty: false,
    note: null,
    error,
    secondaryError: null,
    isBeingChecked: false,
    canRetry: true,
  });
}

function askAgainAboutOutcome(draft: Draft, transaction: UnknownTransaction): Draft {
  if (transaction.reconcile !== null) return reconciliationFailed(draft, transaction);
  const { reconcileTool } = toolOf(draft.agent, transaction.tool);
  return reconcileTool === null ? draft : startReconciliation(draft, transaction, reconcileTool);
}

function noAnswer(tool: string): StructuredError {
  return {
    errorCategory: 'transient',
    isRetryable: true,
    message: 'No answer came in time.',
    code: 'tool.timeout',
    attempted: tool,
  };
}

function deadlineOf(transaction: OpenTransaction | ParkedTransaction): string | null {
  switch (transaction.status) {
    case 'AWAITING_CONFIRMATION':
      return transaction.proposal.expiresAt;
    case 'PRE_VALIDATION':
    case 'EXECUTING':
      return transaction.call.deadlineAt;
    case 'COLLECTING_PARAMETERS':
    case 'INTERRUPTED':
    case 'OUTCOME_UNKNOWN':
      return transaction.deadlineAt;
    default:
      return transaction satisfies never;
  }
}

function draftFor(
  state: ConversationState,
  of: {
    readonly input: DeadlinePassed;
    readonly agent: AgentConfig;
    readonly due: OpenTransaction | ParkedTransaction | null;
  },
): Draft {
  const call = of.due === null ? null : callOf(of.due);
  return {
    agent: of.agent,
    at: of.input.at,
    cause: `${of.input.transactionId}:${of.input.at}`,
    turnId: call?.turn?.turnId ?? null,
    traceId: call?.traceId ?? '',
    state,
    events: [],
    said: call?.turn?.said ?? [],
  };
}

function callOf(transaction: OpenTransaction | ParkedTransaction): PendingCall | null {
  return 'call' in transaction ? transaction.call : null;
}
