import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { print, printLines, progress, tableLines } from './terminal.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** What a line leaves on a stream. */
function written(stream: 'stdout' | 'stderr', work: () => void): string {
  const write = jest.spyOn(process[stream], 'write').mockReturnValue(true);
  work();
  return write.mock.calls.map(([text]) => String(text)).join('');
}

describe('a line on the terminal', () => {
  it('shows what would move the cursor, or turn text around, instead of doing it', () => {
    const text = 'key \u001b[2J\u009b2K\r and \u202egnp';
    const escaped = String.raw`key \u001b[2J\u009b2K\u000d and \u202egnp`;
    expect(written('stdout', () => print(text))).toBe(`${escaped}\n`);
    expect(written('stderr', () => progress(text))).toBe(`latch: ${escaped}\n`);
  });

  it('keeps lines, tabs, accents and emoji', () => {
    expect(written('stdout', () => print('olá 👩‍👩‍👧\n\tação'))).toBe('olá 👩‍👩‍👧\n\tação\n');
  });

  it('leaves JSON the value that it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const line = written('stdout', () => print(JSON.stringify(value)));
        jest.restoreAllMocks();
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('lines of a result', () => {
  it('stay as many as they are, whatever they hold', () => {
    expect(written('stdout', () => printLines(['key: a\nnow: b', 'c']))).toBe('key: a\\nnow: b\nc\n');
  });
});

describe('a table', () => {
  it('has a line for each row, also where a cell holds several', () => {
    expect(
      tableLines([
        ['a', 'b'],
        ['one\ntwo', 'x'],
      ]),
    ).toEqual(['a         b', 'one\\ntwo  x']);
  });
});
