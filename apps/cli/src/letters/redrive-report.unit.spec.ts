import { describe, expect, it } from '@jest/globals';
import { redriveLetter } from '@latch/messaging';
import { type Chosen } from './choose-letters.ts';
import { LatestTurns } from './latest-turns.ts';
import { letterOfTurn } from './letter.features.ts';
import { exitCodeOf, type Planned, redriveReport, type RedriveReport, reportLines } from './redrive-report.ts';
import { type Sending } from './redrive-letters.ts';

const planned: readonly Planned[] = ['1', '2'].map((offset) => {
  const letter = letterOfTurn({ offset });
  const made = redriveLetter(letter.content, { letterId: letter.envelope.event_id, signing: undefined });
  if (!made.ok) throw new Error(made.error.why);
  return { letter, verdict: { may: true, redrivable: made.value } };
});
const [first, second] = planned.map(({ letter }) => letter);
if (first === undefined || second === undefined) throw new Error('there are two letters');

const nothingElse = { letters: [], latestTurns: new LatestTurns(undefined), sentBefore: 0, copies: 0, left: 0 };

function reportOf(sending: Sending | null, more: Partial<Chosen> = {}): RedriveReport {
  return redriveReport({ chosen: { ...nothingElse, gone: 0, strange: 0, ...more }, planned, sending });
}

const all: Sending = { sent: [first, second], tooLarge: [], end: { how: 'all' } };
const said = 'Kafka does not accept messages.';

describe('the report of a redrive', () => {
  it.each([
    ['done, with 0, when all went', all, 'done', 0, 2],
    ['of a dry run, with 0, when all would go', null, 'dry_run', 0, 0],
    ['of a stop, with 1, when somebody said no', { ...all, sent: [], end: { how: 'stopped' } }, 'stopped', 1, 0],
    ['done, with 1, when one is too large', { ...all, sent: [first], tooLarge: [second] }, 'done', 1, 1],
    [
      'of a break, with 2, when Kafka went away',
      { ...all, sent: [first], end: { how: 'broken_off', why: said } },
      'broken_off',
      2,
      1,
    ],
  ] as const)('is %s', (_what, sending, outcome, code, sent) => {
    const report = reportOf(sending);
    expect(report).toMatchObject({ outcome, sent });
    expect(exitCodeOf(report)).toBe(code);
  });

  it('says why it broke off, to machines and to people', () => {
    const report = reportOf({ ...all, sent: [first], end: { how: 'broken_off', why: said } });
    expect(report).toMatchObject({ reason: said, not_reached: 1 });
    expect(reportLines(report).at(-1)).toBe(said);
  });

  it('counts letters that the topic has lost between two looks, and does not end as if they had gone', () => {
    const report = reportOf(all, { gone: 3 });
    expect(report).toMatchObject({ gone: 3 });
    expect(exitCodeOf(report)).toBe(1);
    expect(reportLines(report).at(-1)).toContain('3 gone from the topic meanwhile');
  });
});
