import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { processorMs } from '@latch/testing';
import { maxJsonValues, problemsInJson } from './problems-in-json.ts';
import { parseStrictJson } from './strict-json.ts';

describe('strict JSON', () => {
  it('reads what JSON.parse reads, when each name comes once', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|constructor|prototype|\\u0000|\\ud[89a-f]|[eE]\+|\d{16}/.test(text));
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('finds a name given twice, however it is written', () => {
    expect(problemsInJson('{"a":1,"\\u0061":2}')).toEqual([{ path: '$.a', message: 'is given twice' }]);
    expect(problemsInJson('[{"a":1},{"a":2}]')).toEqual([]);
    expect(problemsInJson('{"a":{"a":1},"b":[{"c":1,"d":2,"c":3}]}')).toEqual([
      { path: '$.b[0].c', message: 'is given twice' },
    ]);
  });

  it('is not confused by braces, commas and quotes inside of texts', () => {
    expect(problemsInJson('{"a":"{\\"b\\":1,\\"b\\":2}","c":"]},[{"}')).toEqual([]);
  });

  it('passes a pair of surrogates and refuses half of one', () => {
    expect(problemsInJson('"\\ud83d\\ude00"')).toEqual([]);
    expect(problemsInJson('["\\ud83d","\\ude00\\ud83d"]').map(({ path }) => path)).toEqual(['$[0]', '$[1]']);
  });

  it('passes the largest exact integer and any decimal, and refuses what would be rounded', () => {
    expect(problemsInJson('[9007199254740991,-9007199254740991,71.99,1e3,0.1]')).toEqual([]);
    expect(problemsInJson('[9007199254740993,1e400]')).toHaveLength(2);
  });

  it('shows a long or unprintable name cut and cleaned', () => {
    const [problem] = problemsInJson(`{"${'x'.repeat(500)}":1e999}`);
    expect(problem?.path.length).toBeLessThan(80);
    expect(problemsInJson('{"a\\u0007b":1e999}')[0]?.path).not.toContain('\u0007');
  });

  it('stops at a bounded number of problems and of values', () => {
    expect(problemsInJson(`[${'1e999,'.repeat(3_000)}1]`).length).toBeLessThanOrEqual(20);
    const many = problemsInJson(`[${'1,'.repeat(maxJsonValues)}1]`);
    expect(many).toEqual([{ path: '$', message: `holds more than ${maxJsonValues} values` }]);
  });

  it.each([
    ['brackets', '['],
    ['quotes', '"'],
    ['backslashes', '"\\\\'],
    ['open objects', '{"a":'],
  ])('takes linear time on 256 KiB of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(262_144 / piece.length));
    expect(processorMs(() => [parseStrictJson(text), problemsInJson(text)])).toBeLessThan(1_000);
  });
});
