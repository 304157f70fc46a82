import { mask } from './mask.ts';

const maxDepth = 8;
const maxEntries = 100;
const maxNodes = 1_000;
const maxTextLength = 4_096;
const maxStackLines = 12;

/**
 * A copy of `value` that may be logged: plain JSON, every text masked, the values of secret-named fields gone, errors with message, stack and
 * cause. Bounded in depth, breadth and length, safe on cycles; never throws.
 */
export function maskFields(value: unknown): unknown {
  return walk(value, { depth: 0, line: { nodes: maxNodes, errors: new Set() }, seen: new Set() });
}

type Position = {
  readonly depth: number;
  /** What the whole line shares: the nodes that are left, and the errors that stand in it already. */
  readonly line: { nodes: number; readonly errors: Set<Error> };
  readonly seen: ReadonlySet<object>;
};

function walk(value: unknown, at: Position): unknown {
  if (typeof value === 'string') return mask(cut(value));
  if (typeof value === 'number') return maskNumber(value);
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (typeof value === 'object') return walkObject(value, at);
  return typeof value === 'bigint' ? mask(String(value)) : `[${typeof value}]`;
}

/** A getter or a proxy may throw when it is read: that costs its own place in the line, not the line. */
function walkObject(value: object, at: Position): unknown {
  try {
    return walkReadable(value, at);
  } catch {
    return '[unreadable]';
  }
}

function walkReadable(value: object, at: Position): unknown {
  at.line.nodes -= 1;
  if (at.seen.has(value)) return '[circular]';
  if (at.depth >= maxDepth || at.line.nodes < 0) return '[cut]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  const inside = { ...at, depth: at.depth + 1, seen: new Set([...at.seen, value]) };
  if (value instanceof Error) return walkError(value, inside);
  if (Array.isArray(value)) return walkArray(value, inside);
  if (value instanceof Map || value instanceof Set) return walkArray([...value], inside);
  return walkRecord(value, inside);
}

/** The cause comes first, so that an error class that also keeps it in a field does not show it twice. */
function walkError(error: Error, at: Position): unknown {
  if (at.line.errors.has(error)) return '[the same error]';
  at.line.errors.add(error);
  const { name, message, cause } = error;
  const stack = error.stack?.split('\n').slice(0, maxStackLines).join('\n');
  return walkRecord({ name, message, stack, cause, ...Object.fromEntries(Object.entries(error)) }, at);
}

function walkArray(list: readonly unknown[], at: Position): unknown {
  const shown = list.slice(0, maxEntries).map((entry) => walk(entry, at));
  return list.length > maxEntries ? [...shown, `[${list.length - maxEntries} more]`] : shown;
}

function walkRecord(record: object, at: Position): unknown {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  const shown = entries.slice(0, maxEntries).map(([name, value]) => maskMember(name, value, at));
  const more = entries.length > maxEntries ? [['…', `[${entries.length - maxEntries} more]`]] : [];
  return Object.fromEntries([...shown, ...more]);
}

function maskMember(name: string, value: unknown, at: Position): readonly [string, unknown] {
  const { shown, isSecret } = knownNames.get(name) ?? learnName(name);
  if (!isSecret) return [shown, walk(value, at)];
  return [shown, typeof value === 'number' || typeof value === 'boolean' || value === null ? value : '[secret]'];
}

type FieldName = { readonly shown: string; readonly isSecret: boolean };

/** Field names are few and come again in each line, so what masking says of them is kept; bounded, because a payload may bring its own. */
const knownNames = new Map<string, FieldName>();
const maxKnownNames = 1_000;

function learnName(name: string): FieldName {
  const learned = { shown: mask(cut(name)), isSecret: isSecretName(name) };
  if (knownNames.size < maxKnownNames && name.length <= 100) knownNames.set(name, learned);
  return learned;
}

const secretNames = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'senha',
  'secret',
  'token',
  'apikey',
  'accesskey',
  'privatekey',
  'credential',
  'credentials',
];

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[_\-. ]/g, '');
  return secretNames.some((secret) => plain.endsWith(secret));
}

/** A document number may come as a JSON number. Measurements stay numbers. */
function maskNumber(value: number): unknown {
  if (!Number.isSafeInteger(value) || value < 1_000_000_000) return value;
  const text = String(value);
  const masked = mask(text);
  return masked === text ? value : masked;
}

function cut(text: string): string {
  if (text.length <= maxTextLength) return text;
  return `${text.slice(0, maxTextLength)}… [${text.length - maxTextLength} more characters]`;
}
