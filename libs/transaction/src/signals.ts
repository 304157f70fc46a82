import { type EventType, type TransactionId } from '@latch/contracts';
import { type EventOf, type TransactionEvent } from './events.ts';
import { type DecidedStep, type Signal } from './react.ts';
import { statusOf } from './to-agent-state.ts';

/**
 * The business facts and operator's problems of a decision. Signals leave the conversation's own trust: they carry names, numbers and states, and never
 * what the user said or gave.
 */
export function signalsOf(step: DecidedStep): readonly Signal[] {
  const signals: Signal[] = [];
  for (const event of step.events) {
    const found = turnSignal(step, event) ?? collectionSignal(event) ?? callSignal(step, event);
    if (found !== null) signals.push(found);
  }
  return signals;
}

function turnSignal(step: DecidedStep, event: TransactionEvent): Signal | null {
  if (event.type === 'TurnReceived') return turnRead(step, event);
  if (event.type === 'InputIgnored') {
    return signal('IC.INPUT_IGNORED', null, { input: event.input.type, reason: event.reason });
  }
  if (event.type === 'AnswerRefused') {
    return signal('IC.INPUT_IGNORED', null, { input: 'UserSpoke', turn_id: event.turnId, reason: event.reason });
  }
  if (event.type === 'HandedOff') return signal('IC.HANDED_OFF', event.transactionId, { reason: event.reason });
  if (event.type === 'InconsistencyFound') {
    return signal('NOC.STATE_INCONSISTENT', null, { turn_id: event.turnId, detail: event.detail });
  }
  return null;
}

/** Why the turn was read as it was: each rule that matched, the class that won, the state before and after. */
function turnRead(step: DecidedStep, event: EventOf<'TurnReceived'>): Signal {
  const { understanding } = event.input;
  return signal('IC.TURN_READ', step.after.transaction?.id ?? null, {
    turn_id: event.input.turnId,
    message_id: event.input.messageId,
    channel: event.input.channel,
    rule: event.rule,
    intent: event.intent,
    readings: understanding.readings.map(({ rule, span, runnerUp }) => ({ rule, span, runner_up: runnerUp })),
    status_before: event.status,
    status_after: statusOf(step.after),
  });
}

function collectionSignal(event: TransactionEvent): Signal | null {
  if (event.type === 'TransactionStarted') {
    return signal('IC.TRANSACTION_STARTED', event.transactionId, {
      tool: event.tool,
      intent: event.intent,
      retries: event.lineage?.transactionId ?? null,
    });
  }
  if (event.type === 'ParametersCollected') {
    return signal('IC.PARAMETERS_COLLECTED', event.transactionId, {
      parameters: event.sources,
      corrected: event.corrections.map(({ parameter }) => parameter),
    });
  }
  if (event.type === 'ConfirmationRequested') return confirmationRequested(event);
  if (event.type === 'TransactionParked') return signal('IC.TRANSACTION_PARKED', event.transactionId, {});
  if (event.type === 'TransactionResumed') return signal('IC.TRANSACTION_RESUMED', event.transactionId, {});
  return null;
}

function confirmationRequested({ transactionId, proposal, why }: EventOf<'ConfirmationRequested'>): Signal {
  return signal('IC.CONFIRMATION_REQUESTED', transactionId, {
    proposal_id: proposal.proposalId,
    rev: proposal.rev,
    tool: proposal.tool,
    items_count: proposal.items.length,
    rejected_count: proposal.rejected.length,
    expires_at: proposal.expiresAt,
    why,
  });
}

function callSignal(step: DecidedStep, event: TransactionEvent): Signal | null {
  if (event.type === 'UserConfirmed') {
    const { proposalId, rev } = event.confirmation;
    return signal('IC.CONFIRMATION_RECEIVED', event.transactionId, { decision: 'yes', proposal_id: proposalId, rev });
  }
  if (event.type === 'UserDeclined') {
    return signal('IC.CONFIRMATION_RECEIVED', event.transactionId, { decision: 'no', proposal_id: event.proposalId });
  }
  if (event.type === 'ProposalAmended') {
    const { proposalId, change } = event;
    return signal('IC.CONFIRMATION_RECEIVED', event.transactionId, {
      decision: 'change',
      change: change.kind,
      proposal_id: proposalId,
    });
  }
  if (event.type === 'TransactionEnded') return transactionEnded(event);
  return nobodyKnows(step, event);
}

function transactionEnded(event: EventOf<'TransactionEnded'>): Signal {
  return signal('IC.TRANSACTION_ENDED', event.transactionId, {
    status: event.status,
    reason: event.reason,
    outcome: event.outcome,
    // By their places, as in the projection: an id may be what the user gave, such as the number of a line.
    items: event.items.map(({ outcome }, index) => ({ id: String(index + 1), outcome })),
    error_category: event.error?.errorCategory ?? null,
    error_code: event.error?.code ?? null,
  });
}

/** An operator is called only when there is nobody, or nobody any more, who could be asked. */
function nobodyKnows(step: DecidedStep, event: TransactionEvent): Signal | null {
  if (event.type !== 'OutcomeBecameUnknown' && event.type !== 'ReconciliationFailed') return null;
  if (event.nextCheckAt !== null) return null;
  const held = [step.after.transaction, ...step.after.unresolved].find((open) => open?.id === event.transactionId);
  return signal('NOC.OUTCOME_UNKNOWN', event.transactionId, { tool: held?.tool ?? null, rev: held?.rev ?? null });
}

function signal(
  eventType: EventType,
  transactionId: TransactionId | null,
  payload: Readonly<Record<string, unknown>>,
): Signal {
  return { eventType, transactionId, payload };
}
