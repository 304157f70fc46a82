import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '@latch/contracts';
import { processorMs } from '@latch/testing';

describe('JSON that a stranger wrote', () => {
  it('is read as JSON.parse reads it, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__')) return;
        expect(parseJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('may hold anything that looks like a name inside its texts', () => {
    const value = { '"a":': '"a":1,"a":2', 'b\\': '\\"c": \\\\', '': { '': ':' }, e: ['"x":', ':', { 'f"': '":' }] };
    expect(parseJson(JSON.stringify(value))).toEqual({ ok: true, value });
    expect(parseJson(JSON.stringify(value, null, '\t'))).toEqual({ ok: true, value });
  });

  it('is looked through in linear time, also when it is one long run of backslashes', () => {
    const text = JSON.stringify({ a: '\\'.repeat(400_000), b: '"'.repeat(100_000) });
    expect(parseJson(text).ok).toBe(true);
    expect(processorMs(() => parseJson(text))).toBeLessThan(200);
  });

  it('may talk about prototypes in its values', () => {
    const text = JSON.stringify({ message: '__proto__ and "constructor" and prototype', constructor: 'Ferrari' });
    expect(parseJson(text).ok).toBe(true);
  });

  it.each([
    ['a __proto__ key', '{"a":[{"__proto__":{"isAdmin":true}}]}'],
    ['an escaped __proto__ key', '{"\\u005f_proto__":{"isAdmin":true}}'],
    ['a constructor that holds a prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['text that is not JSON', '{"a":1'],
    ['NaN', '{"a":NaN}'],
    ['nothing', ''],
    ['a name given twice', '{"a":1, "b":{"c":[{"d":1,"d" :2}]}}'],
    ['a name given twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a lone surrogate', '{"a":["\\ud800"]}'],
    ['a lone surrogate in a key', '{"\\udfff":1}'],
  ])('is refused, fast and with a reason, when it holds %s', (_, text) => {
    expect(processorMs(() => parseJson(text))).toBeLessThan(50);
    expect(parseJson(text)).toMatchObject({ ok: false, error: expect.any(String) });
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  });

  it('may hold a character outside the first plane, escaped or not', () => {
    expect(parseJson('{"a":"\\ud83d\\ude00 😀"}')).toEqual({ ok: true, value: { a: '😀 😀' } });
  });

  it('is refused when its bytes are not UTF-8', () => {
    expect(parseJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toEqual({ ok: false, error: 'the text is not UTF-8' });
  });

  it('never repeats the text in its reason', () => {
    expect(JSON.stringify(parseJson('{"cpf": 123.456.789-09'))).not.toContain('123');
  });
});
