import { describe, expect, it } from '@jest/globals';
import { failure } from '@latch/contracts';
import { eventually, processorMs } from '@latch/testing';
import { compileSchema, type SchemaProblem } from './compile-schema.ts';

function problems(schema: unknown, value: unknown): readonly SchemaProblem[] | string {
  const compiled = compileSchema(schema);
  return compiled.ok ? compiled.value(value) : compiled.error;
}

function refusalOf(schema: unknown): string {
  const compiled = compileSchema(schema);
  return compiled.ok ? 'compiled' : compiled.error;
}

const order = {
  type: 'object',
  properties: { order_id: { type: 'string', pattern: '^PED-[0-9]+$' }, at: { type: 'string', format: 'date' } },
  required: ['order_id'],
  additionalProperties: false,
};

describe('a schema of a tool', () => {
  it.each<[string, unknown, readonly Partial<SchemaProblem>[]]>([
    ['a value that fits', { order_id: 'PED-1001', at: '2026-11-30' }, []],
    ['a value of another type', 7, [{ path: '', parameter: null }]],
    ['a missing member', {}, [{ path: '', parameter: 'order_id', message: "must have required property 'order_id'" }]],
    ['a member that nobody declared', { order_id: 'PED-1', x: 1 }, [{ parameter: 'x' }]],
    ['a pattern', { order_id: '1001' }, [{ path: '/order_id', parameter: 'order_id' }]],
    ['a format', { order_id: 'PED-1', at: 'tomorrow' }, [{ path: '/at', parameter: 'at' }]],
    ['two wrong members', { order_id: 1, at: 2 }, [{ parameter: 'order_id' }, { parameter: 'at' }]],
  ])('tells what is wrong with %s, and with which parameter', (_, value, expected) => {
    expect(problems(order, value)).toMatchObject(expected);
  });

  it.each([
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
    [undefined, { prefixItems: [{ type: 'string' }] }],
  ])('is read in its own dialect: %s', ($schema, list) => {
    const schema = { ...($schema === undefined ? {} : { $schema }), type: 'object', properties: { list } };
    expect(problems(schema, { list: ['a', 1] })).toEqual([]);
    expect(problems(schema, { list: [1] })).toMatchObject([{ path: '/list/0', parameter: 'list' }]);
  });

  it('in another dialect is refused by name', () => {
    expect(refusalOf({ $schema: 'http://json-schema.org/draft-04/schema#' })).toContain('draft-04');
  });

  it('may refer to its own parts, to itself too, and to a deep value it says so', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', additionalProperties: { $ref: '#/$defs/node' } } },
    };
    expect(problems(tree, { a: { b: {} } })).toEqual([]);
    expect(problems(tree, { a: { b: 1 } })).toMatchObject([{ path: '/a/b', parameter: 'a' }]);
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    expect(problems(tree, deep)).toMatchObject([{ path: '', parameter: null }]);
  });

  it('is compiled once', () => {
    expect(compileSchema({ ...order })).toBe(compileSchema({ ...order }));
  });

  it('changes nothing of the value', () => {
    const value = { n: '5' };
    expect(
      problems({ type: 'object', properties: { n: { type: 'number', default: 1 }, m: { default: 2 } } }, value),
    ).toHaveLength(1);
    expect(value).toEqual({ n: '5' });
  });

  it('with keywords and formats that nobody knows is read for the rest', () => {
    expect(
      problems({ type: 'object', 'x-order': 1, properties: { a: { type: 'string', format: 'x-id' } } }, { a: 'b' }),
    ).toEqual([]);
  });
});

describe('a schema that is not to be trusted', () => {
  it.each<[string, unknown, RegExp]>([
    ['is no object', true, /no object/],
    ['is no schema', { type: 'thing' }, /cannot be compiled/],
    ['has a reference to another document', { properties: { a: { $ref: 'https://example.org/a.json' } } }, /leads out/],
    ['has a reference to a file', { $ref: 'file:///etc/passwd' }, /leads out/],
    ['has a reference that leads nowhere', { $ref: '#/$defs/none' }, /cannot be compiled/],
    ['nests too deeply', nested(60), /deeper than/],
    ['has too many parts', { enum: Array.from({ length: 2_100 }, (_, at) => at) }, /more than/],
    ['is too large', { description: 'x'.repeat(200_000) }, /larger than/],
    ['has a pattern that can run for ever', { pattern: '^(a+)+$' }, /endless/],
    ['has such a pattern as a key', { patternProperties: { '^(a|aa)+$': {} } }, /endless/],
    ['has a pattern that is none', { pattern: '(' }, /cannot be compiled/],
  ])('because it %s is refused with the reason', (_, schema, reason) => {
    expect(refusalOf(schema)).toMatch(reason);
  });

  it('does not mistake a property called $ref or pattern for the keyword', () => {
    const schema = { type: 'object', properties: { pattern: { type: 'string' }, $ref: { type: 'string' } } };
    expect(problems(schema, { pattern: 'x', $ref: 'y' })).toEqual([]);
    expect(problems({ const: { $ref: 'http://elsewhere' } }, { $ref: 'http://elsewhere' })).toEqual([]);
  });

  it('whose check doubles with each part is ended, and the value does not pass', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `p${at}`,
        { allOf: [{ $ref: `#/$defs/p${at + 1}` }, { $ref: `#/$defs/p${at + 1}` }] },
      ]),
    );
    const check = (): unknown => problems({ $ref: '#/$defs/p0', $defs: { ...$defs, p40: { type: 'object' } } }, {});
    expect(check()).toMatchObject([{ message: expect.stringContaining('longer than 100 ms') }]);
    expect(processorMs(check)).toBeLessThan(3_000);
  });

  it('whose pattern is slow in a way that reading it does not show is ended too', () => {
    const schema = { type: 'string', pattern: '^a*a*a*a*a*a*a*a*a*a*b$' };
    const compiled = compileSchema(schema);
    if (!compiled.ok) throw new Error('a schema is refused that reading it does not show to be slow');
    const check = (): unknown => compiled.value('a'.repeat(5_000));
    expect(check()).toHaveLength(1);
    expect(processorMs(check)).toBeLessThan(2_000);
  });

  it('of the most allowed size is compiled in a moment', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`p${at}`, { type: 'string', maxLength: 9 }]),
    );
    // The time of the compiler is that of the clock: on a machine that does much else it is worked out again, as for a caller.
    await eventually(() =>
      expect(compileSchema({ type: 'object', properties })).not.toEqual(failure(expect.anything())),
    );
    expect(processorMs(() => compileSchema({ type: 'object', properties }), 1)).toBeLessThan(5_000);
  });
});

function nested(levels: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { properties: { a: schema } };
  return schema;
}
