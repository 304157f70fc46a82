import { type ProposalItem, type ResultItem, type TransactionId } from '@latch/contracts';
import { type TransactionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { type DecidedStep, type TransactionRow } from './react.ts';
import { itemsKnownOf } from './settled-items.ts';
import {
  type ConversationState,
  type EndedTransaction,
  type OpenTransaction,
  type ParkedTransaction,
} from './state.ts';
import { effectiveArguments, endedArguments } from './to-agent-state.ts';

type AnyTransaction = OpenTransaction | ParkedTransaction | EndedTransaction;

/** One row for each transaction that the decision touched, as it is afterwards, in the order in which they were touched. */
export function transactionRows(step: Pick<DecidedStep, 'before' | 'events' | 'after'>): readonly TransactionRow[] {
  const rows: TransactionRow[] = [];
  for (const id of touchedIn(step.events)) {
    const touched = find(step.after, id) ?? findWhenLastTouched(step, id);
    if (touched !== undefined) rows.push(rowOf(touched));
  }
  return rows;
}

/** Each transaction once. A decision touches one or two: looking through them is faster than a set. */
function touchedIn(events: readonly TransactionEvent[]): readonly TransactionId[] {
  const ids: TransactionId[] = [];
  for (const event of events) {
    const id = idIn(event);
    if (id !== null && !ids.includes(id)) ids.push(id);
  }
  return ids;
}

function idIn(event: TransactionEvent): TransactionId | null {
  return 'transactionId' in event ? event.transactionId : null;
}

/** The state holds the last transaction that ended; one that ended before it in the same decision is told by the facts alone. */
function findWhenLastTouched(
  { before, events }: Pick<DecidedStep, 'before' | 'events'>,
  id: TransactionId,
): AnyTransaction | undefined {
  const last = events.findLastIndex((event) => idIn(event) === id);
  return find(events.slice(0, last + 1).reduce(evolve, before), id);
}

function find(state: ConversationState, id: TransactionId): AnyTransaction | undefined {
  if (state.transaction?.id === id) return state.transaction;
  const isIt = (held: AnyTransaction): boolean => held.id === id;
  const aside = state.parked.find(isIt) ?? state.unresolved.find(isIt);
  return aside ?? (state.last?.id === id ? state.last : undefined);
}

function rowOf(transaction: AnyTransaction): TransactionRow {
  const ended = 'endedAt' in transaction ? transaction : null;
  const openOutcome = transaction.status === 'OUTCOME_UNKNOWN' ? 'UNKNOWN' : null;
  return {
    id: transaction.id,
    tool: transaction.tool,
    status: transaction.status,
    rev: transaction.rev,
    arguments: argumentsOf(transaction),
    items: itemsOf(transaction),
    outcome: ended === null ? openOutcome : ended.outcome,
    startedAt: transaction.startedAt,
    endedAt: ended?.endedAt ?? null,
  };
}

function argumentsOf(transaction: AnyTransaction): TransactionRow['arguments'] {
  if (transaction.status === 'INTERRUPTED') return transaction.arguments;
  return 'endedAt' in transaction ? endedArguments(transaction) : effectiveArguments(transaction);
}

/** The effective set, each item with its outcome once there is one; items that only the tool names come after. */
function itemsOf(transaction: AnyTransaction): TransactionRow['items'] {
  const shown = shownItems(transaction);
  const reported = reportedItems(transaction);
  if (shown.length === 0 && reported.length === 0) return [];
  const untold = transaction.status === 'OUTCOME_UNKNOWN' ? 'unknown' : null;
  const known = new Set(shown.map(({ id }) => id));
  const others = reported.filter(({ id }) => !known.has(id));
  const outcomes = new Map(reported.toReversed().map(({ id, outcome }) => [id, outcome]));
  return [
    ...shown.map(({ id, label }) => ({ id, label, outcome: outcomes.get(id) ?? untold })),
    ...others.map(({ id, label, outcome }) => ({ id, label, outcome })),
  ];
}

function reportedItems(transaction: AnyTransaction): readonly ResultItem[] {
  if ('endedAt' in transaction) return transaction.items;
  return transaction.status === 'OUTCOME_UNKNOWN' ? itemsKnownOf(transaction) : [];
}

function shownItems(transaction: AnyTransaction): readonly ProposalItem[] {
  const call = 'call' in transaction ? transaction.call : null;
  const proposal = 'proposal' in transaction ? transaction.proposal : null;
  return call?.items ?? proposal?.items ?? [];
}
