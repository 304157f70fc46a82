import { type ProposalItem, type ToolConfig } from '@latch/contracts';
import { type Arguments, type RejectedItem } from './state.ts';

/** The effective set of a call: all that it is to process, and which of it the validator expects to be refused. */
export type EffectiveSet = { readonly items: readonly ProposalItem[]; readonly rejected: readonly RejectedItem[] };

/**
 * Reads the effective set out of final arguments: `items` as a validator materializes it, else the first list among the declared parameters. A scalar is
 * never split here: only the validator, the tool or the workflow expands it (seeds/000). An item that is not eligible stays in the set: it is sent with
 * the others, so it is shown and confirmed with them, and the tool says what became of it (seeds/000 section 3, "Validação parcial").
 */
export function effectiveSetOf(tool: ToolConfig, args: Arguments): EffectiveSet {
  const entries = entriesOf(tool, args);
  const named = namedItems(entries);
  const isRejected = (index: number): boolean => fieldOf(entries[index], 'eligible') === false;
  return {
    items: named,
    rejected: named.flatMap((item, index) =>
      isRejected(index) ? [{ label: item.label, reason: textOf(fieldOf(entries[index], 'reason')) }] : [],
    ),
  };
}

/** The canonical name of one entry of a list: its own id, else its name. */
export function itemOf(entry: unknown, index: number): ProposalItem {
  if (typeof entry !== 'object' || entry === null) return { id: String(entry), label: String(entry) };
  const name = firstText(entry, ['name', 'label', 'subject', 'title', 'description']);
  const id = firstText(entry, ['id', ...Object.keys(entry).filter((key) => key.endsWith('_id'))]) ?? name;
  const known = id ?? `item-${index + 1}`;
  return { id: known, label: name ?? known };
}

/** Whether a value only spells the effective set out, so that it need not be shown beside the items. Any other list is a value of its own. */
export function spells(value: unknown, set: EffectiveSet): boolean {
  if (!Array.isArray(value)) return namesAll(value, set.items);
  const labels = set.items.map(({ label }) => label);
  return labels.length > 0 && value.map(itemOf).every(({ label }) => labels.includes(label));
}

/** Whether a text names every one of these items, as a scalar parameter does that stands for several. */
export function namesAll(text: unknown, items: readonly ProposalItem[]): boolean {
  if (typeof text !== 'string' || items.length === 0) return false;
  const folded = text.toLowerCase();
  return items.every(({ label }) => folded.includes(label.toLowerCase()));
}

function entriesOf(tool: ToolConfig, args: Arguments): readonly unknown[] {
  const lists = Object.values(tool.parameters).filter(({ type }) => type === 'array');
  const candidates = ['items', ...lists.map(({ name }) => name)].map((name) => args[name]);
  return candidates.find((value): value is unknown[] => Array.isArray(value) && value.length > 0) ?? [];
}

/**
 * The items of a list, by the same names wherever they are read: for the confirmation by the engine, for their keys by the executor. Two entries of the same
 * name stay two items: each has its own key and its own outcome.
 */
export function namedItems(entries: readonly unknown[]): readonly ProposalItem[] {
  return uniquelyNamed(entries.map(itemOf));
}

function uniquelyNamed(items: readonly ProposalItem[]): readonly ProposalItem[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const count = (seen.get(item.id) ?? 0) + 1;
    seen.set(item.id, count);
    return count === 1 ? item : { ...item, id: `${item.id}#${count}` };
  });
}

function firstText(entry: object, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textOf(fieldOf(entry, name));
    if (text !== null) return text;
  }
  return null;
}

function fieldOf(entry: unknown, name: string): unknown {
  if (typeof entry !== 'object' || entry === null) return undefined;
  return Object.getOwnPropertyDescriptor(entry, name)?.value;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
