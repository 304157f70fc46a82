import { isRecord, type ItemOutcome } from '@latch/contracts';
import { isRetryableReason } from './classify-error.ts';
import { firstText, textOf } from './json-value.ts';
import { scrub } from './scrub.ts';

/** One entry of `results[]`, read on its own. */
export type Entry = {
  /** Every value by which the entry may name its item, the strongest first; none when it names nothing. */
  readonly names: readonly string[];
  readonly label: string | null;
  /** Null when the entry carries no flag, which is not the same as a flag that contradicts itself (`unknown`). */
  readonly outcome: ItemOutcome | null;
  readonly reason: string | null;
  readonly protocol: string | null;
  readonly isRetryable: boolean;
  readonly data: unknown;
};

/** Reads one entry. Total: anything that is no object is an entry without a flag and without a name. */
export function readEntry(value: unknown): Entry {
  if (!isRecord(value))
    return { names: [], label: null, outcome: null, reason: null, protocol: null, isRetryable: false, data: value };
  const outcome = flagOf(value);
  const failed = outcome !== 'succeeded';
  return {
    names: namesOf(value),
    label: firstText(value, labelNames),
    outcome,
    reason: failed ? reasonOf(value) : null,
    protocol: firstText(value, protocolNames),
    isRetryable: outcome === 'failed' && isRetryable(value),
    data: value,
  };
}

/** Whether an entry's flag is the exact word instead of the boolean that the contract asks for. */
export function hasWordFlag(value: unknown): boolean {
  return isRecord(value) && [value.success, value.ok].some((flag) => flag === 'true' || flag === 'false');
}

/** Whether the two flags of an entry say opposite things. */
export function hasContradiction(value: unknown): boolean {
  return isRecord(value) && new Set(flagsOf(value)).size > 1;
}

/**
 * `success` or `ok`, as boolean or as exactly the word `"true"` / `"false"` (never by truthiness). Two flags that disagree leave the item
 * unknown: neither can be claimed (invariant I11). A tool may also say so itself: `outcome: "unknown"` in the place of a flag.
 */
function flagOf(entry: Record<string, unknown>): ItemOutcome | null {
  const flags = flagsOf(entry);
  const [first] = flags;
  if (first === undefined) return entry.outcome === 'unknown' ? 'unknown' : null;
  if (flags.some((flag) => flag !== first)) return 'unknown';
  return first ? 'succeeded' : 'failed';
}

function flagsOf(entry: Record<string, unknown>): readonly boolean[] {
  return [flagValue(entry.success), flagValue(entry.ok)].filter((flag) => flag !== null);
}

function flagValue(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : null;
}

const protocolNames = [
  'protocol',
  'protocolo',
  'protocol_id',
  'operation_id',
  'operationId',
  'confirmation',
  'confirmation_id',
  'receipt',
];
const labelNames = ['label', 'name', 'subject', 'title', 'nome', 'item_name', 'product_name'];
const identityNames = [
  'id',
  'item_id',
  'itemId',
  'order_id',
  'subject',
  'name',
  'label',
  'key',
  'code',
  'sku',
  'nome',
  'title',
  '_id',
];

/** Names of the entry itself and of an `item`, `product` or `order` object in it; then anything that ends like an id. */
function namesOf(entry: Record<string, unknown>): readonly string[] {
  const own = identityNames.map((name) => textOf(entry[name]));
  const nested = ['item', 'product', 'order', 'subject'].map((name) => entry[name]);
  const inner = nested.flatMap((value) =>
    isRecord(value) ? identityNames.map((name) => textOf(value[name])) : [textOf(value)],
  );
  const ids = Object.keys(entry)
    .slice(0, 64)
    .filter((name) => /(?:_id|Id|_key|_code)$/.test(name) && !protocolNames.includes(name))
    .map((name) => textOf(entry[name]));
  return [...new Set([...own, ...ids, ...inner].filter((name) => name !== null))];
}

function reasonOf(entry: Record<string, unknown>): string | null {
  const inner = isRecord(entry.error) ? firstText(entry.error, ['message', 'reason', 'code', 'type']) : null;
  const text = firstText(entry, ['reason', 'error', 'message', 'motivo', 'detail', 'status']) ?? inner;
  return text === null ? null : scrub(text);
}

function isRetryable(entry: Record<string, unknown>): boolean {
  const flag = entry.isRetryable ?? entry.is_retryable ?? entry.retryable;
  return typeof flag === 'boolean' ? flag : isRetryableReason(entry);
}
