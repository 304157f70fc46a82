import { type ToolConfig } from '@latch/contracts';
import { advance } from './advance.ts';
import { amendArguments } from './amend.ts';
import { type Draft, helpSlot, record, say, toolOf } from './draft.ts';
import { type Message } from './message.ts';
import { isRetryable, retryableItems } from './outcome-slot.ts';
import { mergeContext, openTransaction } from './start-transaction.ts';
import { type Arguments, type EndedTransaction, type Lineage } from './state.ts';

/**
 * "tenta de novo os que falharam": a new transaction of the same lineage over the retryable failed items only, under their own item keys. It is shown and
 * confirmed like any other; the one that ended stays ended (invariant I10).
 */
export function retryFailed(draft: Draft, message: Message): Draft {
  const { last } = draft.state;
  const values = last === null || last.userId !== message.turn.userId ? null : retryArguments(draft, last);
  if (last === null || values === null) return say(draft, helpSlot(draft.agent));
  const opened = openTransaction(draft, {
    tool: toolOf(draft.agent, last.tool),
    intent: last.intent,
    userId: last.userId,
    lineage: lineageOf(last),
  });
  const known = mergeContext(mergeContext(opened, last.businessContext), message.turn.businessContext);
  const open = known.state.transaction;
  if (open === null) return draft;
  const collected = record(known, {
    type: 'ParametersCollected',
    transactionId: open.id,
    values,
    sources: Object.fromEntries(Object.keys(values).map((name) => [name, 'amendment'] as const)),
    corrections: [],
  });
  return advance(collected, 'first');
}

/** The arguments that name exactly what may be tried again; null when nothing may. */
function retryArguments(draft: Draft, last: EndedTransaction): Arguments | null {
  const tool = toolOf(draft.agent, last.tool);
  if (!tool.enabled || !isRetryable(last.items, last.error)) return null;
  if (last.items.length === 0 || last.call === null) return last.arguments;
  const failed = retryableItems(last.items, last.error);
  const ids = failed.map(({ id }) => id);
  if (last.call.items.every(({ id }) => ids.includes(id))) return last.arguments;
  return narrowed(tool, last, ids);
}

function narrowed(tool: ToolConfig, last: EndedTransaction, itemIds: readonly string[]): Arguments | null {
  if (last.call === null) return null;
  const subset = amendArguments(tool, last.call, { kind: 'only', itemIds });
  return subset === null ? null : { ...last.arguments, ...subset };
}

/** A retry of a retry still belongs to the first one: its items keep their first keys. */
function lineageOf(last: EndedTransaction): Lineage | null {
  if (last.lineage !== null) return last.lineage;
  const key = last.call?.idempotencyKey ?? null;
  return key === null ? null : { transactionId: last.id, idempotencyKey: key };
}
