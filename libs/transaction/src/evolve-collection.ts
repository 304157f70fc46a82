import { changeState } from './change-state.ts';
import { type CollectionEvent, type EventOf } from './events.ts';
import { collecting, type Collection, coreOf, withOpen } from './transaction-core.ts';
import {
  type CollectingTransaction,
  type ConversationState,
  type OpenTransaction,
  type ParkedTransaction,
  type TransactionCore,
} from './state.ts';

/** Applies a fact about a transaction; one about another transaction than the open one, or out of place, changes nothing. */
export function evolveCollection(state: ConversationState, event: CollectionEvent): ConversationState {
  switch (event.type) {
    case 'TransactionStarted':
      return state.transaction === null
        ? changeState(state, { transaction: started(event), clarifications: 0 })
        : state;
    case 'ParametersCollected':
      return withOpen(changeState(state, { clarifications: 0 }), event, (open) => collected(open, event));
    case 'BusinessContextReceived':
      return withOpen(state, event, (open) => ({ ...open, businessContext: event.businessContext }));
    case 'ParameterReopened':
      return withOpen(state, event, (open) => reopened(open, event.parameter));
    case 'ParameterRequested':
      return withOpen(state, event, (open) => requested(open, event));
    case 'ConfirmationRequested':
      return withOpen(state, event, (open) => awaiting(open, event));
    case 'ProposalAmended':
      return withOpen(state, event, (open) =>
        open.status === 'AWAITING_CONFIRMATION'
          ? collectedAgain(open, { missing: [], deadlineAt: open.proposal.expiresAt })
          : open,
      );
    case 'ApprovalOutdated':
      return withOpen(state, event, (open) => outdated(open, event));
    case 'TransactionParked':
      return parked(state, event);
    case 'TransactionResumed':
      return resumed(state, event);
    default:
      return event satisfies never;
  }
}

function started(event: EventOf<'TransactionStarted'>): CollectingTransaction {
  const core: TransactionCore = {
    id: event.transactionId,
    tool: event.tool,
    intent: event.intent,
    userId: event.userId,
    rev: 0,
    configDigest: event.configDigest,
    arguments: {},
    businessContext: {},
    corrections: [],
    preValidation: null,
    evidence: [],
    lineage: event.lineage,
    startedAt: event.startedAt,
  };
  return collecting(core, { missing: [], reopened: [], deadlineAt: event.deadlineAt });
}

const maxCorrections = 50;

function collected(open: OpenTransaction, event: EventOf<'ParametersCollected'>): OpenTransaction {
  if (open.status !== 'COLLECTING_PARAMETERS') return open;
  const core = coreOf(open, {
    arguments: { ...open.arguments, ...event.values },
    corrections: [...open.corrections, ...event.corrections].slice(-maxCorrections),
  });
  const reopened = open.reopened.filter((name) => !Object.hasOwn(event.values, name));
  return collecting(core, { missing: open.missing, reopened, deadlineAt: open.deadlineAt });
}

/** Only the refused value goes; everything else that was collected stays. Several may be refused by one answer. */
function reopened(open: OpenTransaction, parameter: string): OpenTransaction {
  if (open.status === 'AWAITING_CONFIRMATION' || open.status === 'OUTCOME_UNKNOWN') return open;
  const kept = Object.entries(open.arguments).filter(([name]) => name !== parameter);
  const core = coreOf(open, { arguments: Object.fromEntries(kept), preValidation: null });
  const before = open.status === 'COLLECTING_PARAMETERS' ? open.reopened : [];
  const names = [...before.filter((name) => name !== parameter), parameter];
  const deadlineAt = open.status === 'COLLECTING_PARAMETERS' ? open.deadlineAt : open.call.deadlineAt;
  return collecting(core, { missing: names, reopened: names, deadlineAt });
}

function requested(open: OpenTransaction, event: EventOf<'ParameterRequested'>): OpenTransaction {
  const { missing, deadlineAt } = event;
  if (open.status === 'COLLECTING_PARAMETERS') {
    return collecting(coreOf(open), { missing, reopened: open.reopened, deadlineAt });
  }
  return open.status === 'AWAITING_CONFIRMATION' ? collectedAgain(open, { missing, deadlineAt }) : open;
}

function awaiting(open: OpenTransaction, event: EventOf<'ConfirmationRequested'>): OpenTransaction {
  if (open.status === 'EXECUTING' || open.status === 'OUTCOME_UNKNOWN') return open;
  const core = coreOf(open, { rev: event.proposal.rev });
  return { status: 'AWAITING_CONFIRMATION', proposal: event.proposal, ...core };
}

/** Back from a proposal or from the park: what the validator said does not hold any more. */
function collectedAgain(
  held: TransactionCore,
  { missing, deadlineAt }: Omit<Collection, 'reopened'>,
): CollectingTransaction {
  return collecting(coreOf(held, { preValidation: null }), { missing, reopened: [], deadlineAt });
}

/** Back to where it can be put together again, under another configuration: what the validator said does not hold any more. */
function outdated(open: OpenTransaction, event: EventOf<'ApprovalOutdated'>): OpenTransaction {
  if (open.status !== 'EXECUTING') return open;
  const core = coreOf(open, { preValidation: null, configDigest: event.configDigest });
  return collecting(core, { missing: [], reopened: [], deadlineAt: event.deadlineAt });
}

function parked(state: ConversationState, event: EventOf<'TransactionParked'>): ConversationState {
  const open = state.transaction;
  if (open === null || open.id !== event.transactionId) return state;
  if (open.status !== 'COLLECTING_PARAMETERS' && open.status !== 'AWAITING_CONFIRMATION') return state;
  const entry: ParkedTransaction = {
    status: 'INTERRUPTED',
    parkedAt: event.parkedAt,
    deadlineAt: event.deadlineAt,
    ...coreOf(open, { preValidation: null }),
  };
  return changeState(state, { transaction: null, parked: [entry, ...state.parked] });
}

function resumed(state: ConversationState, event: EventOf<'TransactionResumed'>): ConversationState {
  const entry = state.parked.find(({ id }) => id === event.transactionId);
  if (entry === undefined || state.transaction !== null) return state;
  return changeState(state, {
    transaction: collectedAgain(entry, { missing: [], deadlineAt: event.deadlineAt }),
    parked: state.parked.filter(({ id }) => id !== event.transactionId),
    clarifications: 0,
  });
}
