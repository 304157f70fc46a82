import { changeState } from './change-state.ts';
import { type ConversationState, type OpenTransaction, type TransactionCore } from './state.ts';

/** Applies a change to the open transaction when the fact is about it; else nothing changes. */
export function withOpen(
  state: ConversationState,
  event: { readonly transactionId: string },
  change: (open: OpenTransaction) => OpenTransaction,
): ConversationState {
  if (state.transaction === null || state.transaction.id !== event.transactionId) return state;
  return changeState(state, { transaction: change(state.transaction) });
}

/** What a change of status may change in what is kept. */
export type CoreChanges = {
  readonly rev?: number;
  readonly arguments?: TransactionCore['arguments'];
  readonly corrections?: TransactionCore['corrections'];
  /** What the validator said does not hold any more. */
  readonly preValidation?: null;
};

/**
 * What is kept of a transaction, whatever its status. Spread it last: V8 takes a hundred times longer to add own fields after a spread than before it, and this
 * runs for every event.
 */
export function coreOf(transaction: TransactionCore, changes: CoreChanges = {}): TransactionCore {
  return {
    id: transaction.id,
    tool: transaction.tool,
    intent: transaction.intent,
    userId: transaction.userId,
    rev: changes.rev ?? transaction.rev,
    configDigest: transaction.configDigest,
    arguments: changes.arguments ?? transaction.arguments,
    businessContext: transaction.businessContext,
    corrections: changes.corrections ?? transaction.corrections,
    preValidation: changes.preValidation === null ? null : transaction.preValidation,
    evidence: transaction.evidence,
    lineage: transaction.lineage,
    startedAt: transaction.startedAt,
  };
}
