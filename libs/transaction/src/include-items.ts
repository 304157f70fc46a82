import { type ParameterConfig, type ToolConfig } from '@latch/contracts';
import { canonicalize } from './canonicalize.ts';
import { itemOf, namesAll, spells } from './items.ts';
import { type Arguments, type Proposal } from './state.ts';

type Shown = Pick<Proposal, 'arguments' | 'items'>;

/**
 * The value of the one declared parameter that holds what the call is about, with more in it: a list with more entries, a text that names more. What is in the
 * set already is not put there twice.
 *
 * @returns null when nothing new is named, or when it is not clear which parameter could take it, or when the declaration does not allow it.
 */
export function includeItems(tool: ToolConfig, shown: Shown, labels: readonly string[]): Arguments | null {
  const news = labels.filter((label, index) => !isKnown(shown, label) && labels.indexOf(label) === index);
  const holders = Object.values(tool.parameters).filter((parameter) => mayHold(parameter, shown));
  const [holder] = holders;
  if (news.length === 0 || holder === undefined || holders.length > 1) return null;
  const value = withMore(shown, shown.arguments[holder.name], news);
  const read = value === null ? null : canonicalize(holder, value);
  return read?.ok === true ? { [holder.name]: read.value } : null;
}

/** By id or name among the items, or among the values where nothing was resolved into items. */
function isKnown({ items, arguments: args }: Shown, wanted: string): boolean {
  const folded = wanted.toLowerCase();
  if (items.some(({ id, label }) => id.toLowerCase() === folded || label.toLowerCase() === folded)) return true;
  return Object.values(args).some((value) => typeof value === 'string' && value.toLowerCase().includes(folded));
}

/** With items it is the list or text that spells them out; without, a text that may stand for several things. An identifier never does. */
function mayHold(
  { name, enum: members, pattern, format }: ParameterConfig,
  { arguments: args, items }: Shown,
): boolean {
  const value = args[name];
  if (Array.isArray(value)) return value.length > 0 && (items.length === 0 || spells(value, { items, rejected: [] }));
  if (typeof value !== 'string' || members !== null || pattern !== null || format !== null) return false;
  return items.length === 0 || namesAll(value, items);
}

function withMore({ items }: Shown, value: unknown, news: readonly string[]): unknown {
  if (typeof value === 'string')
    return [items.length === 0 ? value : items.map(({ label }) => label), news].flat().join(', ');
  if (!Array.isArray(value)) return null;
  const entries: readonly unknown[] = value;
  const known = entries.map((entry, index) => itemOf(entry, index).label);
  const entriesOfNews = news.filter((label) => !known.includes(label)).map((label) => entryLike(entries[0], label));
  return entriesOfNews.includes(null) ? null : [...entries, ...entriesOfNews];
}

/** The new entry has the form of those that are there; null when it cannot have it. */
function entryLike(entry: unknown, label: string): unknown {
  if (typeof entry === 'string') return label;
  if (typeof entry === 'number') return /^\d+$/.test(label) ? Number(label) : null;
  if (typeof entry !== 'object' || entry === null) return null;
  const names = ['id', 'name'].filter((name) => Object.hasOwn(entry, name));
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, label]));
}
