import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';
import { digest, idempotencyKey, itemKey } from './digest.ts';

describe('canonical JSON', () => {
  it('writes equal values as equal text, whatever the order of their members', () => {
    expect(canonicalJson({ b: [1, { d: 4, c: 3 }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":3,"d":4}]}');
  });

  it('sorts members by UTF-16 code units, as RFC 8785 does', () => {
    const members = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(members)))).toHaveLength(7);
    expect(canonicalJson(members)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
  });

  it('leaves undefined members out and keeps null', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1])('refuses %s, which JSON cannot hold', (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  });

  it('refuses a value that nests too deeply, instead of overflowing the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow(/nests deeper/);
  });

  it('writes any text, and any name, as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(canonicalJson(text)).toBe(JSON.stringify(text));
        expect(canonicalJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
      }),
    );
  });

  it('sorts a handful of members and a crowd of them alike', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 40 }), (names) => {
        const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 1])));
        expect(text).toBe(`{${names.toSorted().map((name) => `${JSON.stringify(name)}:1`).join(',')}}`);
      }),
    );
  });

  it('survives a round trip through JSON for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

describe('digests and keys', () => {
  it('are equal for equal values only', () => {
    expect(digest({ a: 1, b: 2 })).toBe(digest({ b: 2, a: 1 }));
    expect(digest({ a: 1 })).not.toBe(digest({ a: '1' }));
  });

  it('give one stable key per tenant, transaction, revision and tool', () => {
    const of = { tenantId: 'default', transactionId: 't-1', rev: 1, tool: 'cancelar_vas_avulso' };
    expect(idempotencyKey(of)).toBe(idempotencyKey({ ...of }));
    expect(idempotencyKey(of)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const others = [{ ...of, rev: 2 }, { ...of, tenantId: 'other' }, { ...of, tool: 'x' }, { ...of, transactionId: 't-2' }];
    expect(new Set(others.map(idempotencyKey)).add(idempotencyKey(of)).size).toBe(5);
  });

  it('never confuse where one part ends and the next begins', () => {
    const a = idempotencyKey({ tenantId: 'a|b', transactionId: 'c', rev: 1, tool: 't' });
    const b = idempotencyKey({ tenantId: 'a', transactionId: 'b|c', rev: 1, tool: 't' });
    expect(a).not.toBe(b);
  });

  it('name an item under its proposal', () => {
    expect(itemKey('key', 'PED-1001')).toBe('key:PED-1001');
  });
});
