import { type ItemOutcome, type ProposalItem, type ResultItem } from '@latch/contracts';
import { type Entry } from './read-entry.ts';

/** The items of a call with what the evidence says of each, and what did not fit. */
export type MatchedItems = {
  readonly items: readonly ResultItem[];
  /** Entries that name something that was not asked for. They are shown, and never counted. */
  readonly unrequested: readonly ResultItem[];
  readonly warnings: readonly string[];
};

/**
 * Brings what a tool reports together with what was asked, so that the counts add up with the question:
 * - an item without an entry is unknown; an entry without an item is `unrequested`;
 * - one item in several entries is one item: with one outcome where they agree, unknown where they do not;
 * - entries that name nothing are counted by position and not named, because no contract promises the order;
 * - with no items asked, or one expression that the tool expanded itself (seeds/000 section 4), the entries are the items.
 */
export function matchItems(asked: readonly ProposalItem[], entries: readonly Entry[]): MatchedItems {
  const [only] = asked;
  if (only === undefined) return { items: mergeByName(entries), unrequested: [], warnings: [] };
  if (asked.length === 1 && entries.length > 1)
    return { items: nameAfter(only, mergeByName(entries)), unrequested: [], warnings: [] };
  if (entries.every(({ names }) => names.length === 0)) return matchNameless(asked, entries);
  return matchByName(asked, entries);
}

/** An item of which nothing is known but that it was asked for. */
export function itemWithout(evidence: {
  readonly item: ProposalItem;
  readonly outcome: ItemOutcome;
  readonly reason: string | null;
  readonly isRetryable?: boolean;
}): ResultItem {
  const { item, outcome, reason } = evidence;
  return {
    id: item.id,
    label: item.label,
    outcome,
    reason,
    protocol: null,
    is_retryable: evidence.isRetryable ?? false,
  };
}

function matchByName(asked: readonly ProposalItem[], entries: readonly Entry[]): MatchedItems {
  const index = indexOf(asked);
  const found = new Map<ProposalItem, Entry[]>();
  const strangers: Entry[] = [];
  for (const entry of entries) {
    const item = findItem(index, entry) ?? soleItem(asked, entries);
    if (item === undefined) strangers.push(entry);
    else push(found, item, entry);
  }
  const items = asked.map((item) => toItem(item, found.get(item) ?? []));
  return { items, unrequested: mergeByName(strangers), warnings: warningsOf(items, asked, { found, strangers }) };
}

function warningsOf(
  items: readonly ResultItem[],
  asked: readonly ProposalItem[],
  { found, strangers }: { found: ReadonlyMap<ProposalItem, readonly Entry[]>; strangers: readonly Entry[] },
): readonly string[] {
  const missing = asked.length - found.size;
  const repeated = items.filter((_, at) => (found.get(asked[at] ?? { id: '', label: '' })?.length ?? 0) > 1).length;
  return [
    ...(missing > 0 ? [`${missing} of ${asked.length} items asked for have no entry in results`] : []),
    ...(strangers.length > 0 ? [`${strangers.length} entries in results name no item that was asked for`] : []),
    ...(repeated > 0 ? [`${repeated} items have more than one entry in results`] : []),
  ];
}

/** One item asked, one entry: a longer or shorter name of the same thing ("TIM Fashion", "TIM Fashion Mensal") is the same item. */
function soleItem(asked: readonly ProposalItem[], entries: readonly Entry[]): ProposalItem | undefined {
  const [item] = asked;
  const [entry] = entries;
  if (asked.length !== 1 || entries.length !== 1 || item === undefined || entry === undefined) return undefined;
  const names = entry.names.map(fold);
  const isSame = [item.id, item.label]
    .map(fold)
    .some((own) => names.some((name) => isPrefix(own, name) || isPrefix(name, own)));
  return isSame ? item : undefined;
}

function isPrefix(short: string, long: string): boolean {
  return short !== '' && (long === short || long.startsWith(`${short} `));
}

function matchNameless(asked: readonly ProposalItem[], entries: readonly Entry[]): MatchedItems {
  const [item] = asked;
  const [entry] = entries;
  if (asked.length === 1 && entries.length === 1 && item !== undefined && entry !== undefined) {
    return { items: [toItem(item, [entry])], unrequested: [], warnings: [] };
  }
  const count = Math.max(asked.length, entries.length);
  const items = Array.from({ length: count }, (_, at) => {
    const position = { id: `#${at + 1}`, label: `#${at + 1}` };
    const at1 = entries[at];
    return toItem(position, at1 === undefined ? [] : [at1]);
  });
  return {
    items,
    unrequested: [],
    warnings: [`results names none of its ${entries.length} entries, ${asked.length} were asked for`],
  };
}

/** Entries as items of their own: the same name twice is one item. */
function mergeByName(entries: readonly Entry[]): readonly ResultItem[] {
  const groups = new Map<string, Entry[]>();
  entries.forEach((entry, at) => {
    const key = entry.names[0] === undefined ? `#${at + 1}` : `=${fold(entry.names[0])}`;
    push(groups, key, entry);
  });
  return [...groups].map(([key, group]) => {
    const id = group[0]?.names[0] ?? key;
    return toItem({ id, label: group[0]?.label ?? id }, group);
  });
}

function push<K>(groups: Map<K, Entry[]>, key: K, entry: Entry): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [entry]);
  else group.push(entry);
}

/** Where the tool expanded the one expression, an entry that is that item keeps the name under which it was asked. */
function nameAfter(asked: ProposalItem, items: readonly ResultItem[]): readonly ResultItem[] {
  return items.map((item) => (fold(item.id) === fold(asked.id) ? { ...item, id: asked.id, label: asked.label } : item));
}

function toItem(item: ProposalItem, entries: readonly Entry[]): ResultItem {
  const [first] = entries;
  if (first === undefined) return itemWithout({ item, outcome: 'unknown', reason: 'no_evidence' });
  const outcome = agreedOutcome(entries);
  return {
    id: item.id,
    label: item.label,
    outcome,
    reason:
      outcome === 'succeeded' ? null : (first.reason ?? (outcome === 'unknown' ? 'contradictory_evidence' : null)),
    protocol: entries.find(({ protocol }) => protocol !== null)?.protocol ?? null,
    is_retryable: outcome === 'failed' && entries.every((entry) => entry.isRetryable),
    data: entries.length === 1 ? first.data : entries.map((entry) => entry.data),
  };
}

function agreedOutcome(entries: readonly Entry[]): ItemOutcome {
  const outcomes = new Set(entries.map(({ outcome }) => outcome ?? 'unknown'));
  const [only] = outcomes;
  return outcomes.size === 1 && only !== undefined ? only : 'unknown';
}

type ItemIndex = {
  readonly byId: ReadonlyMap<string, ProposalItem>;
  readonly byLabel: ReadonlyMap<string, ProposalItem | undefined>;
};

function indexOf(asked: readonly ProposalItem[]): ItemIndex {
  const byLabel = new Map<string, ProposalItem | undefined>();
  for (const item of asked) {
    const label = fold(item.label);
    byLabel.set(label, byLabel.has(label) ? undefined : item);
  }
  return { byId: new Map(asked.map((item) => [fold(item.id), item])), byLabel };
}

/** An id decides before a label does; a label that two items share decides nothing. */
function findItem(index: ItemIndex, entry: Entry): ProposalItem | undefined {
  const names = entry.names.map(fold);
  const byId = names.map((name) => index.byId.get(name)).find((item) => item !== undefined);
  return byId ?? names.map((name) => index.byLabel.get(name)).find((item) => item !== undefined);
}

/** Upper and lower case, accents and white space do not make another item. */
function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}
