import { changeState } from './change-state.ts';
import {
  type CollectingTransaction,
  type ConversationState,
  type OpenTransaction,
  type TransactionCore,
} from './state.ts';

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
  readonly configDigest?: string;
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
    configDigest: changes.configDigest ?? transaction.configDigest,
    arguments: changes.arguments ?? transaction.arguments,
    businessContext: transaction.businessContext,
    corrections: changes.corrections ?? transaction.corrections,
    preValidation: changes.preValidation === null ? null : transaction.preValidation,
    evidence: transaction.evidence,
    lineage: transaction.lineage,
    startedAt: transaction.startedAt,
  };
}

/** What a transaction that is being collected has beside its core. */
export type Collection = Pick<CollectingTransaction, 'missing' | 'reopened' | 'deadlineAt'>;

/** A transaction that is being collected. Written out, as it is made several times a turn: a spread behind own fields costs five times as much. */
export function collecting(
  core: TransactionCore,
  { missing, reopened, deadlineAt }: Collection,
): CollectingTransaction {
  return {
    status: 'COLLECTING_PARAMETERS',
    missing,
    reopened,
    deadlineAt,
    id: core.id,
    tool: core.tool,
    intent: core.intent,
    userId: core.userId,
    rev: core.rev,
    configDigest: core.configDigest,
    arguments: core.arguments,
    businessContext: core.businessContext,
    corrections: core.corrections,
    preValidation: core.preValidation,
    evidence: core.evidence,
    lineage: core.lineage,
    startedAt: core.startedAt,
  };
}
