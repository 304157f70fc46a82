import { type StructuredError } from '@latch/contracts';
import { type Draft, record, say } from './draft.ts';
import { type HandOffReason } from './events.ts';

/** Offers a person for the transaction that has just ended. */
export function handOff(draft: Draft, reason: HandOffReason): Draft {
  const transactionId = draft.state.last?.id ?? null;
  return say(record(draft, { type: 'HandedOff', transactionId, reason }), { kind: 'handoff' });
}

/**
 * After a failure that was told and that the user can do nothing about, a person is offered: a refusal for lack of permission, and a tool that asks for
 * something which nobody can give it here.
 */
export function handOffAfter(draft: Draft, error: StructuredError | null): Draft {
  if (error?.errorCategory === 'permission') return handOff(draft, 'permission');
  return error?.code === 'tool.input_required' ? handOff(draft, 'input_required') : draft;
}
