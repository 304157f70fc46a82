import { isRecord } from '@latch/contracts';
/** A JSON Schema, or a part of one, as it stands in a published file. */
export type Schema = Readonly<Record<string, unknown>>;

/** Everything in which `working` accepts less than `released` at its own level, in words. */
export function narrowingsOf(released: Schema, working: Schema): readonly string[] {
  return [
    ...typeNarrowings(released, working),
    ...valueNarrowings(released, working),
    ...lowerBounds.flatMap((bound) => boundNarrowing({ released, working, bound, isTighter: (a, b) => b > a })),
    ...upperBounds.flatMap((bound) => boundNarrowing({ released, working, bound, isTighter: (a, b) => b < a })),
    ...exactWords.flatMap((word) => wordNarrowing(released, working, word)),
    ...closings(released, working),
  ];
}

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Words whose effect cannot be compared by size: any change of them may refuse what was valid; dropping one only widens. */
const exactWords = ['pattern', 'format', 'multipleOf', 'uniqueItems'];

function typeNarrowings(released: Schema, working: Schema): readonly string[] {
  const after = typesOf(working);
  if (after === null) return [];
  const before = typesOf(released);
  if (before === null) return [`its type is ${after.join(' or ')} now`];
  const gone = before.filter((type) => !after.includes(type) && !(type === 'integer' && after.includes('number')));
  return gone.map((type) => `it can no longer be ${type}`);
}

function typesOf({ type }: Schema): readonly string[] | null {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : null;
}

function valueNarrowings(released: Schema, working: Schema): readonly string[] {
  const after = valuesOf(working);
  if (after === null) return [];
  const before = valuesOf(released);
  if (before === null) return [`only ${after.join(', ')} are allowed now`];
  return before.filter((value) => !after.includes(value)).map((value) => `the value ${value} is gone`);
}

/** The values that are allowed, as JSON text; null when any is. */
function valuesOf(schema: Schema): readonly string[] | null {
  if ('const' in schema) return [JSON.stringify(schema['const'])];
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => JSON.stringify(value)) : null;
}

function boundNarrowing(of: {
  readonly released: Schema;
  readonly working: Schema;
  readonly bound: string;
  readonly isTighter: (before: number, after: number) => boolean;
}): readonly string[] {
  const before = of.released[of.bound];
  const after = of.working[of.bound];
  if (typeof after !== 'number') return [];
  if (typeof before !== 'number') return [`it has a ${of.bound} of ${after} now`];
  return of.isTighter(before, after) ? [`its ${of.bound} goes from ${before} to ${after}`] : [];
}

function wordNarrowing(released: Schema, working: Schema, word: string): readonly string[] {
  const before = released[word];
  const after = working[word];
  if (after === undefined || JSON.stringify(before) === JSON.stringify(after)) return [];
  return [`its ${word} is ${JSON.stringify(after)} now`];
}

function closings(released: Schema, working: Schema): readonly string[] {
  const closes = released['additionalProperties'] !== false && working['additionalProperties'] === false;
  return closes ? ['it refuses fields that it does not know'] : [];
}

/** The alternatives of a schema, by what tells each apart. */
export function variantsOf(schema: Schema): ReadonlyMap<string, Schema> {
  const lists = [schema['anyOf'], schema['oneOf']].filter((list) => Array.isArray(list));
  const variants = lists.flat().filter(isRecord);
  return new Map(variants.map((variant) => [markOf(variant), variant]));
}

function markOf(variant: Schema): string {
  const properties = variant['properties'];
  const constants = isRecord(properties)
    ? Object.entries(properties).filter(([, field]) => isRecord(field) && 'const' in field)
    : [];
  const [name, field] = constants[0] ?? [];
  if (name !== undefined && isRecord(field)) return `${name}=${JSON.stringify(field['const'])}`;
  if ('const' in variant) return JSON.stringify(variant['const']);
  return typesOf(variant)?.join('|') ?? JSON.stringify(variant);
}
