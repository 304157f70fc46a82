import { type AggregateOutcome, type ResultItem, type StructuredError, type TransactionId } from '@latch/contracts';
import { type Draft, record } from './draft.ts';
import { type EndReason, type TerminalStatus } from './state.ts';

/** How a transaction ends; what is left out is not known or does not apply. */
export type Ending = {
  readonly status: TerminalStatus;
  readonly reason: EndReason;
  readonly detail?: string | null;
  readonly outcome?: AggregateOutcome | null;
  readonly items?: readonly ResultItem[];
  readonly error?: StructuredError | null;
};

/** Ends the open transaction. */
export function endOpen(draft: Draft, ending: Ending): Draft {
  return draft.state.transaction === null ? draft : endTransaction(draft, draft.state.transaction.id, ending);
}

/** Ends a transaction that is open, parked or of unknown outcome. From here there is no way back (invariant I10). */
export function endTransaction(draft: Draft, transactionId: TransactionId, ending: Ending): Draft {
  return record(draft, {
    type: 'TransactionEnded',
    transactionId,
    status: ending.status,
    reason: ending.reason,
    detail: ending.detail ?? null,
    outcome: ending.outcome ?? null,
    items: ending.items ?? [],
    error: ending.error ?? null,
    endedInTurn: draft.turnId,
    endedAt: draft.at,
  });
}
