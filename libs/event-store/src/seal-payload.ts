import { canonicalJson, isRecord } from '@latch/contracts';
import { erased } from './erased.ts';
import { type EventMarks, type Mark, marksOf, personalPathsOf } from './personal-fields.ts';
import { isSealed } from './seal-value.ts';

/** The member of a stored value that holds what was sealed of it. */
export const sealedMember = '~';

/** Turns a canonical JSON text into its sealed form. */
export type SealJson = (text: string) => string;

/**
 * The payload of an event as it is stored: its plain fields, and all its personal ones in one sealed value. Of a type that nobody knows, everything is
 * personal. A null says nothing about a person and stays.
 */
export function sealPayload(type: string, payload: unknown, seal: SealJson): unknown {
  const marks = marksOf(type);
  if (marks === undefined || !isRecord(payload) || sealedMember in payload)
    return { [sealedMember]: seal(canonicalJson(payload)) };
  const { plain, personal } = split(payload, marks);
  return Object.keys(personal).length === 0 ? plain : { ...plain, [sealedMember]: seal(canonicalJson(personal)) };
}

/** The sealed value in a stored payload; undefined when it was stored in the clear, or has no personal field. */
export function sealedPartOf(stored: unknown): string | undefined {
  const part = isRecord(stored) ? stored[sealedMember] : undefined;
  return isSealed(part) ? part : undefined;
}

/**
 * The payload as it was before it was sealed.
 *
 * @param opened what was sealed, as JSON text; null when it is erased: then each personal field holds the marker.
 */
export function unsealPayload(type: string, stored: unknown, opened: string | null): unknown {
  if (!isRecord(stored)) return stored;
  const { [sealedMember]: _, ...plain } = stored;
  const marks = marksOf(type);
  if (opened === null) return marks === undefined ? { type, ...erased } : placeAll(plain, erasedPaths(type, plain));
  const values: unknown = JSON.parse(opened);
  if (marks === undefined || Object.keys(plain).length === 0) return values;
  return isRecord(values) ? placeAll(plain, Object.entries(values)) : values;
}

type Values = Record<string, unknown>;
type Parts = { readonly plain: Values; readonly personal: Values };

function split(payload: Values, marks: EventMarks): Parts {
  const parts: Parts = { plain: {}, personal: {} };
  for (const [field, value] of Object.entries(payload)) {
    const mark = field === 'type' ? 'plain' : (marks[field] ?? 'personal');
    if (typeof mark === 'string') put(parts, field, { value, mark });
    else if (isRecord(value)) splitInside(parts, field, { value, marks: mark });
    else put(parts, field, { value, mark: 'personal' });
  }
  return parts;
}

function splitInside(
  parts: Parts,
  field: string,
  { value, marks }: { readonly value: Values; readonly marks: Readonly<Record<string, Mark>> },
): void {
  const inner: Parts = { plain: {}, personal: {} };
  for (const [name, part] of Object.entries(value)) put(inner, name, { value: part, mark: marks[name] ?? 'personal' });
  parts.plain[field] = inner.plain;
  for (const [name, part] of Object.entries(inner.personal)) parts.personal[`${field}.${name}`] = part;
}

function put(
  { plain, personal }: Parts,
  field: string,
  { value, mark }: { readonly value: unknown; readonly mark: Mark },
): void {
  if (value === undefined) return;
  const kept = mark === 'plain' || value === null ? plain : personal;
  kept[field] = value;
}

function erasedPaths(type: string, plain: Values): readonly (readonly [string, unknown])[] {
  return personalPathsOf(type)
    .filter((path) => isAbsent(plain, path))
    .map((path) => [path, erased]);
}

function isAbsent(plain: Values, path: string): boolean {
  const [field = '', inner] = path.split('.');
  if (inner === undefined) return !(field in plain);
  const outer = plain[field];
  return isRecord(outer) && !(inner in outer);
}

/** Puts values at their paths; a field name itself never holds a dot, parameter names stand deeper. */
function placeAll(plain: Values, values: readonly (readonly [string, unknown])[]): Values {
  const whole: Values = { ...plain };
  for (const [path, value] of values) {
    const dot = path.indexOf('.');
    if (dot < 0) whole[path] = value;
    else {
      const field = path.slice(0, dot);
      const outer = whole[field];
      whole[field] = { ...(isRecord(outer) ? outer : {}), [path.slice(dot + 1)]: value };
    }
  }
  return whole;
}
