import { type Locale } from '@latch/contracts';
import { type ShownValue } from '@latch/transaction';
import { cleanText, fieldLabel, formatScalar } from './format-value.ts';
import { texts } from './texts.ts';

/** At most this many fields of an object and entries of a list are shown; the rest is counted. */
export const mostEntries = 20;
const deepest = 3;

/**
 * The data of a read as lines of text: one line per field, lists with a line per entry. The same data always gives the same lines; nothing is invented, and what is
 * too long or too deep is left out and said to be. Empty data gives no lines.
 */
export function renderData(data: unknown, locale: Locale): readonly string[] {
  return render({ key: '', value: data, depth: 0 }, locale);
}

type Field = { readonly key: string; readonly value: unknown; readonly depth: number };

function render(field: Field, locale: Locale): readonly string[] {
  const { value, key } = field;
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return renderList(field, value, locale);
  if (typeof value === 'object') return renderObject(field, Object.entries(value), locale);
  const text = formatScalar(value, key, locale);
  if (text === '') return [];
  return [key === '' ? text : `${indent(field.depth)}${fieldLabel(key, locale)}: ${text}`];
}

/** Fields that say how a tool works, not what it found. */
const technical = new Set(['success', 'ok', 'contract_version', 'trace_id', 'request_id', '_meta']);

function renderObject(
  field: Field,
  members: readonly (readonly [string, unknown])[],
  locale: Locale,
): readonly string[] {
  if (field.depth >= deepest) return [];
  const isNamed = field.key !== '';
  const depth = isNamed ? field.depth + 1 : field.depth;
  const shown = members.filter(([key]) => !technical.has(key));
  const lines = shown.slice(0, mostEntries).flatMap(([key, value]) => render({ key, value, depth }, locale));
  if (shown.length > mostEntries) lines.push(indent(depth) + texts[locale].more(shown.length - mostEntries));
  return isNamed && lines.length > 0 ? [`${indent(field.depth)}${fieldLabel(field.key, locale)}:`, ...lines] : lines;
}

function renderList(field: Field, entries: readonly unknown[], locale: Locale): readonly string[] {
  if (entries.length === 0 || field.depth >= deepest) return [];
  const title = field.key === '' ? [] : [`${indent(field.depth)}${fieldLabel(field.key, locale)}:`];
  const depth = field.key === '' ? field.depth : field.depth + 1;
  const lines = entries.slice(0, mostEntries).flatMap((entry) => {
    const text = inline(entry, field.key, locale);
    return text === '' ? [] : [`${indent(depth)}- ${text}`];
  });
  const rest = entries.length > mostEntries ? [indent(depth) + texts[locale].more(entries.length - mostEntries)] : [];
  return lines.length === 0 ? [] : [...title, ...lines, ...rest];
}

/** One entry of a list on one line: its name first, the other fields behind it. */
function inline(entry: unknown, key: string, locale: Locale): string {
  if (typeof entry !== 'object' || entry === null) return formatScalar(entry, key, locale);
  const scalars = Object.entries(entry)
    .filter(([name, value]) => !technical.has(name) && ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, mostEntries);
  const nameKey = ['name', 'nome', 'label', 'description', 'descricao'].find(
    (name) => typeof Reflect.get(entry, name) === 'string',
  );
  const name = nameKey === undefined ? '' : cleanText(String(Reflect.get(entry, nameKey)), locale);
  const rest = scalars
    .filter(([member]) => member !== nameKey)
    .map(([member, value]) => `${fieldLabel(member, locale)}: ${formatScalar(value, member, locale)}`);
  return [name, ...rest].filter((part) => part !== '').join(' · ');
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}

/** A named value in one line, as a question or an outcome shows it. */
export function formatShown({ label, value }: ShownValue, locale: Locale): string {
  if (typeof value !== 'object' || value === null) return formatScalar(value, label, locale);
  return renderData(value, locale)
    .map((line) => line.trim().replace(/^- /, ''))
    .join('; ');
}
