import { isRecord } from '@latch/contracts';
import { narrowingsOf, type Schema, variantsOf } from './schema-narrowings.ts';

/** One change that breaks somebody who relies on the released contract. */
export type BreakingChange = {
  /** Where, as a path of field names: `payload.metadata.request_id`; empty for the contract itself. */
  readonly path: string;
  readonly rule: 'new_required_field' | 'removed_field' | 'no_longer_required' | 'narrowed' | 'changed_meaning';
  /** A sentence that says which rule of SPEC-012 section 14 is broken, and what to do. */
  readonly message: string;
};

/**
 * Compares the working schema of a contract with its released one. What may change within a major: a new optional field, a wider type, enum or bound.
 * Everything else needs a new major.
 */
export function findBreakingChanges(released: Schema, working: Schema, path = ''): readonly BreakingChange[] {
  return [
    ...meaningChanges(released, working, path),
    ...narrowingsOf(released, working).map((what) => narrowed(path, what)),
    ...fieldChanges(released, working, path),
    ...nestedChanges(released, working, path),
  ];
}

/**
 * Where the working schema accepts values that the released one refuses: a further enum value, type or alternative, a wider bound. Older producers are not
 * touched by it, older consumers are.
 *
 * @returns paths of fields; the contract itself is the empty path.
 */
export function findWidenings(released: Schema, working: Schema): readonly string[] {
  const seenFromBehind = findBreakingChanges(working, released);
  return [...new Set(seenFromBehind.filter(({ rule }) => rule === 'narrowed').map(({ path }) => path))];
}

/** A meaning may be pinned where none was. */
function meaningChanges(released: Schema, working: Schema, path: string): readonly BreakingChange[] {
  if (released['x-meaning'] === undefined || released['x-meaning'] === working['x-meaning']) return [];
  return [
    {
      path,
      rule: 'changed_meaning',
      message: `${nameOf(path)} changes its meaning (x-meaning ${text(released['x-meaning'])} -> ${text(working['x-meaning'])}). A change of meaning is a new version (SPEC-012 section 14): publish a new major.`,
    },
  ];
}

function fieldChanges(released: Schema, working: Schema, path: string): readonly BreakingChange[] {
  const before = fieldsOf(released);
  const after = fieldsOf(working);
  const added = Object.keys(after).filter((name) => !(name in before));
  return [
    ...Object.keys(before).flatMap((name): readonly BreakingChange[] => {
      const field = join(path, name);
      if (!(name in after)) return [removed(field, renamedTo(before[name], { added, after }))];
      if (isRequired(released, name) && !isRequired(working, name)) return [noLongerRequired(field)];
      if (!isRequired(released, name) && isRequired(working, name)) return [newlyRequired(field)];
      return [];
    }),
    ...added.filter((name) => isRequired(working, name)).map((name) => newlyRequired(join(path, name))),
  ];
}

function nestedChanges(released: Schema, working: Schema, path: string): readonly BreakingChange[] {
  const before = fieldsOf(released);
  const after = fieldsOf(working);
  return [
    ...Object.keys(before).flatMap((name) => compared(before[name], after[name], join(path, name))),
    ...compared(released['items'], working['items'], `${path}[]`),
    ...compared(released['additionalProperties'], working['additionalProperties'], join(path, '*')),
    ...variantChanges(released, working, path),
  ];
}

/** Alternatives are matched by what tells them apart: a constant field, or else their type. One that is gone narrows the contract. */
function variantChanges(released: Schema, working: Schema, path: string): readonly BreakingChange[] {
  const after = variantsOf(working);
  return [...variantsOf(released)].flatMap(([mark, variant]) => {
    const match = after.get(mark);
    return match
      ? findBreakingChanges(variant, match, `${path}<${mark}>`)
      : [narrowed(path, `the alternative ${mark} is gone`)];
  });
}

function compared(released: unknown, working: unknown, path: string): readonly BreakingChange[] {
  return isRecord(released) && isRecord(working) ? findBreakingChanges(released, working, path) : [];
}

function newlyRequired(path: string): BreakingChange {
  return {
    path,
    rule: 'new_required_field',
    message: `${path} is required now. New fields must be optional (SPEC-012 section 14), since older producers do not send them: make it optional, or publish a new major.`,
  };
}

function removed(path: string, renamed: string | null): BreakingChange {
  const guess = renamed === null ? '' : ` It looks renamed to ${renamed}: keep the old name and add the new one beside it.`;
  return {
    path,
    rule: 'removed_field',
    message: `${path} is gone. Fields cannot be removed or renamed within a major (SPEC-012 section 14): put it back, or publish a new major.${guess}`,
  };
}

function noLongerRequired(path: string): BreakingChange {
  return {
    path,
    rule: 'no_longer_required',
    message: `${path} is no longer required. Consumers rely on it, so what is required stays required within a major (SPEC-012 section 14): require it, or publish a new major.`,
  };
}

function narrowed(path: string, what: string): BreakingChange {
  return {
    path,
    rule: 'narrowed',
    message: `${nameOf(path)} accepts less than before: ${what}. Messages that were valid must stay valid within a major (SPEC-012 section 14): widen it again, or publish a new major.`,
  };
}

/** A field that is gone while one of the same shape came is most likely a rename. */
function renamedTo(
  field: Schema | undefined,
  { added, after }: { readonly added: readonly string[]; readonly after: Readonly<Record<string, Schema>> },
): string | null {
  const shape = JSON.stringify(field);
  return added.find((name) => JSON.stringify(after[name]) === shape) ?? null;
}

function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties = schema['properties'];
  if (!isRecord(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => (isRecord(field) ? [[name, field]] : [])),
  );
}

function isRequired(schema: Schema, name: string): boolean {
  const required = schema['required'];
  return Array.isArray(required) && required.includes(name);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function nameOf(path: string): string {
  return path === '' ? 'The contract' : path;
}

function text(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
