import { type ToolConfig, type ToolInvocation } from '@latch/contracts';
import { type Refusal } from './check-capsule.ts';

/**
 * Whether a call keeps to the operator's bounds for its tool: items of one call, and amounts of one call, over all entries where the argument is a list. What
 * cannot be measured is over the bound. The engine does not know these bounds; they hold whatever was confirmed.
 *
 * @returns why it is refused, or null. The message repeats no value.
 */
export function checkLimits(
  invocation: Pick<ToolInvocation, 'arguments' | 'items'>,
  { name, limits }: Pick<ToolConfig, 'name' | 'limits'>,
): Refusal | null {
  if (limits === undefined) return null;
  const { maxItems, maxAmounts } = limits;
  const items = itemCount(invocation);
  if (maxItems !== null && items > maxItems)
    return refusal(`${name} may be called for ${maxItems} items at once, and this call has ${items}.`);
  const over = Object.entries(maxAmounts).find(
    ([argument, most]) => !(totalOf(ownValue(invocation.arguments, argument)) <= most),
  );
  return over === undefined ? null : refusal(`The call passes what ${name} allows for ${over[0]}.`);
}

/** The effective set; a call whose set nobody named is as large as its longest list. */
function itemCount({ arguments: args, items = [] }: Pick<ToolInvocation, 'arguments' | 'items'>): number {
  const lists = Object.values(args).map((value) => (Array.isArray(value) ? value.length : 0));
  return items.length > 0 ? items.length : Math.max(0, ...lists);
}

/** Nothing given is nothing. NaN where a value is no amount: it is over any bound. */
function totalOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + totalOf(entry), 0);
  if (typeof value === 'number') return Math.abs(value);
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim()) ? Math.abs(Number(value)) : Number.NaN;
}

function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function refusal(message: string): Refusal {
  return { errorCategory: 'business', isRetryable: false, message, code: 'tool.limit_exceeded' };
}
