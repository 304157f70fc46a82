import { type ProposalItem, type ResultItem, type TransactionId } from '@latch/contracts';
import { evolve } from './evolve.ts';
import { type DecidedStep, type TransactionRow } from './react.ts';
import {
  type ConversationState,
  type EndedTransaction,
  type OpenTransaction,
  type ParkedTransaction,
} from './state.ts';
import { effectiveArguments, endedArguments } from './to-agent-state.ts';

type AnyTransaction = OpenTransaction | ParkedTransaction | EndedTransaction;

/** One row for each transaction that the decision touched, as it is afterwards, in the order in which they were touched. */
export function transactionRows({ before, events }: Pick<DecidedStep, 'before' | 'events'>): readonly TransactionRow[] {
  const rows = new Map<TransactionId, TransactionRow>();
  let state = before;
  for (const event of events) {
    state = evolve(state, event);
    const touched =
      'transactionId' in event && event.transactionId !== null ? find(state, event.transactionId) : undefined;
    if (touched !== undefined) rows.set(touched.id, rowOf(touched));
  }
  return [...rows.values()];
}

function find(state: ConversationState, id: TransactionId): AnyTransaction | undefined {
  const all = [state.transaction, ...state.parked, ...state.unresolved, state.last];
  return all.find((held) => held?.id === id) ?? undefined;
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
  const reported = 'endedAt' in transaction ? transaction.items : [];
  const others = reported.filter(({ id }) => !shown.some((item) => item.id === id));
  return [
    ...shown.map((item) => ({ id: item.id, label: item.label, outcome: outcomeIn(reported, item.id) })),
    ...others.map(({ id, label, outcome }) => ({ id, label, outcome })),
  ];
}

function shownItems(transaction: AnyTransaction): readonly ProposalItem[] {
  const call = 'call' in transaction ? transaction.call : null;
  const proposal = 'proposal' in transaction ? transaction.proposal : null;
  return call?.items ?? proposal?.items ?? [];
}

function outcomeIn(reported: readonly ResultItem[], id: string): ResultItem['outcome'] | null {
  return reported.find((item) => item.id === id)?.outcome ?? null;
}
