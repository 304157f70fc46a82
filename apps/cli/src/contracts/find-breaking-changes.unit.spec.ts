import { isRecord } from '@latch/contracts';
import { describe, expect, it } from '@jest/globals';
import { findBreakingChanges, findWidenings } from './find-breaking-changes.ts';
import { type Schema } from './schema-narrowings.ts';

const released: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1, 'x-meaning': 'names the thing' },
    kind: { type: 'string', enum: ['a', 'b'] },
    note: { type: ['string', 'null'] },
    parts: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] } },
    outcome: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'x' }, v: { type: 'number' } }, required: ['kind', 'v'] },
        { type: 'object', properties: { kind: { const: 'y' } }, required: ['kind'] },
      ],
    },
  },
  required: ['id', 'kind'],
  additionalProperties: {},
};

/** The released schema with the parts at these paths replaced; `undefined` takes a part away. */
function changed(parts: Readonly<Record<string, unknown>>): Schema {
  const copy: unknown = structuredClone(released);
  for (const [path, value] of Object.entries(parts)) put(copy, path.split('.'), value);
  return isRecord(copy) ? copy : {};
}

function put(holder: unknown, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof holder !== 'object' || holder === null) throw new Error(`nothing holds ${name}`);
  if (rest.length > 0) return put(Reflect.get(holder, name), rest, value);
  if (value === undefined) Reflect.deleteProperty(holder, name);
  else Reflect.set(holder, name, value);
}

const breaking: readonly (readonly [what: string, rule: string, path: string, working: Schema])[] = [
  [
    'a new required field',
    'new_required_field',
    'extra',
    changed({ 'properties.extra': { type: 'string' }, required: ['id', 'kind', 'extra'] }),
  ],
  [
    'an optional field that becomes required',
    'new_required_field',
    'note',
    changed({ required: ['id', 'kind', 'note'] }),
  ],
  ['a removed optional field', 'removed_field', 'note', changed({ 'properties.note': undefined })],
  ['a required field that becomes optional', 'no_longer_required', 'kind', changed({ required: ['id'] })],
  ['a narrowed type', 'narrowed', 'note', changed({ 'properties.note.type': 'string' })],
  ['a narrowed enum', 'narrowed', 'kind', changed({ 'properties.kind.enum': ['a'] })],
  [
    'a raised minimum, deep inside',
    'narrowed',
    'parts[].n',
    changed({ 'properties.parts.items.properties.n.minimum': 2 }),
  ],
  ['a new maximum length', 'narrowed', 'id', changed({ 'properties.id.maxLength': 10 })],
  ['a new pattern', 'narrowed', 'id', changed({ 'properties.id.pattern': '^x' })],
  ['an alternative that is gone', 'narrowed', 'outcome', changed({ 'properties.outcome.oneOf.length': 1 })],
  [
    'a field that is gone from an alternative',
    'removed_field',
    'outcome<kind="x">.v',
    changed({ 'properties.outcome.oneOf.0.properties.v': undefined }),
  ],
  ['a closed object', 'narrowed', '', changed({ additionalProperties: false })],
  ['a changed meaning', 'changed_meaning', 'id', changed({ 'properties.id.x-meaning': 'names the owner' })],
  ['a meaning that is no longer pinned', 'changed_meaning', 'id', changed({ 'properties.id.x-meaning': undefined })],
];

describe('the evolution checker', () => {
  it.each(breaking)('finds %s', (_, rule, path, working) => {
    const found = findBreakingChanges(released, working);
    expect(found).toContainEqual(expect.objectContaining({ rule, path }));
    for (const { message } of found) expect(message).toMatch(/SPEC-012 section 14.*new major/s);
  });

  it('says that a removed field looks renamed', () => {
    const renamed = changed({ 'properties.note': undefined, 'properties.remark': { type: ['string', 'null'] } });
    expect(findBreakingChanges(released, renamed)[0]?.message).toContain('looks renamed to remark');
  });

  it.each([
    ['a new optional field', changed({ 'properties.extra': { type: 'string' } })],
    ['a wider enum', changed({ 'properties.kind.enum': ['a', 'b', 'c'] })],
    ['a wider type', changed({ 'properties.id.type': ['string', 'number'] })],
    ['a lower minimum', changed({ 'properties.parts.items.properties.n.minimum': 0 })],
    [
      'a new alternative',
      changed({ 'properties.outcome.oneOf.2': { type: 'object', properties: { kind: { const: 'z' } } } }),
    ],
    ['a meaning that is pinned now', changed({ 'properties.note.x-meaning': 'what a person wrote' })],
    ['another description', changed({ 'properties.id.description': 'better words' })],
    ['no change', released],
  ])('lets %s pass', (_, working) => {
    expect(findBreakingChanges(released, working)).toEqual([]);
  });
});

describe('what lets more in', () => {
  it.each([
    ['a wider enum', 'kind', changed({ 'properties.kind.enum': ['a', 'b', 'c'] })],
    ['a wider type', 'id', changed({ 'properties.id.type': ['string', 'number'] })],
    ['a lower minimum, deep inside', 'parts[].n', changed({ 'properties.parts.items.properties.n.minimum': 0 })],
    [
      'a new alternative',
      'outcome',
      changed({ 'properties.outcome.oneOf.2': { type: 'object', properties: { kind: { const: 'z' } } } }),
    ],
  ])('is found: %s', (_, path, working) => {
    expect(findWidenings(released, working)).toEqual([path]);
  });

  it.each([
    ['a new optional field', changed({ 'properties.extra': { type: 'string', enum: ['x'] } })],
    ['a narrower enum, which is a break', changed({ 'properties.kind.enum': ['a'] })],
    ['no change', released],
  ])('is not what this is: %s', (_, working) => {
    expect(findWidenings(released, working)).toEqual([]);
  });
});
