import { type ProposalItem, type ToolConfig } from '@latch/contracts';
import { includeItems } from './include-items.ts';
import { itemOf, namesAll } from './items.ts';
import { type Arguments, type Proposal } from './state.ts';
import { type ProposalChange } from './understanding.ts';

/** A change of the items of a proposal. */
export type ItemChange = Exclude<ProposalChange, { readonly kind: 'values' }>;

/**
 * The values of the tool's own parameters that express a changed set of items: a list without the excluded entries or with the new ones, a text that names
 * only the rest.
 *
 * @returns null when nothing would be left, when nothing would change, or when no declared parameter holds the items: then the change cannot be
 *   sent, and what cannot be sent must not be shown.
 */
export function amendArguments(
  tool: ToolConfig,
  shown: Pick<Proposal, 'arguments' | 'items'>,
  change: ItemChange,
): Arguments | null {
  if (hasParallelList(tool, shown)) return null;
  if (change.kind === 'include') return includeItems(tool, shown, change.labels);
  const kept = amendItems(shown.items, change);
  if (kept.length === 0 || isUnchanged(shown.items, kept)) return null;
  const values = Object.values(tool.parameters).flatMap(({ name }) => {
    const value = amendValue(shown.arguments[name], shown.items, kept);
    return value === null ? [] : [[name, value] as const];
  });
  return values.length === 0 ? null : Object.fromEntries(values);
}

type Kept = { readonly item: ProposalItem; readonly by: string | null };

function amendItems(
  items: readonly ProposalItem[],
  change: Exclude<ItemChange, { readonly kind: 'include' }>,
): readonly Kept[] {
  const keep = (item: ProposalItem): Kept => ({ item, by: null });
  switch (change.kind) {
    case 'exclude':
      return items.filter(({ id }) => !change.itemIds.includes(id)).map(keep);
    case 'only':
      return items.filter(({ id }) => change.itemIds.includes(id)).map(keep);
    case 'replace':
      return items.map((item) => ({ item, by: item.id === change.itemId ? change.by : null }));
    default:
      return change satisfies never;
  }
}

function isUnchanged(items: readonly ProposalItem[], kept: readonly Kept[]): boolean {
  return kept.length === items.length && kept.every(({ by }) => by === null);
}

function amendValue(value: unknown, items: readonly ProposalItem[], kept: readonly Kept[]): unknown {
  if (Array.isArray(value)) return amendList(value, items, kept);
  return namesAll(value, items) ? kept.map(({ item, by }) => by ?? item.label).join(', ') : null;
}

/**
 * Whether a second list stands beside the items, entry by entry (`item_ids` and `new_item_ids`): which of its entries belong to an item is not ours to
 * guess, and half a change must not be sent.
 */
function hasParallelList(tool: ToolConfig, shown: Pick<Proposal, 'arguments' | 'items'>): boolean {
  return Object.values(tool.parameters).some(({ name }) => {
    const value = shown.arguments[name];
    if (!Array.isArray(value) || value.length < 2 || value.length !== shown.items.length) return false;
    return !value.map(itemOf).every(({ label }) => shown.items.some((item) => item.label === label));
  });
}

/** Entries that are not items of the proposal, such as rejected ones, are not carried over: nobody asked for them any more. */
function amendList(list: readonly unknown[], items: readonly ProposalItem[], kept: readonly Kept[]): unknown {
  const entries = new Map(list.map((entry, index) => [itemOf(entry, index).id, entry]));
  if (!items.every(({ id }) => entries.has(id))) return null;
  return kept.map(({ item, by }) => (by === null ? entries.get(item.id) : replaceEntry(entries.get(item.id), by)));
}

/** The new entry has the form of the old one and nothing of its content. */
function replaceEntry(entry: unknown, by: string): unknown {
  if (typeof entry !== 'object' || entry === null) return by;
  const names = ['id', 'name'].filter((name) => Object.hasOwn(entry, name));
  return names.length === 0 ? by : Object.fromEntries(names.map((name) => [name, by]));
}
