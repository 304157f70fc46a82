import { describe, expect, it } from '@jest/globals';
import { letterOfTurn } from './letter.features.ts';
import { letterPage, letterTable, reportLetter } from './letter-lines.ts';
import { type SentAgain } from './letter.ts';

const never: SentAgain = { times: 0, lastAt: null, by: null, unclearSince: null };
const sent: SentAgain = { ...never, times: 2, lastAt: '2026-12-01T13:00:00.000Z', by: 'ana' };
const unclearSince = '2026-12-01T14:00:00.000Z';

function shown(sentAgain: SentAgain): { readonly row: string; readonly line: string } {
  const letter = reportLetter({ letter: letterOfTurn(), sentAgain });
  const page = letterPage(letter, { may: '', doubt: null });
  return {
    row: letterTable([letter]).at(-1) ?? '',
    line: page.find((line) => line.startsWith('sent again:')) ?? '',
  };
}

describe('the page of a letter', () => {
  it('has no line that the message has made up: its text stands indented', () => {
    const letter = { ...reportLetter({ letter: letterOfTurn(), sentAgain: never }), is_open: true, text: 'a\nnow: b' };
    expect(letterPage(letter, { may: '', doubt: null }).slice(-2)).toEqual(['  a', '  now: b']);
  });
});

describe('what became of a message', () => {
  it('is when, by whom and how often it was sent again', () => {
    const { row, line } = shown(sent);
    expect(row).toContain('2026-12-01T13:00:00 by ana, 2 times');
    expect(line).toBe('sent again: 2 times, last at 2026-12-01T13:00:00.000Z by ana');
    expect(shown(never).line).toBe('sent again: never');
  });

  it('is unclear where a sending broke off, on the page as in the list', () => {
    const { row, line } = shown({ ...never, unclearSince });
    expect(row).toContain('unclear since 2026-12-01T14:00:00');
    expect(line).toBe('sent again: unclear: a sending began at 2026-12-01T14:00:00.000Z and broke off');
    expect(shown({ ...sent, unclearSince }).line).toContain(
      '2 times, last at 2026-12-01T13:00:00.000Z by ana; unclear:',
    );
  });
});
