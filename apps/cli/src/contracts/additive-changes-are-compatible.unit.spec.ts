import { describe, expect, it } from '@jest/globals';
import { isRecord, jsonSchemaOf, publishedContracts } from '@latch/contracts';
import ajvModule from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { findBreakingChanges } from './find-breaking-changes.ts';
import { type Schema } from './schema-narrowings.ts';

/** An optional field that a later release adds: where, its schema, and a value that is right for it. */
type Addition = { readonly holder: readonly string[]; readonly name: string; readonly schema: Schema; readonly value: unknown };

const ajv = addFormats.default(new ajvModule.default({ strict: false }));

const fieldOf = fc.oneof(
  fc.string().map((value) => ({ schema: { type: 'string' }, value })),
  fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
  fc.boolean().map((value) => ({ schema: { type: ['boolean', 'null'] }, value })),
  fc.constantFrom('a', 'b').map((value) => ({ schema: { enum: ['a', 'b'] }, value })),
  fc.array(fc.string()).map((value) => ({ schema: { type: 'array', items: { type: 'string' } }, value })),
  fc.jsonValue({ maxDepth: 3 }).map((value) => ({
    schema: { type: 'object', properties: { any: {} }, required: ['any'] },
    value: { any: value },
  })),
);

/** The objects of a schema that have named fields, as paths of field names; the contract itself is the empty path. */
function holdersOf(schema: Schema, path: readonly string[] = []): readonly (readonly string[])[] {
  const properties = schema['properties'];
  if (!isRecord(properties)) return [];
  const nested = Object.entries(properties).flatMap(([name, field]) =>
    isRecord(field) ? holdersOf(field, [...path, name]) : [],
  );
  return [path, ...nested];
}

function additionsTo(schema: Schema): fc.Arbitrary<readonly Addition[]> {
  const addition = fc
    .tuple(fc.constantFrom(...holdersOf(schema)), fc.stringMatching(/^x_[a-z]{1,12}$/), fieldOf)
    .map(([holder, name, field]) => ({ holder, name, ...field }));
  return fc.uniqueArray(addition, { minLength: 1, maxLength: 4, selector: ({ holder, name }) => [...holder, name].join('.') });
}

/** What a JSON path of names leads to; undefined where it leads nowhere. */
function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((held, name) => (isRecord(held) ? held[name] : undefined), value);
}

function schemaWith(schema: Schema, additions: readonly Addition[], isRequired: boolean): Schema {
  const copy: Schema = structuredClone(schema);
  for (const { holder, name, schema: field } of additions) {
    const target = at(copy, holder.flatMap((step) => ['properties', step]));
    if (!isRecord(target)) throw new Error(`no holder ${holder.join('.')}`);
    const properties = target['properties'];
    Reflect.set(target, 'properties', { ...(isRecord(properties) ? properties : {}), [name]: field });
    const required = target['required'];
    if (isRequired) Reflect.set(target, 'required', [...(Array.isArray(required) ? required : []), name]);
  }
  return copy;
}

/** A message of the later release: the fields stand where the example has their holder. */
function messageWith(example: unknown, additions: readonly Addition[]): unknown {
  const copy: unknown = structuredClone(example);
  for (const { holder, name, value } of additions) {
    const target = at(copy, holder);
    if (isRecord(target)) Reflect.set(target, name, value);
  }
  return copy;
}

describe.each(publishedContracts)('adding optional fields anywhere in $title', ({ schema, examples }) => {
  const before = jsonSchemaOf(schema);
  const oldConsumer = ajv.compile(before);
  const messages = Object.values(examples.valid).map((value): unknown => JSON.parse(JSON.stringify(value)));

  it('breaks nobody: old consumers read and keep new messages, new consumers read old ones', () => {
    fc.assert(
      fc.property(additionsTo(before), fc.constantFrom(...messages), (additions, oldMessage) => {
        const after = schemaWith(before, additions, false);
        const newMessage = messageWith(oldMessage, additions);
        const newConsumer = ajv.compile(after);
        expect(findBreakingChanges(before, after)).toEqual([]);
        expect(oldConsumer(newMessage)).toBe(true);
        expect(JSON.parse(JSON.stringify(schema.parse(newMessage)))).toEqual(JSON.parse(JSON.stringify(newMessage)));
        expect(newConsumer(oldMessage)).toBe(true);
        expect(newConsumer(newMessage)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('is found out when one of them is required', () => {
    fc.assert(
      fc.property(additionsTo(before), (additions) => {
        const found = findBreakingChanges(before, schemaWith(before, additions, true));
        expect(found.map(({ rule }) => rule)).toEqual(additions.map(() => 'new_required_field'));
      }),
      { numRuns: 25 },
    );
  });
});
