import { type Locale, type ResultItem, type StructuredError } from '@latch/contracts';
import { type ReplySlot } from '@latch/transaction';
import { describeError, describeErrorToldByItems, reasonOf } from './describe-error.ts';
import { cleanText, formatReason, reasonsIn } from './format-value.ts';
import { formatShown, renderData } from './render-data.ts';
import { type ItemCounts, type Texts, texts } from './texts.ts';

type OutcomeSlot = Extract<ReplySlot, { kind: 'outcome' }>;

/**
 * Says what a tool did: every item once with its own outcome, reason and protocol; what is not known is said to be not known; an empty answer is an answer; and what
 * the user can do next (SPEC seeds/000 section 6, DESIGN section 7).
 */
export function describeOutcome(slot: OutcomeSlot, locale: Locale): string {
  const lines = slot.items.length > 0 ? describeItems(slot, locale) : describeWhole(slot, locale);
  return [...lines, ...afterwards(slot, locale), ...nextStep(slot, locale)].join('\n');
}

function describeItems(slot: OutcomeSlot, locale: Locale): readonly string[] {
  const words = texts[locale];
  const labels = uniqueLabels(slot.items, locale);
  const lines = slot.items.map((item, index) => `- ${labels[index]}: ${describeItem(item, slot.error, locale)}`);
  const failure = slot.error === null ? [] : describeErrorBeside(slot.items, slot.error, locale);
  return [headline(slot, words), ...lines, ...failure];
}

/** A reason that stands beside the items is not told again. */
function describeErrorBeside(items: readonly ResultItem[], error: StructuredError, locale: Locale): readonly string[] {
  const told = new Set(items.flatMap(({ reason }) => (hasText(reason) ? [reason, ...reasonsIn(reason)] : [])));
  const isTold = told.has(error.message) || reasonsIn(error.message).every((reason) => told.has(reason));
  return isTold ? describeErrorToldByItems(error, locale) : describeError(error, locale);
}

function headline(slot: OutcomeSlot, words: Texts): string {
  const counts = countItems(slot.items);
  const tool = slot.toolLabel;
  if (counts.failed + counts.unknown === 0) return words.done(tool);
  if (counts.succeeded + counts.unknown === 0) return words.notDone(tool);
  return counts.succeeded === 0 ? unknown(slot, tool, words) : `${words.partlyDone(tool)} ${words.counts(counts)}.`;
}

/** Nobody is said to be checking where nobody is. */
function unknown({ isBeingChecked }: OutcomeSlot, tool: string, words: Texts): string {
  return isBeingChecked ? words.unknown(tool) : words.unknownForPerson(tool);
}

function countItems(items: readonly ResultItem[]): ItemCounts {
  const of = (outcome: ResultItem['outcome']): number => items.filter((item) => item.outcome === outcome).length;
  return { succeeded: of('succeeded'), failed: of('failed'), unknown: of('unknown') };
}

function describeItem(item: ResultItem, error: StructuredError | null, locale: Locale): string {
  const words = texts[locale];
  const protocol = hasText(item.protocol) ? [words.protocol(cleanText(item.protocol, locale))] : [];
  if (item.outcome === 'succeeded') return [words.itemSucceeded, ...protocol].join(', ');
  if (item.outcome === 'unknown') return [words.itemUnknown, ...protocol].join(', ');
  const reason = reasonOfItem(item, error, locale);
  return [`${words.itemFailed}${reason === '' ? '' : ` (${reason})`}`, ...protocol].join(', ');
}

/** Where the whole call failed, its items fail for the same reason, and that may be in Latch's words. */
function reasonOfItem({ reason }: ResultItem, error: StructuredError | null, locale: Locale): string {
  if (!hasText(reason)) return '';
  return error?.message === reason ? reasonOf(error, locale) : formatReason(reason, locale);
}

const hasText = (text: string | null | undefined): text is string => typeof text === 'string' && text.trim() !== '';

/** Labels as they are shown; equal ones are told apart by their ids, and by their place where the ids are equal too. */
export function uniqueLabels(
  items: readonly { readonly id: string; readonly label: string }[],
  locale: Locale,
): readonly string[] {
  const shown = items.map((item) => cleanText(item.label, locale) || cleanText(item.id, locale));
  const isShared = sharedIn(shown);
  const withIds = items.map((item, index) => {
    const label = shown[index] ?? '';
    return isShared(label) ? `${label} [${cleanText(item.id, locale)}]` : label;
  });
  const isStillShared = sharedIn(withIds);
  return withIds.map((label, index) => (isStillShared(label) ? `${label} #${index + 1}` : label));
}

/** Which labels stand there more than once. Counted in one pass: a result may have thousands of items. */
function sharedIn(labels: readonly string[]): (label: string) => boolean {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const label of labels) (seen.has(label) ? shared : seen).add(label);
  return (label) => shared.has(label);
}

function describeWhole(slot: OutcomeSlot, locale: Locale): readonly string[] {
  const words = texts[locale];
  const tool = nameWithValues(slot, locale);
  if (slot.outcome === 'UNKNOWN')
    return [slot.isReadOnly ? words.readFailed(slot.toolLabel) : unknown(slot, tool, words)];
  if (slot.outcome === 'FAILED' || slot.error !== null) {
    return [words.notDone(tool), ...(slot.error === null ? [] : describeError(slot.error, locale))];
  }
  return slot.isReadOnly
    ? describeFindings(slot, locale)
    : [words.done(tool), ...protocolOf(slot.data, locale), ...note(slot, locale)];
}

/** The tool's label with what the call was about: "o cancelamento do pedido (PED-1001)". */
function nameWithValues({ toolLabel, values }: OutcomeSlot, locale: Locale): string {
  const shown = values.map((value) => formatShown(value, locale)).filter(hasText);
  return shown.length === 0 ? toolLabel : `${toolLabel} (${shown.join(', ')})`;
}

/** What a read found. "Nothing" is said only where the tool says that it found nothing. */
function describeFindings(slot: OutcomeSlot, locale: Locale): readonly string[] {
  const words = texts[locale];
  if (slot.isEmpty) return [words.nothingFound, ...note(slot, locale)];
  const lines = renderData(withoutNote(slot), locale);
  return lines.length > 0 ? [...lines, ...note(slot, locale)] : [words.done(slot.toolLabel), ...note(slot, locale)];
}

/** The tool's own note stands in its data. Any other was written by Latch, for the caller of the tool. */
function note({ data, note }: OutcomeSlot, locale: Locale): readonly string[] {
  return hasText(note) && isNoteOf(data, note) ? [cleanText(note, locale)] : [];
}

/** The note is said at the end, and once. */
function withoutNote({ data, note }: OutcomeSlot): unknown {
  if (typeof data !== 'object' || data === null || note === null || !isNoteOf(data, note)) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'note'));
}

function isNoteOf(data: unknown, note: string): boolean {
  return typeof data === 'object' && data !== null && Reflect.get(data, 'note') === note;
}

const protocolKeys = ['protocol', 'protocolo', 'protocol_number', 'numero_protocolo', 'operation_id'];

function protocolOf(data: unknown, locale: Locale): readonly string[] {
  if (typeof data !== 'object' || data === null) return [];
  const key = protocolKeys.find((name) => Object.hasOwn(data, name));
  const protocol: unknown = key === undefined ? undefined : Reflect.get(data, key);
  if (typeof protocol !== 'string' && typeof protocol !== 'number') return [];
  return [capitalize(texts[locale].protocol(cleanText(String(protocol), locale))) + '.'];
}

function afterwards(slot: OutcomeSlot, locale: Locale): readonly string[] {
  if (slot.secondaryError === null) return [];
  return [texts[locale].afterwards(reasonOf(slot.secondaryError, locale))];
}

function nextStep(slot: OutcomeSlot, locale: Locale): readonly string[] {
  const words = texts[locale];
  if (slot.canRetry) return [slot.items.length > 0 ? words.retryItems : words.retryAll];
  if (slot.outcome !== 'FAILED') return [];
  const category = slot.error?.errorCategory;
  if (category === 'transient') return [words.laterOnly];
  // A rule of the domain is told as it is; who lacks a permission has been told that a person can help.
  return category === 'validation' ? [words.correctValue] : [];
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
