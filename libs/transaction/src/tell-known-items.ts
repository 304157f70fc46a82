import { type ResultItem } from '@latch/contracts';
import { type Draft, say, toolOf } from './draft.ts';
import { outcomeUnknownSlot } from './outcome-slot.ts';
import { isSettled, itemsKnownOf } from './settled-items.ts';
import { type OpenTransaction } from './state.ts';

/**
 * Tells what an answer has added to what is known of the items, the others being unknown; nothing when it has added nothing.
 *
 * @param before what was known of the items without that answer
 */
export function tellKnownItems(draft: Draft, transaction: OpenTransaction, before: readonly ResultItem[]): Draft {
  const held = heldIn(draft, transaction);
  const known = itemsKnownOf(held);
  if (known.filter(isSettled).length === before.filter(isSettled).length) return draft;
  const tool = toolOf(draft.agent, transaction.tool);
  const slot = outcomeUnknownSlot({ tool, transaction }, { items: known, error: null });
  const isBeingChecked = held.status === 'OUTCOME_UNKNOWN' && held.deadlineAt !== null;
  return say(draft, { ...slot, isBeingChecked });
}

/** The transaction as it stands with the answer among its evidence. */
function heldIn({ state }: Draft, transaction: OpenTransaction): OpenTransaction {
  return [state.transaction, ...state.unresolved].find((one) => one?.id === transaction.id) ?? transaction;
}
