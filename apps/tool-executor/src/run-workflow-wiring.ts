/** What the paths of a step's arguments lead into. */
export type WiringScope = {
  /** The arguments that were approved. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Step id -> what the step answered; a step that failed or was skipped has no entry. */
  readonly steps: Readonly<Record<string, unknown>>;
  /** The entry of a fan-out; absent outside of one. */
  readonly item?: unknown;
};

/**
 * Fills the arguments of a step (`workflows.yaml`, wiring): a text that begins with `$.` becomes the value at its path, `$$.` begins a text that is none.
 * Pure and total. An argument whose path finds nothing is left out, as is a member of an object; an entry of a list is dropped.
 */
export function wireArguments(
  given: Readonly<Record<string, unknown>>,
  scope: WiringScope,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name, wire(value, scope)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** The value at a path such as `$.steps.search.orders.0.id`; undefined when nothing is there. No name reaches into a prototype. */
export function valueAtPath(path: string, scope: WiringScope): unknown {
  let value: unknown = scope;
  for (const step of path.slice(2).split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value ?? undefined;
}

function wire(value: unknown, scope: WiringScope): unknown {
  if (typeof value === 'string') return wireText(value, scope);
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return entries.map((entry) => wire(entry, scope)).filter((entry) => entry !== undefined);
  }
  return typeof value === 'object' && value !== null ? wireArguments({ ...value }, scope) : value;
}

function wireText(text: string, scope: WiringScope): unknown {
  if (text.startsWith('$$.')) return text.slice(1);
  return text.startsWith('$.') ? valueAtPath(text, scope) : text;
}
